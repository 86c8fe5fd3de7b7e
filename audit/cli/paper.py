"""``audit paper``: judge what the paper says of each library by what an audit found."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli.shared.options import REPORT_FOLDER, Run

if TYPE_CHECKING:
    from reports.paper.reaudit import ClaimView, Reaudit


class Format(StrEnum):
    """The formats of the answers."""

    text = "text"
    md = "md"
    json = "json"


def paper(
    number: Annotated[
        int | None, typer.Argument(metavar="[NUMBER]", help="Tell this claim in full. Default: all, on one screen.")
    ] = None,
    source: Run = None,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
) -> None:
    """Check what a paper claims about libraries.

    Each claim of Tamm, Damdinov & Vasilev (RecSys 2021) is judged by the definitions that an audit found: yes; yes,
    but only as the paper calls the library; in part, for some versions only; no; or unknown. If the paper names the
    cause of a difference, that cause alone is changed to see its effect.

    \b
    Examples:
      audit paper
      audit paper 16
      audit run --all && audit paper --from audit-report
      audit paper --format md > paper.md
    """
    from rich.console import Console

    from reports.model.default_run import load_run
    from reports.paper.reaudit import reaudit
    from reports.renderers import reaudit_formats as formats

    loaded = load_run(source, REPORT_FOLDER)
    found, console = reaudit(loaded.result), Console(highlight=False)
    if number is not None:
        found = replace(found, told=(_claim(found, number),))
    if form is not Format.text:
        typer.echo(
            formats.as_markdown(found, loaded.origin) if form is Format.md else formats.as_json(found, loaded.origin)
        )
    elif number is None:
        formats.print_screen(found, loaded.origin, console)
    else:
        formats.print_claim(found.told[0], console)
        if number == formats.SURVEY:
            formats.print_rest(found, console)


def _claim(found: Reaudit, number: int) -> ClaimView:
    from audit.errors import UserError

    for told in found.told:
        if told.number == number:
            return told
    last = max(told.number for told in found.told)
    raise UserError(f"the paper has no claim {number}", f"Name one from 1 to {last}: audit paper {last}")
