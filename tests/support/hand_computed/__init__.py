"""Values worked out by hand: a table for each file of reference/metrics, and two for the axes that all share."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from tests.support.hand_computed.shorthand import Row

TABLES = sorted(file.stem for file in Path(__file__).parent.glob("*_rows.py"))
ALL_ROWS: tuple[Row, ...] = tuple(row for name in TABLES for row in import_module(f"{__name__}.{name}").ROWS)
