"""Interpolated precision."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.shortest import shortest
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.interpolated_precision_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


@pytest.mark.parametrize("needed", ["nearest", "plus_0.9"])
def test_recall_0_half_and_1_need_one_number_of_items_however_it_is_rounded(needed: str) -> None:
    for at in ("0", "0.5", "1.0"):
        rounded = shortest(parse(f"interpolated_precision|at:{at}|needed:{needed}"))
        assert rounded == shortest(parse(f"interpolated_precision|at:{at}"))
    # Of 3 items 1.05 are needed: one, or two if that is rounded up.
    assert shortest(parse(f"interpolated_precision|at:0.35|needed:{needed}")).axes["needed"] == needed


def test_one_relevant_item_is_found_or_not_at_any_recall() -> None:
    one = shortest(parse("interpolated_precision|at:0.3|needed:nearest|users:one_relevant"))
    assert one == shortest(parse("interpolated_precision|users:one_relevant"))
