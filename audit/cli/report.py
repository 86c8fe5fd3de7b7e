"""``audit report``: the tables and pages of an audit again, from its result file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from reports.result import Result

_NARROWEST = 100


def report(
    directories: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders that audits wrote.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the report goes. Default: the folder, if it is one.")
    ] = None,
) -> None:
    """Render a report again from its audit.json, or one out of several.

    The tables are printed here; index.html and tables.md are written there. Several must be of the same data and
    cut-offs, and of different libraries: what machines audited apart is shown together.

    \b
    Examples:
      audit report audit-report
      audit report parts/* --out audit-report
    """
    from audit.errors import UserError
    from reports.merge import merge
    from reports.read import NAME, read
    from reports.write import write_report

    for directory in directories:
        if directory.is_file() and directory.name != NAME:
            raise UserError(f"{directory} is neither a folder nor an {NAME}.", "Name the folder: audit report DIR")
    if out is None and len(directories) > 1:
        raise UserError("Several reports are made into one, and it was not said where.", "Add --out DIR")
    result = merge([(directory, read(directory)) for directory in directories])
    print_tables(result)
    (first, *_) = directories
    written = write_report(result, out or (first if first.is_dir() else first.parent))
    typer.echo(f"\nWritten: {', '.join(map(str, written))}")


def print_tables(result: Result) -> None:
    """Print all tables of ``result`` on stdout; a terminal narrower than they can be is taken as that wide."""
    from rich.console import Console

    from reports.forms.text import show

    console = Console()
    show(result, Console(width=max(console.width, _NARROWEST)))
