"""The report folder: the result file, the HTML page and the tables in Markdown, beside each other."""

from __future__ import annotations

from pathlib import Path

from recsys_metric_audit.reports.model.atomic_write import write_files
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.model.result_file import RESULT_FILE, result_json
from recsys_metric_audit.reports.renderers import html, markdown

FILES = (RESULT_FILE, "index.html", "tables.md")
"""The files of a report."""


def write_report(result: Result, directory: Path) -> tuple[Path, ...]:
    """Write ``audit.json``, ``index.html`` and ``tables.md`` into ``directory`` and return their paths.

    Raises:
        ReportError: if one of them cannot be written; older files of these names are then untouched.
    """
    contents = (result_json(result), html.render_report(result), markdown.render_report(result))
    return write_files(directory, dict(zip(FILES, contents, strict=True)))
