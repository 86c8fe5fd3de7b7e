"""Popularity bias between groups of items."""

from __future__ import annotations

from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.popularity_bias_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)
