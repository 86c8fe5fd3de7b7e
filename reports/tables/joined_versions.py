"""Rows of one library that hold the same cells, joined into one row that names all their versions."""

from __future__ import annotations

from dataclasses import replace

from recsys_metric_audit.reports.tables.finding_cells import RECORDED
from recsys_metric_audit.reports.tables.table import Row, Table

LONGEST_LABEL = 34
"""Most characters of a joined row's label and versions, with a sign in place of each ``RECORDED``."""


def join_equal_versions(table: Table) -> Table:
    """Return ``table`` with equal rows of one library that follow each other joined: ``RePlay 0.22.0, 0.18.1``.

    Rows with a note, and rows whose label would be longer than ``LONGEST_LABEL``, stay apart.
    """
    rows: list[Row] = []
    for row in table.rows:
        joined = _joined(rows[-1], row) if rows else None
        rows = [*rows[:-1], joined] if joined else [*rows, row]
    return replace(table, rows=tuple(rows))


def _joined(one: Row, other: Row) -> Row | None:
    if (one.kind, one.label, one.cells) != (other.kind, other.label, other.cells) or one.note or other.note:
        return None
    detail = f"{one.detail}, {other.detail}"
    label = f"{one.label} {detail}".replace(RECORDED, "°")
    return replace(one, detail=detail) if len(label) <= LONGEST_LABEL else None
