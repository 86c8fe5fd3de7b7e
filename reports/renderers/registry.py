"""All forms by the names under which they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reports.model.result import Result
from reports.renderers import comparison_forms, html, latex, markdown, text, tidy_files
from reports.renderers.report_folder import result_text
from reports.tables.comparison import Comparison
from reports.tables.tidy_rows import COLUMNS, rows

REPORT: Mapping[str, Callable[[Result], str | bytes]] = {
    "text": text.whole,
    "md": markdown.tables,
    "latex": latex.tables,
    "csv": lambda result: tidy_files.as_csv(COLUMNS, rows(result)),
    "parquet": lambda result: tidy_files.as_parquet(COLUMNS, rows(result)),
    "json": result_text,
    "html": html.page,
}
"""Forms of a result."""

COMPARISON: Mapping[str, Callable[[Comparison], str | bytes]] = {
    "text": comparison_forms.text,
    "md": comparison_forms.as_markdown,
    "latex": comparison_forms.as_latex,
    "csv": comparison_forms.as_csv,
    "parquet": comparison_forms.as_parquet,
    "json": comparison_forms.as_json,
    "html": comparison_forms.as_html,
}
"""Forms of what changed between two results."""
