"""``audit paper``: what the paper says of each library, held against what an audit found."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

_DEFAULT = Path("audit-report")


class Format(StrEnum):
    """How the answers are printed."""

    text = "text"
    md = "md"
    json = "json"


def paper(
    source: Annotated[
        Path | None, typer.Option("--from", metavar="DIR|FILE", help="The audit by which the claims are judged.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="For people, for a page, for programs.")] = Format.text,
) -> None:
    """Re-audit the paper: is what it says of each library so, and for which version?

    Each claim of Tamm, Damdinov & Vasilev (RecSys 2021) is judged by the definitions that were found by experiment in
    audit-report/audit.json, or else in the run that comes with the tool: reproduced, contradicted, true only for the
    paper's way of calling, true for these versions only, or not verifiable. What the paper holds to be the cause of a
    difference is changed alone, to see whether it is.

    \b
    Examples:
      audit paper
      audit run --all && audit paper --from audit-report
      audit paper --format md > paper.md
    """
    from rich.console import Console

    from reports.model.default_run import load_run
    from reports.paper.reaudit import reaudit
    from reports.renderers import reaudit_formats as forms

    held = load_run(source, _DEFAULT)
    found = reaudit(held.result)
    if form is Format.text:
        forms.print_reaudit(found, held.origin, Console(highlight=False))
    else:
        typer.echo(forms.as_markdown(found, held.origin) if form is Format.md else forms.as_json(found, held.origin))
