"""Tables 1 and 2 then and now: beside each value of a library the one that the paper printed, and what it claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from reference.definitions.definition import parse
from reports.model.result import Finding, Result
from reports.paper import published
from reports.paper.published import TITLES, VERSIONS, K, Published
from reports.tables.paper_tables import paper_tables
from reports.tables.table import EMPTY, Cell, Column, KeyEntry, Row, Table
from reports.tables.table_1 import table_1
from reports.tables.table_2 import table_2
from reports.wording.formatting import one_line
from reports.wording.headline_findings import findings_at, headline_findings
from reports.wording.labels import PAPER_METRICS, metric_title
from reports.wording.meanings import open_cutoff
from reports.wording.variant_letters import assign_letters, letter_sequence

_CAPTION = (
    "In brackets what Tamm, Damdinov & Vasilev (RecSys 2021) printed for this library, on MovieLens-20M, with a "
    "capital letter for the definition that they say it follows; * after a minimal fix of the library. A row marked "
    "(paper) has no value in this audit."
)
_UNSIGNED = "areas of users averaged term by term, in the paper's words (§4.6)"


@dataclass(frozen=True)
class _Paper:
    """The paper's cells of one table, and a capital letter for each variant of a metric that is not canonical."""

    cells: Mapping[tuple[str, str], Published]
    marks: Mapping[tuple[str, str], str]

    def shown(self, library: str, column: str) -> str:
        cell = self.cells.get((library, column))
        if cell is None:
            return ""
        return " ".join(filter(None, (cell.printed, self.marks.get((cell.metric, cell.variant), ""))))

    @property
    def key(self) -> tuple[KeyEntry, ...]:
        return tuple(
            KeyEntry(metric_title(metric), mark, variant or _UNSIGNED, "says the paper")
            for (metric, variant), mark in self.marks.items()
        )


def then_and_now(result: Result, number: int) -> Table:
    """Return the paper's Table 1 or 2 at its cut-off (or the run's first), the paper's values beside those found."""
    k = K if K in result.k else result.k[0]
    return _at(result, (table_1 if number == 1 else table_2)(result, k, assign_letters(result)), number, k)


def every(result: Result) -> tuple[Table, ...]:
    """Return both tables at every cut-off (:func:`reports.tables.paper_tables.paper_tables`).

    Where a library of the paper is in the run at the paper's cut-off alone, the paper's values stand beside it.
    """
    if not any(entry.library in TITLES for entry in result.libraries):
        return paper_tables(result)
    found = paper_tables(result)
    if result.k != (K,):
        return found
    return tuple(_at(result, table, number, K) for number, table in enumerate(found, start=1))


def _at(result: Result, now: Table, number: int, k: int) -> Table:
    return _beside(now, _paper(number), result, [*_columns(now, number)]) if k == K else now


def _paper(number: int) -> _Paper:
    chosen = [each for each in published.published() if each.table == number]
    varied: dict[str, dict[str, None]] = {}
    for each in chosen:
        if not each.variant or parse(each.variant).differs_on:
            varied.setdefault(each.metric, {})[each.variant] = None
    marks = {
        (metric, variant): letter.upper()
        for metric, found in sorted(varied.items(), key=lambda each: PAPER_METRICS.index(each[0]))
        for variant, letter in zip(found, letter_sequence(), strict=False)
    }
    return _Paper({(each.library, each.column): each for each in chosen}, marks)


def _columns(table: Table, number: int) -> list[str]:
    """For each column of the table, the paper's column of its name; else nothing."""
    names = {metric_title(each.metric): each.column for each in published.published() if each.table == 1}
    return [names.get(column.heading, "") if number == 1 else column.heading for column in table.columns]


def _beside(now: Table, paper: _Paper, result: Result, columns: list[str]) -> Table:
    missing = [name for name in dict.fromkeys(column for _, column in paper.cells) if name not in columns]
    added = tuple(Column(metric_title(name) if name in published_metrics() else name, "paper") for name in missing)
    names = {(one_line(entry.title), _version(entry.version)): entry.library for entry in result.libraries}
    libraries = [names.get((row.label, row.detail.split(" ")[0]), "") for row in now.rows]
    rows: list[Row] = []
    notes: list[KeyEntry] = []
    for row, library in zip(now.rows, libraries, strict=True):
        cells = (*(row.cells or (EMPTY,) * len(now.columns)), *(EMPTY,) * len(missing))
        if row.note:
            notes.append(KeyEntry("", "", f"{row.label} {row.detail}: {row.note}", ""))
        rows.append(replace(row, cells=_with(cells, library, paper, [*columns, *missing]), note=""))
    absent = [
        _row(library, paper, [*columns, *missing]) for library in TITLES
        if any(of == library for of, _ in paper.cells) and library not in libraries
    ]  # fmt: skip
    return replace(
        now, caption=f"{now.caption} {_CAPTION}", columns=(*now.columns, *added),
        rows=(*_once(rows, libraries), *absent),
        key=(*now.key, *paper.key, *notes),
    )  # fmt: skip


