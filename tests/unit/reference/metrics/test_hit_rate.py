"""Hit rate: whether there is a hit, and the counts that libraries report in its place."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.observed import are_equal
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.hit_rate_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def test_two_copies_of_the_only_relevant_item_are_one_hit() -> None:
    assert are_equal(parse("hit_rate@k|counts:only|truth_duplicates:r_only"), parse("hit_rate@k|counts:only"))
    assert not are_equal(parse("hit_rate@k|counts:hits|truth_duplicates:r_only"), parse("hit_rate@k|counts:hits"))
