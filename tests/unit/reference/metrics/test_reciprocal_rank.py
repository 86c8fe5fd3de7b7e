"""Reciprocal rank: of the first hit and of the other hits."""

from __future__ import annotations

from reference.metrics.reciprocal_rank import simplify
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.reciprocal_rank_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def test_above_the_first_hit_all_rows_are_irrelevant() -> None:
    assert simplify({"ranks": "first", "positions": "negatives_only"})["positions"] == "list"
    assert simplify({"ranks": "sum", "positions": "negatives_only"})["positions"] == "negatives_only"


def test_where_all_gains_are_one_the_first_hit_is_the_best() -> None:
    assert simplify({"ranks": "best_gain", "relevance": "equal_1"})["ranks"] == "first"
    assert simplify({"ranks": "best_gain", "relevance": "positive"})["ranks"] == "best_gain"
