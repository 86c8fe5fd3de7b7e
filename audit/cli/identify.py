"""``audit identify``: which definition a Python function of the user's own computes."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from audit.cli.shared.exit_codes import DRIFTED, NOT_IDENTIFIED
from audit.cli.shared.safe_text import safe_text


class Format(StrEnum):
    """The formats of the answer."""

    text = "text"
    json = "json"


def identify(
    function: Annotated[str, typer.Argument(metavar="FILE.py:FUNCTION", help="A file, and a function in it.")],
    metric: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The metric it should compute: ndcg, recall, ... Needed without --expect."),
    ] = None,
    k: Annotated[
        int | None, typer.Option("-k", metavar="N", help="The only cut-off to call it with. Default: several.")
    ] = None,
    frames: Annotated[
        bool, typer.Option("--frames", help="It takes DataFrames of all users. Default: lists of one user.")
    ] = False,
    expect: Annotated[
        str | None, typer.Option(metavar="SIGNATURE", help="Exit with 1 unless it computes this definition.")
    ] = None,
    python: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="The Python to run it with; numpy must be installed there. Default: this one."
        ),
    ] = None,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", help="Time limit of one call.")] = 30.0,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
) -> None:
    """Find out what a Python function of your own computes.

    The function is called once for each user as function(recommended, relevant, k), with a list of items, a dict from
    item to gain, and the cut-off, and returns a number. With --frames it is called as function(predictions, truth, k),
    on DataFrames with the columns user, item, score and user, item, gain. It runs in a process of its own.

    \b
    Examples:
      audit identify metrics.py:ndcg --metric ndcg
      audit identify metrics.py:recall --metric recall -k 20 --format json
      audit identify metrics.py:mean_ndcg --frames --expect "ndcg@k|gain:exp2"
      audit identify metrics.py:ndcg --metric ndcg --python venv/bin/python
    """
    from audit.cli.shared.run_inputs import check_cutoffs, check_positive
    from audit.inhouse.identify_function import checked_request, identify_function
    from audit.inhouse.summary_text import text

    if k is not None:
        check_cutoffs([k])
    check_positive("--timeout", timeout)
    request = checked_request(function, metric, expect, k=k, frames=frames, python=python, seconds=timeout)
    result = identify_function(request)
    if form is Format.json:
        typer.echo(json.dumps(result.as_json(), indent=1, ensure_ascii=False))
    elif result.error is None:
        typer.echo(text(result))
    if result.error is not None:
        raise result.error
    if result.contradiction:
        said = f"audit: {request.target.name} does not compute what was expected\n{result.contradiction}"
        typer.echo(safe_text(said), err=True)
        raise typer.Exit(DRIFTED)
    if result.summary is not None and result.summary.signature is None:
        raise typer.Exit(NOT_IDENTIFIED)
