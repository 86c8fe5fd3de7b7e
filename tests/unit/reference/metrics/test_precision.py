"""Precision: H over k and over the other denominators."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.observed import are_equal
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.precision_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def test_gains_of_one_are_hits() -> None:
    gains = parse("precision@k|numerator:gains")
    assert are_equal(gains.with_(relevance="equal_1"), parse("precision@k|relevance:equal_1"))
    assert not are_equal(gains.with_(relevance="positive"), parse("precision@k|relevance:positive"))


def test_what_a_rank_counts_does_not_act_on_an_uncut_list() -> None:
    assert are_equal(parse("precision|cutoff:none|positions:negatives_only"), parse("precision|cutoff:none"))
    assert not are_equal(parse("precision@k|positions:negatives_only"), parse("precision@k"))
