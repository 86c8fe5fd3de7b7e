"""Removal of repeated items: the first or the last copy of the ranking stays."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reference.input.repeated_items import drop_repeats
from tests.support.generated_inputs import make

REC = [(1, 10, 1.0), (1, 11, 2.0), (1, 10, 3.0), (2, 10, 1.0)]
"""User 1 has item 10 twice: first by row with score 1, first by score in the third row."""


@pytest.mark.parametrize(
    ("keep", "by_rows", "scores"),
    [("first", False, [2, 3, 1]), ("last", False, [1, 2, 1]), ("first", True, [1, 2, 1]), ("last", True, [2, 3, 1])],
)
def test_one_copy_stays(keep: str, by_rows: bool, scores: list[float]) -> None:
    assert drop_repeats(make(REC, []), keep=keep, by_rows=by_rows).predictions.score.tolist() == scores


def test_equal_scores_rank_as_given() -> None:
    case = make([(1, 10, 1.0), (1, 11, 1.0), (1, 10, 1.0)], [])
    assert drop_repeats(case, keep="first", by_rows=False).predictions.item.tolist() == [10, 11]
    assert drop_repeats(case, keep="last", by_rows=False).predictions.item.tolist() == [11, 10]


def test_a_case_without_repeats_is_returned_as_it_is() -> None:
    case = make(REC[:2], [])
    assert drop_repeats(case, keep="first", by_rows=False) is case
