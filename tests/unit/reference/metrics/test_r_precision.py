"""R-precision: precision at a cut-off of r."""

from __future__ import annotations

from reference.metrics.r_precision import single_cut
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.r_precision_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def test_min_of_k_and_r_is_one_for_a_single_truth_row_unless_hits_choose_the_users() -> None:
    assert single_cut({"truth": "first", "users": "truth", "undefined": "skip", "no_list": "0"})
    assert single_cut({"users": "one_relevant", "undefined": "skip", "no_list": "0"})
    assert not single_cut({"users": "one_relevant", "undefined": "formula", "no_list": "0"})
    assert not single_cut({"truth": "first", "users": "hits", "undefined": "skip", "no_list": "0"})
