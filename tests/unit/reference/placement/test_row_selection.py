"""The rows that a definition ranks: copies, candidates, users of one ranking, targets."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.placement.row_selection import RowSelection, relevant_gains
from tests.support.generated_inputs import make

CASE = make(
    [(1, 10, 3.0), (1, 11, 2.0), (2, 10, 1.0), (3, 12, 1.0)],
    [(1, 10, 1.0), (2, 11, 5.0), (4, 12, 1.0)],
    [(1, 11), (3, 12)],
)
"""Users 1 and 2 have rows and truth, 3 rows only, 4 truth only; 11 and 12 are in the train data of 1 and 3."""


@pytest.mark.parametrize(
    ("rule", "relevant"),
    [("every_row", [1, 1, 1, 1]), ("positive", [0, 1, 1, 1]), ("at_least_t", [0, 0, 1, 1]), ("above_t", [0, 0, 0, 1]),
     ("equal_1", [0, 1, 0, 0]), ("2", [0, 0, 1, 1]), ("above_2", [0, 0, 0, 1]), ("above_0.5", [0, 1, 1, 1])],
)  # fmt: skip
def test_relevance_of_gains(rule: str, relevant: list[int]) -> None:
    assert relevant_gains(np.array([0.0, 1.0, 2.0, 3.0]), 2.0, rule).tolist() == [bool(each) for each in relevant]


def test_nothing_selected_leaves_the_rows() -> None:
    assert RowSelection.of({"candidates": "all"}, stacked=False) == RowSelection()


@pytest.mark.parametrize(("candidates", "items"), [("test_only", [10]), ("without_train", [10, 10])])
def test_candidates(candidates: str, items: list[int]) -> None:
    made = RowSelection(candidates=candidates).applied_to(CASE)
    assert made.predictions.item.tolist() == items
    assert made.users.tolist() == [1, 2, 3, 4] and made.catalogue.tolist() == [10, 11, 12]


@pytest.mark.parametrize(
    ("users", "left"), [("all", [1, 2, 3, 4]), ("truth", [1, 2, 4]), ("both", [1, 2]), ("predictions", [1, 2, 3])]
)
def test_users_of_one_ranking(users: str, left: list[int]) -> None:
    selection = RowSelection(users=users, relevance="every_row")
    assert selection.applied_to(CASE).users.tolist() == left
    assert selection.drops_users(CASE, np.array([1, 2, 3, 4])) == (users != "all")


def test_a_ranking_of_nobody_keeps_an_empty_user() -> None:
    made = RowSelection(users="both", relevance="above_t").applied_to(make([(1, 10, 1.0)], [(2, 10, 1.0)]))
    assert made.users.tolist() == [1] and not len(made.predictions.user)


def test_rated_pairs_get_targets_of_0_and_1() -> None:
    case = make([(1, 10, 1.0)], [(1, 10, 0.5), (1, 11, 2.0)], threshold=1.0)
    made = RowSelection(pairs="rated_0_1", relevance="at_least_t").applied_to(case)
    assert made.truth.gain.tolist() == [0.0, 1.0]


def test_all_rows_get_targets_of_0_and_1() -> None:
    made = RowSelection(pairs="all_0_1", relevance="every_row").applied_to(CASE)
    assert list(zip(made.truth.user.tolist(), made.truth.item.tolist(), made.truth.gain.tolist(), strict=True)) == [
        (1, 10, 1.0), (1, 11, 0.0), (2, 10, 0.0), (3, 12, 0.0),
    ]  # fmt: skip
