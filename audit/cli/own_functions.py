"""``audit identify`` and ``audit probes``: what a function of the user's own computes, or any system."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from recsys_metric_audit.audit.cli.shared import output
from recsys_metric_audit.audit.cli.shared.inputs import check_cutoffs, check_positive
from recsys_metric_audit.audit.cli.shared.options import FORM_TEXT_OR_JSON, PYTHON, SHAPE, TextOrJson
from recsys_metric_audit.audit.cli.shared.output import DRIFTED, NOT_IDENTIFIED, make_console, said_while, say
from recsys_metric_audit.audit.errors import UserError


def identify(
    function: str | None = typer.Argument(
        None, metavar="FILE.py:FUNCTION", help="A file, and a function in it. Needed without --answers."
    ),
    metric: str | None = typer.Option(
        None, metavar="NAME", help="The metric it should compute: ndcg, map, mrr, ... Default: every one is tried."
    ),
    k: int | None = typer.Option(None, "-k", metavar="N", help="The only cut-off to call it with. Default: several."),
    frames: bool = typer.Option(False, "--frames", help="It takes DataFrames of all users: --shape frames."),
    shape: str | None = SHAPE,
    one_relevant: bool = typer.Option(False, "--one-relevant", help="Ask it only about users with one relevant item."),
    answers: Path | None = typer.Option(
        None, metavar="FILE", help="Answers of any system to the cases of audit probes. Default: those of FUNCTION."
    ),
    expect: str | None = typer.Option(
        None, metavar="SIGNATURE", help="Exit with 1 unless it computes this definition."
    ),
    python: Path | None = PYTHON,
    timeout: float = typer.Option(30.0, metavar="SECONDS", help="Time limit of one call."),
    form: TextOrJson = FORM_TEXT_OR_JSON,
) -> None:
    """Find out what a Python function of your own computes.

    How it is called is recognised from the names of its parameters and by trying, and told first. --shape names it:
    recommended or actual (lists of items, which of both comes first), recommended-one (a list and the only relevant
    item), vector (labels by rank), scores or scores-first (labels and scores), matrix (these of all items, with a row
    for each user), scores-target (scores, and the index of the only relevant item), qrels-run (dicts), frames
    (DataFrames with the columns user, item, score and user, item, gain, or as its source names them), actual-users
    (lists of all users), indexes (scores, labels and the user of each row), and some sixty more, which an unknown name
    lists and docs/your-functions.md explains.

    FUNCTION may be a method, a class with update and compute (or accumulate and reduce), or make().method; [KEY] at
    its end picks an entry of the dict or tuple that it returns, [KEY][0] an entry of that; [ndcg@5] is asked at 5
    where no parameter is a cut-off.

    It runs in a process of its own.

    \b
    Examples:
      audit identify metrics.py:ndcg
      audit identify metrics.py:apk --metric map --shape actual
      audit identify metrics.py:recall --metric recall -k 20 --format json
      audit identify metrics.py:mean_ndcg --frames --expect "ndcg@k|gain:exp2"
      audit identify metrics.py:ndcg --metric ndcg --python venv/bin/python
    """
    from recsys_metric_audit.audit.inhouse.identify_function import checked_request, identify_function
    from recsys_metric_audit.audit.inhouse.telling.summary_text import text

    if k is not None:
        check_cutoffs([k])
    check_positive("--timeout", timeout)
    if (function is None) == (answers is None):
        raise UserError("name a function or --answers", "try audit identify metrics.py:ndcg")
    if answers is not None:
        _identify_answers(answers, metric, k, form, others=[frames, shape, expect, python, one_relevant])
        return
    assert function is not None
    if frames and shape not in (None, "frames"):
        raise UserError(f"--frames and --shape {shape} do not go together", "leave out --frames")
    chosen = "frames" if frames else shape
    request = checked_request(
        function, metric, expect, k=k, shape=chosen, python=python, seconds=timeout, one_relevant=one_relevant
    )
    with said_while(f"asking {function}"):
        result = identify_function(request)
    if form is TextOrJson.json:
        output.show_json(result.as_json())
    elif result.error is None:
        output.show(text(result, make_console().width))
    if result.error is not None:
        raise result.error
    if result.contradiction:
        said = f"audit: {request.target.name} does not compute what was expected\n{result.contradiction}"
        say(said, err=True)
        raise typer.Exit(DRIFTED)
    if result.summary is not None and result.summary.signature is None:
        raise typer.Exit(NOT_IDENTIFIED)


def _identify_answers(path: Path, metric: str | None, k: int | None, form: TextOrJson, others: list[object]) -> None:
    """Print what gave the answers in a file; ``others`` are the options that only a function has."""
    from recsys_metric_audit.audit.inhouse.sheets.answers import identify_answers
    from recsys_metric_audit.audit.inhouse.telling.summary_text import answers_text

    if metric is None or any(others):
        raise UserError("--answers goes with --metric, -k and --format only", "add --metric NAME and leave out others")
    result = identify_answers(path, metric, k)
    if form is TextOrJson.json:
        output.show_json(result.as_json())
    else:
        output.show(answers_text(result, make_console().width))
    if result.summary.signature is None:
        raise typer.Exit(NOT_IDENTIFIED)


CaseFormat = StrEnum("CaseFormat", ("csv", "trec", "json"))
"""Holds the formats of the files."""


def probes(
    out: Path = typer.Argument(metavar="DIR", help="The folder to write; made if missing."),
    form: CaseFormat = typer.Option(CaseFormat.csv, "--format", help="Format of the cases."),
    k: int | None = typer.Option(None, "-k", metavar="N", help="Write every case at this cut-off. Default: several."),
) -> None:
    """Write the probe cases as files.

    They are for systems that are not Python: Elasticsearch, a Java program, a spreadsheet.

    The folder gets the cases (csv: predictions.csv and truth.csv; trec: probes.run and probes.qrels, where the query is
    case-user; json: probes.json) and answers.csv, with each case's cut-off and an empty column value. Write into it the
    mean over the users of the case, or leave it empty. audit identify --answers then tells what computed it.

    \b
    Examples:
      audit probes cases
      audit probes cases --format trec -k 10
      audit identify --answers cases/answers.csv --metric ndcg
    """
    from recsys_metric_audit.audit.inhouse.function_inputs import function_inputs
    from recsys_metric_audit.audit.inhouse.shapes import FRAMES
    from recsys_metric_audit.audit.inhouse.sheets.probe_files import probe_files

    if k is not None:
        check_cutoffs([k])
    inputs = function_inputs(FRAMES, k)
    try:
        out.mkdir(parents=True, exist_ok=True)
        if (out / "answers.csv").exists():
            raise UserError(f"{out / 'answers.csv'} exists: it may hold answers", "name another folder, or remove it")
        for name, text in probe_files(form.value, inputs).items():
            (out / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{error.filename or out}: {error.strerror}", "name another folder") from error
    say(f"{len(inputs.probes)} cases in {out}; write their values into {out / 'answers.csv'}")
