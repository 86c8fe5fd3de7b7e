"""Registry of output formats: names of ``--format`` to the functions that render them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.model.result_file import result_json
from recsys_metric_audit.reports.paper.then_and_now import COLUMNS, then_and_now, tidy_then_and_now
from recsys_metric_audit.reports.renderers import (
    comparison_formats,
    data_files,
    findings_page,
    html,
    latex,
    markdown,
    terminal,
)
from recsys_metric_audit.reports.tables.comparison import Comparison
from recsys_metric_audit.reports.tables.table import Table
from recsys_metric_audit.reports.tables.tidy_rows import TIDY_COLUMNS, tidy_rows
from recsys_metric_audit.reports.wording.library_groups import ALL_GROUPS

TABLE_FORMATS: Mapping[str, Callable[[Result, str | None], str]] = {
    "text": terminal.render_report,
    "md": markdown.render_report,
    "latex": latex.render_report,
}
"""Formats of a report that show the tables of one group of libraries, or of all."""

REPORT_FORMATS: Mapping[str, Callable[[Result], str | bytes]] = {
    "text": lambda result: terminal.render_report(result, ALL_GROUPS),
    "md": markdown.render_report,
    "latex": latex.render_report,
    "csv": lambda result: data_files.as_csv(TIDY_COLUMNS, tidy_rows(result)),
    "parquet": data_files.findings_parquet,
    "json": result_json,
    "html": html.render_report,
    "contradictions": findings_page.render_contradictions,
    "findings": findings_page.render_findings,
}
"""All formats of a report; those with tables show all libraries."""

COMPARISON_FORMATS: Mapping[str, Callable[[Comparison], str | bytes]] = {
    "text": comparison_formats.as_text,
    "md": comparison_formats.as_markdown,
    "latex": comparison_formats.as_latex,
    "csv": comparison_formats.as_csv,
    "parquet": comparison_formats.as_parquet,
    "json": comparison_formats.as_json,
    "html": comparison_formats.as_html,
}
"""Formats of a comparison of two results."""

SIDE_BY_SIDE_FORMATS: Mapping[str, Callable[[Result, int], str]] = {
    "text": lambda result, number: terminal.render_table(then_and_now(result, number)),
    "md": lambda result, number: markdown.render_table(then_and_now(result, number)) + "\n",
    "latex": lambda result, number: latex.document([latex.render_table(then_and_now(result, number))]),
    "csv": lambda result, number: data_files.as_csv(COLUMNS, tidy_then_and_now(result, number)),
    "html": lambda result, number: _page(then_and_now(result, number)),
}
"""Names of ``--format`` to functions of a result and the number of a table."""


def _page(table: Table) -> str:
    return html.render_template("then.html", title=f"{table.name}, then and now", table=table)
