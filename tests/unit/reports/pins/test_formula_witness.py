"""Finds the smallest lists on which two formulas differ, with both values by hand."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reports.pins.meaning_changes import FormulaWitness, smallest_list


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # One hit in a list of one, k two: 1 / 2 and 1 / min(2, 1).
        ("precision@k", "precision@k|denominator:shown", FormulaWitness((2.0,), (), 2, 1 / 2, 1 / 1)),
        # Two relevant, k one: precision at the hit is 1, over r two and over min(1, 2).
        ("average_precision@k|denominator:r", "average_precision@k", FormulaWitness((2.0, 2.0), (), 1, 1 / 2, 1 / 1)),
        # The only hit stands second: 1 / 2 and nothing.
        ("reciprocal_rank@k", "reciprocal_rank@k|ranks:top_only", FormulaWitness((0.0, 2.0), (), 2, 1 / 2, 0.0)),
        # Only where a relevant item is not listed is the ideal of what is shown another: 1 and 1 / (1 + 1 / log2(3)).
        ("ndcg@k|ideal:shown", "ndcg@k", FormulaWitness((2.0,), (2.0,), 2, 1.0, 1 / (1 + 1 / math.log2(3)))),
    ],
)
def test_smallest_lists(old: str, new: str, expected: FormulaWitness) -> None:
    found = smallest_list(old, new)
    assert found is not None
    assert (found.ranked, found.missed, found.k) == (expected.ranked, expected.missed, expected.k)
    assert (found.old, found.new) == pytest.approx((expected.old, expected.new))


def test_gains_are_told_apart_on_lists_with_several() -> None:
    found = smallest_list("ndcg@k|gain:linear", "ndcg@k|gain:exp2")
    assert found is not None and len({*found.ranked, *found.missed} - {0.0}) > 1


def test_where_every_item_is_listed_none_is_missing() -> None:
    ideals = "ndcg@k|gain:linear|ideal:rows", "ndcg@k|gain:linear"
    found = smallest_list(*ideals)
    assert found is not None and found.missed
    assert smallest_list(*ideals, every_item_listed=True) is None


@pytest.mark.parametrize(
    ("old", "new"), [("recall@k", "recall@k"), ("auc|scope:stacked", "auc"), ("ndcg|no:axis", "ndcg")]
)
def test_none_is_made_up(old: str, new: str) -> None:
    assert smallest_list(old, new) is None