def published_metrics() -> set[str]:
    """The metrics of Table 1."""
    return {each.column for each in published.published() if each.table == 1}


def _version(version: str) -> str:
    return one_line(version).split(" ")[0]


def _with(cells: Sequence[Cell], library: str, paper: _Paper, columns: Sequence[str]) -> tuple[Cell, ...]:
    """The cells with the paper's values: of several columns of one name, in the first in which the row has a number,
    or else in the first."""
    chosen: dict[str, int] = {}
    for place, (cell, column) in enumerate(zip(cells, columns, strict=True)):
        if column not in chosen or (_is_number(cell) and not _is_number(cells[chosen[column]])):
            chosen[column] = place
    return tuple(
        replace(cell, published=paper.shown(library, column) if chosen[column] == place else "")
        for place, (cell, column) in enumerate(zip(cells, columns, strict=True))
    )


def _is_number(cell: Cell) -> bool:
    try:
        return isfinite(float(cell.text))
    except ValueError:
        return False


def _row(library: str, paper: _Paper, columns: Sequence[str]) -> Row:
    """The row of a library that is in the paper and not in the run."""
    cells = _with((EMPTY,) * len(columns), library, paper, columns)
    return Row(TITLES[library], f"{VERSIONS[library]} (paper)", cells)


def _once(rows: Sequence[Row], libraries: Sequence[str]) -> tuple[Row, ...]:
    """A library's rows say the paper's values once: on that of the paper's version, or else on the first of them."""
    chosen: dict[str, int] = {}
    for number, (row, library) in enumerate(zip(rows, libraries, strict=True)):
        if library not in chosen or row.detail.split(" ")[0] == VERSIONS.get(library):
            chosen[library] = number
    return tuple(
        row if number == chosen[library] else replace(row, cells=tuple(replace(c, published="") for c in row.cells))
        for number, (row, library) in enumerate(zip(rows, libraries, strict=True))
    )


COLUMNS = (
    "library", "version", "function", "k", "metric", "value", "verdict", "signature", "recorded", "paper_column",
    "paper_version", "paper_printed", "paper_value", "paper_variant",
)  # fmt: skip


def tidy(result: Result, number: int) -> list[dict[str, Any]]:
    """Return the same table as one row a library version, metric and cell of the paper, every digit kept."""
    k = K if K in result.k else result.k[0]
    chosen = (
        headline_findings(result, k)
        if number == 1
        else [each for each in findings_at(result, k) if each.metric == "auc"]
    )
    metrics = published_metrics() if number == 1 else {"auc"}
    paper = [each for each in published.published() if each.table == number] if k == K else []
    rows = []
    for finding in chosen:
        if finding.metric in metrics:
            mine = [each for each in paper if (each.library, each.metric) == (finding.library, finding.metric)]
            rows += [_tidy(finding, each) for each in _meant(finding, mine, number)]
    return rows


def _meant(finding: Finding, cells: Sequence[Published], number: int) -> Sequence[Published | None]:
    """The paper's cells beside a finding: in Table 2 the one of its own meaning, where there is one."""
    if number == 1:
        return cells or [None]
    own = finding.definition.get("scope"), finding.definition.get("list")
    alike = [
        each for each in cells
        if each.variant and (parse(each.variant).axes["scope"], parse(each.variant).axes["list"]) == own
    ]  # fmt: skip
    return alike or [None]


def _tidy(finding: Finding, cell: Published | None) -> dict[str, Any]:
    now = {
        "library": finding.library, "version": finding.version, "function": finding.function, "k": finding.k,
        "metric": finding.metric, "value": finding.value, "verdict": finding.verdict or finding.status,
        "signature": open_cutoff(finding.signature) if finding.signature else None, "recorded": not finding.live,
    }  # fmt: skip
    then = {} if cell is None else {
        "paper_column": cell.column, "paper_version": VERSIONS[cell.library], "paper_printed": cell.printed,
        "paper_value": cell.full, "paper_variant": cell.variant,
    }  # fmt: skip
    return dict.fromkeys(COLUMNS) | now | then
