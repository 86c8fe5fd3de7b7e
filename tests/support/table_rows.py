"""Reading rows of tables in tests."""

from __future__ import annotations

from recsys_metric_audit.reports.tables.table import Table


def row_texts(table: Table, label: str) -> list[str]:
    """Return the texts of the row with ``label``, each with its mark."""
    found = next(row for row in table.rows if row.label == label)
    return [cell.text + cell.mark for cell in found.cells]
