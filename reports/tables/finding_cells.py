"""Cells and rows of Tables 1 and 2, made from findings."""

from __future__ import annotations

from collections.abc import Sequence

from recsys_metric_audit.reports.model.result import NOT_RECORDED, Finding, Library, Reference
from recsys_metric_audit.reports.tables.table import EMPTY, Cell, CellState, Row
from recsys_metric_audit.reports.wording.formatting import one_line, rounded, shortened
from recsys_metric_audit.reports.wording.labels import PER_USER, STATUS_LABELS, VERDICT_SIGNS
from recsys_metric_audit.reports.wording.shown_values import gives_canonical_value
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters
from recsys_metric_audit.reports.wording.who_counts import reading_marks

RECORDED = " (recorded)"
"""Remark on a version that was replayed from a recording."""

_LONGEST_NOTE = 120


def finding_cell(finding: Finding | None, marks: VariantLetters, canonical: Reference | None) -> Cell:
    """Return the cell of one finding: its value with its marks, or why it has none; a dash if there is no finding.

    Args:
        finding: The finding that is shown.
        marks: The letters of the run.
        canonical: The canonical value of its metric; None if there is none.
    """
    if finding is None or finding.status == "not_offered":
        return EMPTY
    if finding.verdict is None:
        return Cell(STATUS_LABELS[finding.status], state="broken")
    no_value = "not recorded" if finding.evidence.range.get("data") == NOT_RECORDED else PER_USER
    text = no_value if finding.value is None else rounded(finding.value)
    return Cell(text, marks.mark(finding) + reading_marks(finding), _state(finding, canonical))


def _state(finding: Finding, canonical: Reference | None) -> CellState:
    """Return how a cell looks: calm only where the formula is canonical and the number is the canonical one."""
    if finding.verdict in VERDICT_SIGNS:
        return "unsure"
    alike = finding.value is None or canonical is None or gives_canonical_value(finding, canonical)
    return "canonical" if finding.verdict == "agrees" and alike else "variant"


def reference_row(references: Sequence[Reference | None]) -> Row:
    """Return the row of the canonical values; a dash for each None."""
    cells = tuple(Cell(rounded(reference.value)) if reference else EMPTY for reference in references)
    return Row("Canonical", "reference", cells, kind="reference")


def library_row(entry: Library, cells: tuple[Cell, ...]) -> Row:
    """Return the row of one library version, with a note in place of the cells if it did not run."""
    detail = one_line(entry.version) + ("" if entry.live else RECORDED) + (" !" if entry.caution else "")
    if entry.status == "audited":
        return Row(one_line(entry.title), detail, cells)
    note = f"{entry.status}: {one_line(entry.reason or '')}"
    return Row(one_line(entry.title), detail, cells, note=shortened(note, _LONGEST_NOTE))
