"""``audit show``, ``explain`` and ``definitions``: look up what is known, without asking a library."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from recsys_metric_audit.audit.cli.shared import output
from recsys_metric_audit.audit.cli.shared.options import REPORT_FOLDER, RUN
from recsys_metric_audit.audit.cli.shared.output import make_console


def show(
    subject: str = typer.Argument(
        metavar="LIBRARY[==VERSION] | LIBRARY[==VERSION]:FUNCTION | METRIC | SIGNATURE",
        help="What to show; FUNCTION may be the last part of its name, or a metric's name.",
    ),
    source: Path | None = RUN,
    call: str | None = typer.Option(
        None,
        metavar="NOTATION",
        help="Print only how this tool writes the formula: ir_measures, trec_eval, torchmetrics, ranx, rectools, "
        "scikit_learn or lenskit. Default: who computes it, and how each of them writes it.",
    ),
) -> None:
    """Show what libraries compute, and who computes what.

    Reads a run: nothing is built, no library is asked. Of a library, every formula with the functions that compute
    it; of a function, its formula, numbers, smallest input, since which version, and the calls of other libraries
    that compute the same; of a metric or a formula, who computes it, and how seven tools write it.

    \b
    Examples:
      audit show rs_metrics
      audit show recbole:ndcg
      audit show ndcg
      audit show 'average_precision@k|denominator:r'
      audit show 'ndcg@10|gain:linear' --call trec_eval
    """
    from recsys_metric_audit.audit.cli.shared.lookup import look_up, show_subject, written_calls
    from recsys_metric_audit.reports.model.result_file import load_run

    run = load_run(source, REPORT_FOLDER)
    found = look_up(subject, lambda: run)
    if call is None:
        show_subject(found, run, make_console())
    elif calls := written_calls(found, call):
        output.show("\n".join(calls))
    else:
        output.say(
            f"{call} has no expression for {subject}: no call of it that is known computes the formula", err=True
        )
        raise typer.Exit(output.NOT_IDENTIFIED)


def explain(
    subject: str = typer.Argument(
        metavar="METRIC | SIGNATURE | CALL | LIBRARY[==VERSION]:FUNCTION | choosing",
        help="What to explain: FUNCTION may be the last part of its name, CALL how another tool writes it.",
    ),
    source: Path | None = RUN,
    paper: bool = typer.Option(
        False, "--paper", help="Print what a paper needs: a sentence, LaTeX, BibTeX and a command."
    ),
) -> None:
    """Explain a metric, a definition or a library's function.

    Prints formula, axes, sources, a worked example, and which definitions are equal. Of a library's function it
    prints what it was found to compute in an audit, read from --from. `audit explain choosing` helps to choose a
    metric.

    \b
    Examples:
      audit explain ndcg
      audit explain 'ndcg@20|gain:exp2|ideal:all'
      audit explain rs_metrics==0.6.0:rs_metrics.ndcg --from audit-report
      audit explain 'ndcg@20|gain:exp2' --paper
      audit explain ndcg_cut_10
      audit explain ranx:ndcg_burges@10
      audit explain choosing
    """
    from recsys_metric_audit.audit.cli.shared.lookup import look_up, paper_texts, print_subject
    from recsys_metric_audit.reports.model.result_file import load_run

    found = look_up(subject, lambda: load_run(source, REPORT_FOLDER))
    if paper:
        output.show("\n\n".join(paper_texts(found)))
    else:
        print_subject(found, make_console())


ListFormat = StrEnum("ListFormat", ("text", "json", "md"))
"""The formats of the list."""


def definitions(
    metric: str | None = typer.Option(None, metavar="NAME", help="Only this metric, such as ndcg. Default: all."),
    form: ListFormat = typer.Option(ListFormat.text, "--format", help="Output format."),
) -> None:
    """List the documented definitions of metrics.

    Each with its signature, its names, its sources, and when it differs from the canonical definition.

    \b
    Examples:
      audit definitions
      audit definitions --metric ndcg --format md
    """
    from recsys_metric_audit.audit.libraries.metric_name import known_metric
    from recsys_metric_audit.reference import documented
    from recsys_metric_audit.reports.handbook import explain_text

    found = documented.definitions(None if metric is None else known_metric(metric))
    match form:
        case ListFormat.text:
            explain_text.show_list(found, make_console())
        case ListFormat.json:
            output.show(explain_text.as_json(found))
        case ListFormat.md:
            output.show(explain_text.as_markdown(found))
