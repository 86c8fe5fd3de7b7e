"""Tables 1 and 2 of the paper, then and now: its values beside those of an audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import isfinite
from typing import Any

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.paper.published import (
    PAPER_K,
    PAPER_TITLES,
    PAPER_VERSIONS,
    PublishedCell,
    published_cells,
)
from recsys_metric_audit.reports.tables.paper_tables import paper_tables, table_1, table_2
from recsys_metric_audit.reports.tables.table import EMPTY, Cell, Column, KeyEntry, Row, Table
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_contrast
from recsys_metric_audit.reports.wording.labels import PAPER_METRICS, metric_title
from recsys_metric_audit.reports.wording.meanings import findings_at, headline_findings, open_cutoff
from recsys_metric_audit.reports.wording.variant_letters import assign_letters, letter_sequence

_CAPTION = (
    "In brackets what Tamm, Damdinov & Vasilev (RecSys 2021) printed for this library, on MovieLens-20M, with a "
    "capital letter for the definition that they say it follows; * after a minimal fix of the library. A row marked "
    "(paper) has no value in this audit."
)
_UNSIGNED = "areas of users averaged term by term, in the paper's words (§4.6)"


@dataclass(frozen=True)
class _PaperTable:
    """The paper's cells of one table, by library and column.

    ``marks`` has a capital letter for each published variant that is not canonical, by metric and signature.
    """

    cells: Mapping[tuple[str, str], PublishedCell]
    marks: Mapping[tuple[str, str], str]

    def text(self, library: str, column: str) -> str:
        """Return the printed value with its capital letter; empty if the paper has none."""
        cell = self.cells.get((library, column))
        if cell is None:
            return ""
        return " ".join(filter(None, (cell.printed, self.marks.get((cell.metric, cell.variant), ""))))

    @property
    def key(self) -> tuple[KeyEntry, ...]:
        """The meaning of each capital letter."""
        return tuple(
            KeyEntry(
                metric_title(metric),
                mark,
                formula_contrast(metric, variant) if variant else _UNSIGNED,
                "says the paper",
            )
            for (metric, variant), mark in self.marks.items()
        )


def then_and_now(result: Result, number: int) -> Table:
    """Return Table 1 or 2 with the paper's values beside those found.

    Args:
        result: The result of a run.
        number: 1 or 2.

    Returns:
        The table at the paper's cut-off if the run has it, else at the run's first cut-off and without the paper's
        values.
    """
    k = PAPER_K if PAPER_K in result.k else result.k[0]
    return _with_paper(result, (table_1 if number == 1 else table_2)(result, k, assign_letters(result)), number, k)


def tables_then_and_now(result: Result) -> tuple[Table, ...]:
    """Return both tables at every cut-off of the run (:func:`reports.tables.paper_tables.paper_tables`).

    The paper's values stand beside if a library of the paper is in the run and the paper's cut-off is its only one.
    """
    found = paper_tables(result)
    if result.k != (PAPER_K,) or not any(entry.library in PAPER_TITLES for entry in result.libraries):
        return found
    return tuple(_with_paper(result, table, number, PAPER_K) for number, table in enumerate(found, start=1))


def table_1_metrics() -> set[str]:
    """Return the metrics of the paper's Table 1."""
    return {cell.column for cell in published_cells() if cell.table == 1}


def _with_paper(result: Result, found: Table, number: int, k: int) -> Table:
    return _add_paper(found, _paper_table(number), result, _paper_columns(found, number)) if k == PAPER_K else found


def _paper_table(number: int) -> _PaperTable:
    cells = [cell for cell in published_cells() if cell.table == number]
    variants_of: dict[str, dict[str, None]] = {}
    for cell in cells:
        if not cell.variant or parse(cell.variant).differs_on:
            variants_of.setdefault(cell.metric, {})[cell.variant] = None
    marks = {
        (metric, variant): letter.upper()
        for metric, found in sorted(variants_of.items(), key=lambda each: PAPER_METRICS.index(each[0]))
        for variant, letter in zip(found, letter_sequence(), strict=False)
    }
    return _PaperTable({(cell.library, cell.column): cell for cell in cells}, marks)


def _paper_columns(table: Table, number: int) -> list[str]:
    """Return the paper's name of each column of ``table``; empty for a column that the paper does not have."""
    names = {metric_title(cell.metric): cell.column for cell in published_cells() if cell.table == 1}
    return [names.get(column.heading, "") if number == 1 else column.heading for column in table.columns]


