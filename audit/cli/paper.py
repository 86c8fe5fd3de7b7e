"""``audit paper``: judge what the paper says of each library by what an audit found."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from audit.cli.shared.options import REPORT_FOLDER, Run


class Format(StrEnum):
    """The formats of the answers."""

    text = "text"
    md = "md"
    json = "json"


def paper(
    source: Run = None,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
) -> None:
    """Check what a paper claims about libraries.

    Each claim of Tamm, Damdinov & Vasilev (RecSys 2021) is judged by the definitions that an audit found: reproduced,
    contradicted, true only for the way in which the paper calls the library, true for some versions only, or not
    verifiable. If the paper names the cause of a difference, that cause alone is changed to see its effect.

    \b
    Examples:
      audit paper
      audit run --all && audit paper --from audit-report
      audit paper --format md > paper.md
    """
    from rich.console import Console

    from reports.model.default_run import load_run
    from reports.paper.reaudit import reaudit
    from reports.renderers import reaudit_formats as formats

    loaded = load_run(source, REPORT_FOLDER)
    found = reaudit(loaded.result)
    if form is Format.text:
        formats.print_reaudit(found, loaded.origin, Console(highlight=False))
    else:
        typer.echo(
            formats.as_markdown(found, loaded.origin) if form is Format.md else formats.as_json(found, loaded.origin)
        )
