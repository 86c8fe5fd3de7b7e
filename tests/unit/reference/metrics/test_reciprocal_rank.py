"""Reciprocal rank: of the first hit and of the other hits."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.observed import are_equal
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.reciprocal_rank_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def test_above_the_first_hit_all_rows_are_irrelevant() -> None:
    assert are_equal(parse("reciprocal_rank@k|positions:negatives_only"), parse("reciprocal_rank@k"))
    of_all = parse("reciprocal_rank@k|ranks:sum")
    assert not are_equal(of_all.with_(positions="negatives_only"), of_all)


def test_where_all_gains_are_one_the_first_hit_is_the_best() -> None:
    best = parse("reciprocal_rank@k|ranks:best_gain")
    assert are_equal(best.with_(relevance="equal_1"), parse("reciprocal_rank@k|relevance:equal_1"))
    assert not are_equal(best.with_(relevance="positive"), parse("reciprocal_rank@k|relevance:positive"))
