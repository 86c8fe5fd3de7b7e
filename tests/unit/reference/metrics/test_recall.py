"""Recall: H over r and over the other denominators."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.observed import are_equal
from tests.support.hand_computed.check import assert_row, each_row
from tests.support.hand_computed.recall_rows import ROWS
from tests.support.hand_computed.shorthand import Row


@each_row(ROWS)
def test_values_worked_out_by_hand(row: Row) -> None:
    assert_row(row)


def test_hits_over_hits_do_not_see_what_a_rank_counts() -> None:
    assert are_equal(parse("recall@k|denominator:hits|positions:negatives_only"), parse("recall@k|denominator:hits"))
    assert not are_equal(parse("recall@k|positions:negatives_only"), parse("recall@k"))
