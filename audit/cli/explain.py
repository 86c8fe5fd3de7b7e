"""``audit explain``: look up a metric, a definition or a library's function."""

from __future__ import annotations

from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.shared.options import REPORT_FOLDER, Run
from recsys_metric_audit.audit.cli.shared.safe_text import show
from recsys_metric_audit.audit.cli.shared.standard_streams import make_console


def explain(
    subject: Annotated[
        str,
        typer.Argument(
            metavar="METRIC | SIGNATURE | LIBRARY[==VERSION]:FUNCTION | choosing",
            help="What to explain; FUNCTION may be the last part of its name.",
        ),
    ],
    source: Run = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Print what a paper needs: a sentence, LaTeX, BibTeX and a command.")
    ] = False,
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
      audit explain choosing
    """
    from recsys_metric_audit.audit.cli.shared.lookup import look_up
    from recsys_metric_audit.audit.cli.shared.lookup_text import paper_texts, print_subject
    from recsys_metric_audit.reports.model.result_file import load_run

    found = look_up(subject, lambda: load_run(source, REPORT_FOLDER))
    if paper:
        show("\n\n".join(paper_texts(found)))
    else:
        print_subject(found, make_console())
