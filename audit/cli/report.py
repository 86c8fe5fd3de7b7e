"""``audit report``: the tables and pages of an audit again, from its result file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from reports.result import Result

_NARROWEST = 100


def report(directory: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that an audit wrote.")]) -> None:
    """Render a report again from its audit.json.

    The tables are printed here; index.html and tables.md are written there.

    \b
    Example:
      audit report audit-report
    """
    from audit.errors import UserError
    from reports.read import NAME, read
    from reports.write import write_report

    if directory.is_file() and directory.name != NAME:
        raise UserError(f"{directory} is neither a folder nor an {NAME}.", "Name the folder: audit report DIR")
    result = read(directory)
    print_tables(result)
    written = write_report(result, directory if directory.is_dir() else directory.parent)
    typer.echo(f"\nWritten: {', '.join(map(str, written))}")


def print_tables(result: Result) -> None:
    """Print all tables of ``result`` on stdout; a terminal narrower than they can be is taken as that wide."""
    from rich.console import Console

    from reports.forms.text import show

    console = Console()
    show(result, Console(width=max(console.width, _NARROWEST)))
