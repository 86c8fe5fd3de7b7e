"""Table 2 of the paper: the values of AUC, by the meaning of what each library computes under this name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reports.model.result import Finding, Reference, Result
from reports.tables.finding_cells import finding_cell, key_entries, library_row, reference_row
from reports.tables.table import Cell, Column, Table
from reports.wording.headline_findings import ABSENT, findings_at
from reports.wording.labels import metric_title
from reports.wording.meanings import meaning, open_cutoff
from reports.wording.variant_letters import VariantLetters


def table_2(result: Result, k: int, marks: VariantLetters, several: bool = False) -> Table:
    """Return Table 2 at ``k``: a row per library version that offers an AUC, a column per distinct meaning.

    If a library has several functions that count the same pairs of the same ranking, the first is shown. Functions
    without a known meaning (not identified, or without a value) stand in a last column of their own.

    Args:
        result: The run.
        k: One of its cut-offs.
        marks: The letters of the run.
        several: Write the cut-off into the table's name, because the run has several.
    """
    first = auc_findings(result, k)
    asked = list(first.values())
    canonical = next((row for row in result.reference if row.metric == "auc" and row.k in (k, None)), None)
    columns = _columns(asked, canonical, marks, k)
    rows = [reference_row(_canonical_by_column(canonical, columns))] if canonical else []
    for entry in result.libraries:
        found = [first.get((entry.library, entry.version, key)) for key in columns]
        if any(found):
            rows.append(library_row(entry, tuple(_without_mark(finding_cell(f, marks)) for f in found)))
    return Table(
        name=f"Table 2 (k = {k})" if several else "Table 2",
        caption="AUC, by the meaning of what each library computes under this name.",
        columns=tuple(columns.values()),
        rows=tuple(rows),
        key=key_entries(asked, ["auc"], marks, k),
    )


def auc_findings(result: Result, k: int) -> dict[tuple[str, str, str], Finding]:
    """Return the findings that Table 2 shows at ``k``, by library, version and meaning.

    Of a version's functions that count the same pairs, the first with a mean is taken, or else the first: what they
    do with ties or repeated items is in the report.
    """
    offered = [each for each in findings_at(result, k) if each.metric == "auc" and each.status not in ABSENT]
    first: dict[tuple[str, ...], Finding] = {}
    for finding in sorted(offered, key=lambda each: each.value is None):
        axes = ("scope", "list", "candidates") if meaning(finding) else ()
        pairs = (finding.definition.get(axis, "") for axis in axes)
        first.setdefault((finding.library, finding.version, *pairs), finding)
    return {(each.library, each.version, meaning(each)): each for each in first.values()}


def _columns(
    asked: Sequence[Finding], canonical: Reference | None, marks: VariantLetters, k: int
) -> dict[str, Column]:  # fmt: skip
    """Return the columns by meaning: the canonical one, the others in the order of the run, then the unknown one."""
    columns: dict[str, Column] = {}
    if canonical:
        name = _auc_name(canonical.signature, canonical.definition, k)
        columns[open_cutoff(canonical.signature)] = Column(name, "canonical")
    for finding in asked:
        if finding.signature and meaning(finding) not in ("", *columns):
            name = _auc_name(finding.signature, finding.definition, k)
            columns[meaning(finding)] = Column(name, marks.mark(finding) or "canonical")
    if any(not meaning(finding) for finding in asked):
        columns[""] = Column("unknown")
    return columns


def _auc_name(signature: str, definition: Mapping[str, str], k: int) -> str:
    """Return the paper's name of a meaning: SAUC, GAUC, GAUC@k or LAUC@k; another metric's title if it is no AUC."""
    metric = re.split(r"[@|]", signature, maxsplit=1)[0]
    if metric != "auc":
        return metric_title(metric)
    items = definition.get("list", "full")
    per_user = "LAUC" if items.startswith("limited") else "GAUC"
    name = "SAUC" if definition.get("scope") == "stacked" else per_user
    return name if items == "full" else f"{name}@{k}"


def _canonical_by_column(canonical: Reference, columns: Mapping[str, Column]) -> list[Reference | None]:
    own = open_cutoff(canonical.signature)
    return [canonical if key == own else None for key in columns]


def _without_mark(cell: Cell) -> Cell:
    """Return ``cell`` without its letter and colour, which its column's heading shows already."""
    return replace(cell, mark="", state="canonical") if cell.state == "variant" else cell
