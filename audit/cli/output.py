"""Where a form goes: to stdout, or into a file that is whole or not there."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Form(StrEnum):
    """Forms of a report or of a comparison."""

    text = "text"
    md = "md"
    latex = "latex"
    csv = "csv"
    parquet = "parquet"
    json = "json"
    html = "html"


OutFile = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write there instead of to stdout.")]


def emit(content: str | bytes, out: Path | None) -> None:
    """Print ``content``, or write it into ``out``; raise :class:`~audit.errors.UserError` for bytes on a terminal."""
    from audit.errors import UserError
    from reports.model.atomic_write import write_file

    if out is not None:
        write_file(content, out)
        typer.echo(f"Written: {out}", err=True)
    elif isinstance(content, str):
        typer.echo(content, nl=not content.endswith("\n"))
    else:
        raise UserError("a Parquet file is nothing to print", "say where it goes: --out findings.parquet")
