"""``audit report``: the tables and pages of an audit again, from its result file, in any form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.cli.output import Form, emit

if TYPE_CHECKING:
    from reports.model.result import Result

_NARROWEST = 100


def report(
    directories: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders that audits wrote.")],
    form: Annotated[Form | None, typer.Option("--format", help="Only this form, on stdout or into --out.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Folder of the report (default: DIR, if it is one); a file with --format."),
    ] = None,
) -> None:
    """Render a report again from its audit.json, or one out of several.

    Without --format the tables are printed here, and index.html and tables.md are written there. Several must be of
    the same data and cut-offs, and of different libraries: what machines audited apart is shown together.

    \b
    Examples:
      audit report audit-report
      audit report audit-report --format md > comment.md
      audit report audit-report --format parquet --out findings.parquet
      audit report parts/* --out audit-report
    """
    from reports.renderers.registry import REPORT_FORMATS

    result = _read(directories)
    if form is not None:
        emit(REPORT_FORMATS[form](result), out)
    else:
        _again(result, directories, out)


def _read(paths: list[Path]) -> Result:
    from audit.errors import UserError
    from reports.model.merge import merge
    from reports.model.read_result import RESULT_FILE, read_result

    for path in paths:
        if path.is_file() and path.name != RESULT_FILE:
            raise UserError(f"{path} is neither a folder nor an {RESULT_FILE}.", "Name the folder: audit report DIR")
    return merge([(path, read_result(path)) for path in paths])


def _again(result: Result, paths: list[Path], out: Path | None) -> None:
    """Print the tables and write the pages beside their result file, or where it is said."""
    from audit.errors import UserError
    from reports.renderers.report_folder import write_report

    if out is None and len(paths) > 1:
        raise UserError("Several reports are made into one, and it was not said where.", "Add --out DIR")
    print_tables(result)
    (first, *_) = paths
    written = write_report(result, out or (first if first.is_dir() else first.parent))
    typer.echo(f"\nWritten: {', '.join(map(str, written))}")


def print_tables(result: Result) -> None:
    """Print what surprises and all tables on stdout; a terminal narrower than they can be is taken as that wide."""
    from rich.console import Console

    from reports.renderers.terminal import print_report

    console = Console()
    print_report(result, Console(width=max(console.width, _NARROWEST)))
