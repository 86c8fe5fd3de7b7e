"""All forms by the names under which they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reports.compare import Comparison
from reports.forms import comparison, files, html, latex, markdown, text
from reports.result import Result
from reports.rows import COLUMNS, rows
from reports.write import result_text

REPORT: Mapping[str, Callable[[Result], str | bytes]] = {
    "text": text.whole,
    "md": markdown.tables,
    "latex": latex.tables,
    "csv": lambda result: files.as_csv(COLUMNS, rows(result)),
    "parquet": lambda result: files.as_parquet(COLUMNS, rows(result)),
    "json": result_text,
    "html": html.page,
}
"""Forms of a result."""

COMPARISON: Mapping[str, Callable[[Comparison], str | bytes]] = {
    "text": comparison.text,
    "md": comparison.as_markdown,
    "latex": comparison.as_latex,
    "csv": comparison.as_csv,
    "parquet": comparison.as_parquet,
    "json": comparison.as_json,
    "html": comparison.as_html,
}
"""Forms of what changed between two results."""
