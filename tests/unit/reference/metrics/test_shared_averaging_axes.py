"""Averaging over users, and the policies for users in an unusual state, by hand."""

from __future__ import annotations

from tests.support.hand_computed.averaging_rows import ROWS
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)
