"""``audit report``: the tables and pages of an audit again, from its result file, in any form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli.output import Form, OutFile, emit

if TYPE_CHECKING:
    from reports.result import Result

_NARROWEST = 100


def report(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that an audit wrote.")],
    form: Annotated[Form | None, typer.Option("--format", help="Only this form, on stdout or into --out.")] = None,
    out: OutFile = None,
) -> None:
    """Render a report again from its audit.json.

    Without --format the tables are printed here, and index.html and tables.md are written there.

    \b
    Examples:
      audit report audit-report
      audit report audit-report --format md > comment.md
      audit report audit-report --format parquet --out findings.parquet
    """
    from audit.errors import UserError
    from reports.read import NAME, read

    if directory.is_file() and directory.suffix != ".json":
        raise UserError(f"{directory} is neither a folder nor an {NAME}.", "Name the folder: audit report DIR")
    result = read(directory)
    if form is not None:
        from reports.forms.every import REPORT

        emit(REPORT[form](result), out)
        return
    _again(result, directory, out)


def _again(result: Result, directory: Path, out: Path | None) -> None:
    """Print the tables and write the pages beside their result file."""
    from audit.errors import UserError
    from reports.read import NAME
    from reports.write import write_report

    if out is not None:
        raise UserError("--out was given without --format", "say which form: --format html --out FILE")
    if directory.is_file() and directory.name != NAME:
        raise UserError(f"{directory} is not called {NAME}.", f"audit report {directory} --format html --out FILE")
    print_tables(result)
    written = write_report(result, directory if directory.is_dir() else directory.parent)
    typer.echo(f"\nWritten: {', '.join(map(str, written))}")


def print_tables(result: Result) -> None:
    """Print what surprises and all tables on stdout; a terminal narrower than they can be is taken as that wide."""
    from rich.console import Console

    from reports.forms.text import show

    console = Console()
    show(result, Console(width=max(console.width, _NARROWEST)))
