"""Recall: H over r and over the other denominators."""

from __future__ import annotations

from reference.metrics.recall import simplify
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.recall_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def test_hits_over_hits_do_not_see_what_a_rank_counts() -> None:
    values = {"denominator": "hits", "numerator": "hits", "positions": "negatives_only", "cutoff": "k"}
    assert simplify(values)["positions"] == "list"
    assert simplify({**values, "denominator": "r"})["positions"] == "negatives_only"
