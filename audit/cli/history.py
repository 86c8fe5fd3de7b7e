"""``audit history``: what a library's functions computed in every pinned version."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.shared.library_choice import one_library
from recsys_metric_audit.audit.cli.shared.options import Adapters, Jobs, Timeout
from recsys_metric_audit.audit.cli.shared.safe_text import show


class Format(StrEnum):
    """The formats of a history."""

    text = "text"
    md = "md"
    json = "json"


def history(
    library: Annotated[
        str | None,
        typer.Argument(metavar="[LIBRARY]", help="A library's name, as `audit list` prints it. Default: none."),
    ] = None,
    metric: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only functions called after this metric. Default: all.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
    page: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page on all libraries, from accepted versions. Default: none."),
    ] = None,
    jobs: Jobs = None,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Print what functions computed from version to version.

    Covers every pinned version of a library, and marks the versions in which a definition changed. Accepted versions
    are read from their pins; the others are audited. With --page in place of a library, a page says what changed in
    every library between its accepted versions, and since the paper of 2021.

    \b
    Examples:
      audit history rs_metrics
      audit history rs_metrics --metric average_precision --format md
      audit history --page docs/then-and-now.md
    """
    from recsys_metric_audit.audit.errors import UserError

    if (library is None) == (page is None):
        raise UserError("a history is of one library, or is a page on all", "audit history LIBRARY, or --page FILE")
    if page is not None:
        _write_page(page, adapters)
        return
    assert library is not None
    from recsys_metric_audit.audit.cli.progress.audit_with_progress import audit_with_progress
    from recsys_metric_audit.audit.pins.releases_history import library_history
    from recsys_metric_audit.reports.renderers import history_formats as formats

    found = library_history(
        one_library(adapters, library), metric, lambda chosen: audit_with_progress(chosen, jobs, timeout)
    )
    write = {Format.text: formats.as_text, Format.md: formats.as_markdown, Format.json: formats.as_json}[form]
    show(write(found))


def _write_page(page: Path, adapters: list[Path] | None) -> None:
    from recsys_metric_audit.audit.cli.shared.library_choice import all_libraries
    from recsys_metric_audit.audit.pins.library_changes import library_meanings
    from recsys_metric_audit.reports.model.atomic_write import write_file
    from recsys_metric_audit.reports.model.result_file import packaged_run
    from recsys_metric_audit.reports.writers.history_page import history_page

    libraries = library_meanings(all_libraries(adapters).values())
    write_file(history_page(libraries, packaged_run().result), page)
    show(f"{len(libraries)} libraries in {page}")
