"""``audit history``: what a library's functions computed in every pinned version."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from audit.cli.shared.library_choice import one_library
from audit.cli.shared.options import Adapters, Jobs, Timeout
from audit.cli.shared.safe_text import show


class Format(StrEnum):
    """The formats of a history."""

    text = "text"
    md = "md"
    json = "json"


def history(
    library: Annotated[str, typer.Argument(metavar="LIBRARY", help="A library's name, as `audit list` prints it.")],
    metric: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only functions called after this metric. Default: all.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
    jobs: Jobs = None,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Print what functions computed from version to version.

    Covers every pinned version of a library, and marks the versions in which a definition changed. Accepted versions
    are read from their pins; the others are audited.

    \b
    Examples:
      audit history rs_metrics
      audit history rs_metrics --metric average_precision --format md
    """
    from audit.cli.progress.audit_with_progress import audit_with_progress
    from audit.pins.releases_history import library_history
    from reports.renderers import history_formats as formats

    found = library_history(
        one_library(adapters, library), metric, lambda chosen: audit_with_progress(chosen, jobs, timeout)
    )
    write = {Format.text: formats.as_text, Format.md: formats.as_markdown, Format.json: formats.as_json}[form]
    show(write(found))
