"""Output formats of Table 1 or 2 with the paper's values beside those of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reports.model.result import Result
from reports.paper.then_and_now import then_and_now
from reports.paper.then_and_now_rows import COLUMNS, tidy_then_and_now
from reports.renderers import data_files, html, latex, markdown, terminal
from reports.tables.table import Table

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
