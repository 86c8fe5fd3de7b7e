"""``audit identify``: what a plain Python function computes."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from audit.cli.group import DRIFTED


class Format(StrEnum):
    """How the answer is printed."""

    text = "text"
    json = "json"


def identify(
    function: Annotated[str, typer.Argument(metavar="FILE.py:FUNCTION", help="The function to ask.")],
    metric: Annotated[
        str | None, typer.Option(metavar="NAME", help="The metric whose name it bears: ndcg, recall, ...")
    ] = None,
    k: Annotated[int | None, typer.Option("-k", metavar="N", help="Only this cut-off. Default: several.")] = None,
    frames: Annotated[bool, typer.Option("--frames", help="It takes DataFrames of all users.")] = False,
    expect: Annotated[
        str | None, typer.Option(metavar="SIGNATURE", help="Exit with 1 unless it computes this.")
    ] = None,
    python: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Run it with this Python, which needs numpy. Default: this one."),
    ] = None,
    timeout: Annotated[float, typer.Option(metavar="S", help="Seconds that one call may take.")] = 30.0,
    form: Annotated[Format, typer.Option("--format", help="For people or for programs.")] = Format.text,
) -> None:
    """Say which definition a plain Python function computes.

    It is called as function(recommended: list, relevant: dict item → gain, k: int) -> float, once for each user; with
    --frames as function(predictions, truth, k) -> float, on DataFrames with the columns user, item, score and user,
    item, gain. It runs in a process of its own, which changes nothing.

    \b
    Examples:
      audit identify metrics.py:ndcg --metric ndcg
      audit identify metrics.py:recall --metric recall -k 20 --format json
      audit identify metrics.py:mean_ndcg --frames --expect "ndcg@k|gain:exp2"
      audit identify metrics.py:ndcg --metric ndcg --python venv/bin/python
    """
    from audit.cli import inputs
    from audit.inhouse.identify_function import checked_request, identify_function
    from audit.inhouse.summary_text import text

    if k is not None:
        inputs.cutoffs([k])
    inputs.positive("--timeout", timeout)
    request = checked_request(function, metric, expect, k=k, frames=frames, python=python, seconds=timeout)
    result = identify_function(request)
    if form is Format.json:
        typer.echo(json.dumps(result.as_json(), indent=1, ensure_ascii=False))
    elif result.error is None:
        typer.echo(text(result))
    if result.error is not None:
        raise result.error
    if result.contradiction:
        typer.echo(f"audit: {request.target.name} does not compute what was expected\n{result.contradiction}", err=True)
        raise typer.Exit(DRIFTED)
