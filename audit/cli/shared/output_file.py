"""Writes a command's output to stdout, or into a file that is written whole or not at all."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from recsys_metric_audit.audit.cli.shared.safe_text import say, show


class Format(StrEnum):
    """The formats of a comparison and of a table."""

    text = "text"
    md = "md"
    latex = "latex"
    csv = "csv"
    parquet = "parquet"
    json = "json"
    html = "html"


def write_output(content: str | bytes, out: Path | None) -> None:
    """Print `content`, or write it to the file `out`.

    Raises:
        UserError: if bytes would be printed.
    """
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.reports.model.atomic_write import write_file

    if out is not None:
        write_file(content, out)
        say(f"Written: {out}", err=True)
    elif isinstance(content, str):
        show(content, nl=not content.endswith("\n"))
    else:
        raise UserError("a Parquet file cannot be printed", "name a file: --out findings.parquet")