def _add_paper(found: Table, paper: _PaperTable, result: Result, columns: list[str]) -> Table:
    """Return ``found`` with the paper's values: in its cells, and in columns and rows that only the paper has."""
    missing = [name for name in dict.fromkeys(column for _, column in paper.cells) if name not in columns]
    added = tuple(Column(metric_title(name) if name in table_1_metrics() else name, "paper") for name in missing)
    names = {(one_line(entry.title), _first_word(entry.version)): entry.library for entry in result.libraries}
    libraries = [names.get((row.label, row.detail.split(" ")[0]), "") for row in found.rows]
    rows: list[Row] = []
    notes: list[KeyEntry] = []
    for row, library in zip(found.rows, libraries, strict=True):
        cells = (*(row.cells or (EMPTY,) * len(found.columns)), *(EMPTY,) * len(missing))
        if row.note:
            notes.append(KeyEntry("", "", f"{row.label} {row.detail}: {row.note}", ""))
        rows.append(replace(row, cells=_add_values(cells, library, paper, [*columns, *missing]), note=""))
    absent = [
        _paper_only_row(library, paper, [*columns, *missing])
        for library in PAPER_TITLES
        if any(of == library for of, _ in paper.cells) and library not in libraries
    ]
    return replace(
        found,
        caption=f"{found.caption} {_CAPTION}",
        columns=(*found.columns, *added),
        rows=(*_keep_once(rows, libraries), *absent),
        key=(*found.key, *paper.key, *notes),
    )


def _first_word(version: str) -> str:
    return one_line(version).split(" ")[0]


def _add_values(cells: Sequence[Cell], library: str, paper: _PaperTable, columns: Sequence[str]) -> tuple[Cell, ...]:
    """Return ``cells`` with the paper's values.

    Of several columns of one name, the value stands in the first in which the row has a number, else in the first.
    """
    chosen: dict[str, int] = {}
    for place, (cell, column) in enumerate(zip(cells, columns, strict=True)):
        if column not in chosen or (_is_number(cell) and not _is_number(cells[chosen[column]])):
            chosen[column] = place
    return tuple(
        replace(cell, published=paper.text(library, column) if chosen[column] == place else "")
        for place, (cell, column) in enumerate(zip(cells, columns, strict=True))
    )


def _is_number(cell: Cell) -> bool:
    try:
        return isfinite(float(cell.text))
    except ValueError:
        return False


def _paper_only_row(library: str, paper: _PaperTable, columns: Sequence[str]) -> Row:
    """Return the row of a library that is in the paper and not in the run."""
    cells = _add_values((EMPTY,) * len(columns), library, paper, columns)
    return Row(PAPER_TITLES[library], f"{PAPER_VERSIONS[library]} (paper)", cells)


def _keep_once(rows: Sequence[Row], libraries: Sequence[str]) -> tuple[Row, ...]:
    """Return ``rows`` with the paper's values in one row of each library: the paper's version, else its first row."""
    chosen: dict[str, int] = {}
    for number, (row, library) in enumerate(zip(rows, libraries, strict=True)):
        if library not in chosen or row.detail.split(" ")[0] == PAPER_VERSIONS.get(library):
            chosen[library] = number
    return tuple(
        row if number == chosen[library] else replace(row, cells=tuple(replace(c, published="") for c in row.cells))
        for number, (row, library) in enumerate(zip(rows, libraries, strict=True))
    )


COLUMNS = (
    "library", "version", "function", "k", "metric", "value", "verdict", "signature", "recorded", "paper_column",
    "paper_version", "paper_printed", "paper_value", "paper_variant",
)  # fmt: skip


def tidy_then_and_now(result: Result, number: int) -> list[dict[str, Any]]:
    """Return Table 1 or 2 with the paper's values as rows with the keys of ``COLUMNS``.

    A finding without a published cell has one row with empty paper columns.
    """
    k = PAPER_K if PAPER_K in result.k else result.k[0]
    chosen = headline_findings(result, k) if number == 1 else findings_at(result, k)
    metrics = table_1_metrics() if number == 1 else {"auc"}
    paper = [cell for cell in published_cells() if cell.table == number] if k == PAPER_K else []
    rows = []
    for finding in chosen:
        if finding.metric in metrics:
            own = [cell for cell in paper if (cell.library, cell.metric) == (finding.library, finding.metric)]
            rows += [_row(finding, cell) for cell in _cells_beside(finding, own, number)]
    return rows


def _cells_beside(finding: Finding, cells: Sequence[PublishedCell], number: int) -> Sequence[PublishedCell | None]:
    """Return the published cells beside a finding: in Table 2 those that claim its scope and its list; or None."""
    if number == 1:
        return cells or [None]
    own = finding.definition.get("scope"), finding.definition.get("list")
    matching = [
        cell
        for cell in cells
        if cell.variant and (parse(cell.variant).axes["scope"], parse(cell.variant).axes["list"]) == own
    ]
    return matching or [None]


def _row(finding: Finding, cell: PublishedCell | None) -> dict[str, Any]:
    signature = open_cutoff(finding.signature) if finding.signature else None
    own = [finding.library, finding.version, finding.function, finding.k, finding.metric, finding.value]
    own += [finding.verdict or finding.status, signature, not finding.live]
    paper = [cell.column, PAPER_VERSIONS[cell.library], cell.printed, cell.full, cell.variant] if cell else []
    return dict(zip_longest(COLUMNS, [*own, *paper]))
