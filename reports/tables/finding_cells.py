"""Cells, rows and keys of Tables 1 and 2, made from findings."""

from __future__ import annotations

from collections.abc import Sequence

from reports.model.result import NOT_RECORDED, Finding, Library, Reference
from reports.tables.table import EMPTY, Cell, CellState, KeyEntry, Row
from reports.wording.formatting import one_line, rounded
from reports.wording.labels import STATUS_LABELS, VERDICT_MEANINGS, VERDICT_SIGNS, metric_title
from reports.wording.meanings import meaning
from reports.wording.variant_letters import VariantLetters

_LONGEST_NOTE = 120


def finding_cell(finding: Finding | None, marks: VariantLetters) -> Cell:
    """Return the cell of one finding: its value with its mark, or why it has none; a dash if there is no finding."""
    if finding is None or finding.status == "not_offered":
        return EMPTY
    if finding.verdict is None:
        return Cell(STATUS_LABELS[finding.status], state="broken")
    no_value = "not recorded" if finding.evidence.range.get("data") == NOT_RECORDED else "per user"
    text = no_value if finding.value is None else rounded(finding.value)
    return Cell(text, marks.mark(finding), _state(finding))


def _state(finding: Finding) -> CellState:
    if finding.verdict in VERDICT_SIGNS:
        return "unsure"
    return "canonical" if finding.verdict == "agrees" else "variant"


def reference_row(references: Sequence[Reference | None]) -> Row:
    """Return the row of the canonical values; a dash for each None."""
    cells = tuple(Cell(rounded(reference.value)) if reference else EMPTY for reference in references)
    return Row("Canonical", "reference", cells, kind="reference")


def library_row(entry: Library, cells: tuple[Cell, ...]) -> Row:
    """Return the row of one library version, with a note in place of the cells if it did not run."""
    detail = one_line(entry.version) + ("" if entry.live else " (recorded)") + (" !" if entry.caution else "")
    if entry.status == "audited":
        return Row(one_line(entry.title), detail, cells)
    note = f"{entry.status}: {one_line(entry.reason or '')}"
    short = note if len(note) <= _LONGEST_NOTE else note[: _LONGEST_NOTE - 1] + "…"
    return Row(one_line(entry.title), detail, cells, note=short)


def key_entries(
    findings: Sequence[Finding], metrics: Sequence[str], marks: VariantLetters, k: int
) -> tuple[KeyEntry, ...]:
    """Return the key of a table: its letters by column and letter, then its signs.

    Args:
        findings: The findings whose cells stand in the table.
        metrics: The metrics of its columns, in their order.
        marks: The letters of the run.
        k: The cut-off that is written into the meanings.
    """
    lettered: dict[tuple[int, int, str], KeyEntry] = {}
    signs: dict[str, KeyEntry] = {}
    for finding in findings:
        mark = marks.mark(finding)
        if finding.verdict is not None and finding.verdict in VERDICT_SIGNS:
            signs[mark] = KeyEntry("", mark, VERDICT_MEANINGS[finding.verdict], "")
        elif mark and finding.metric in metrics:
            place = (metrics.index(finding.metric), len(mark), mark)
            signature = meaning(finding).replace("@k", f"@{k}")
            lettered[place] = KeyEntry(metric_title(finding.metric), mark, signature, deviation_kind(finding))
    return (
        *(lettered[place] for place in sorted(lettered)),
        *(signs[sign] for sign in VERDICT_SIGNS.values() if sign in signs),
    )


def deviation_kind(finding: Finding) -> str:
    """Return how an identified finding deviates: its classes, and ``documented nowhere`` for undocumented ones."""
    unknown = ("documented nowhere",) if finding.verdict == "undocumented" else ()
    return ", ".join((*finding.classes, *unknown))
