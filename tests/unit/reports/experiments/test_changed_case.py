"""Hold the changes that experiments make to predictions and truth, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth
from recsys_metric_audit.reports.experiments.outcome import DataMissingError
from recsys_metric_audit.reports.experiments.recommender_order import changed, with_codes


def rows_of(case: Case) -> list[tuple[int, int, float]]:
    of = case.predictions
    return list(zip(of.user.tolist(), of.item.tolist(), of.score.tolist(), strict=True))


FOUR = Case(
    "four items",
    Predictions(np.array([0, 0, 0, 0, 1, 1]), np.array([4, 3, 2, 1, 1, 2]), np.array([9, 8, 3, 1, 5, 4.0])),
    Truth(np.array([0, 0, 1]), np.array([1, 2, 2]), np.array([1.0, 1, 1])),
    train=Train(np.array([5, 6, 5, 6, 7]), np.array([3, 3, 1, 1, 4])),
)  # fmt: skip


def test_codes_stand_where_their_items_stood_and_a_label_is_counted_once() -> None:
    made = with_codes(FOUR, {1: 0, 2: 0, 3: 1, 4: 1})
    assert made.predictions.item.tolist() == [1, 1, 0, 0, 0, 0]
    assert list(zip(made.truth.user.tolist(), made.truth.item.tolist(), strict=True)) == [(0, 0), (1, 0)]


def test_alike_items_share_a_code() -> None:
    # Items 1 and 3 were seen by the same two users; 4 by another one and 2 by nobody.
    made = changed(FOUR, ["alike_codes:2"])
    code = dict(zip(FOUR.predictions.item.tolist(), made.predictions.item.tolist(), strict=True))
    assert code[1] == code[3] and code[2] == code[4] and code[1] != code[2]
    with pytest.raises(DataMissingError, match="no train data"):
        changed(replace(FOUR, train=Train()), ["alike_codes:2"])


@pytest.mark.parametrize("seed", [0, 1])
def test_drawn_codes_hold_so_many_items_each(seed: int) -> None:
    made = changed(FOUR, [f"drawn_codes:2:{seed}"])
    pairs = set(zip(FOUR.predictions.item.tolist(), made.predictions.item.tolist(), strict=True))
    assert len(pairs) == 4 and sorted(code for _, code in pairs) == [0, 0, 1, 1]


def test_coarse_scores_and_the_place_of_relevant_items() -> None:
    # User 0: from 1 to 9 in levels of 4; user 1: from 4 to 5.
    assert [score for _, _, score in rows_of(changed(FOUR, ["coarse_scores:2"]))] == [1, 1, 0, 0, 1, 0]
    assert {score for _, _, score in rows_of(changed(FOUR, ["coarse_scores:1"]))} == {0}
    first = rows_of(changed(FOUR, ["relevant_given_first"]))
    assert [(user, item) for user, item, _ in first] == [(0, 2), (0, 1), (0, 4), (0, 3), (1, 2), (1, 1)]
    last = rows_of(changed(FOUR, ["relevant_given_last"]))
    assert [(user, item) for user, item, _ in last] == [(0, 4), (0, 3), (0, 2), (0, 1), (1, 1), (1, 2)]
    shuffled = rows_of(changed(FOUR, ["given_shuffled:1"]))
    assert sorted(shuffled) == sorted(rows_of(FOUR)) and [user for user, _, _ in shuffled] == [0, 0, 0, 0, 1, 1]


def test_lost_labels() -> None:
    assert changed(FOUR, ["labels:1"]).truth.item.tolist() == [1, 2, 2]
    assert changed(FOUR, ["labels:0"]).truth.item.tolist() == []
