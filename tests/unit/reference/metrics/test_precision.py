"""Precision: H over k and over the other denominators."""

from __future__ import annotations

from reference.metrics.precision import by_hits, gains_of_one
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.precision_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def test_gains_of_one_are_hits() -> None:
    assert gains_of_one({"numerator": "gains", "relevance": "equal_1"})["numerator"] == "hits"
    assert gains_of_one({"numerator": "gains", "relevance": "positive"})["numerator"] == "gains"


def test_what_a_rank_counts_does_not_act_on_an_uncut_list() -> None:
    values = {"numerator": "hits", "positions": "negatives_only"}
    assert by_hits({**values, "cutoff": "none"})["positions"] == "list"
    assert by_hits({**values, "cutoff": "k"})["positions"] == "negatives_only"
