"""Hit rate: whether there is a hit, and the counts that libraries report in its place."""

from __future__ import annotations

from reference.metrics.hit_rate import simplify
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.hit_rate_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def test_two_copies_of_the_only_relevant_item_are_one_hit() -> None:
    assert simplify({"counts": "only", "truth_duplicates": "r_only"})["truth_duplicates"] == "counted"
    assert simplify({"counts": "hits", "truth_duplicates": "r_only"})["truth_duplicates"] == "r_only"
