"""Ids of several cases as numbers: different cases have different ones, in the order of the ids."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.input.case import Case, Ids, Predictions, Train, Truth
from recsys_metric_audit.reference.placement.joined_ids import JoinedIds, index_in


def _case(rec: list[int], truth: list[int], train: list[int]) -> Case:
    def column(items: list[int]) -> tuple[Ids, Ids]:
        return np.ones(len(items), dtype=np.int64), np.array(items, dtype=np.int64)

    return Case(
        "some items", Predictions(*column(rec), np.full(len(rec), 0.5)), Truth(*column(truth), np.ones(len(truth))),
        Train(*column(train)),
    )  # fmt: skip


NOTHING = np.empty(0, dtype=np.int64)


def test_ids_of_different_cases_are_different_numbers_in_the_order_of_the_ids() -> None:
    # All ids in order are -3, 5, 7, 9: case 0 has the numbers 0 to 3, case 1 the numbers 4 to 7.
    joined = JoinedIds.of([_case([7, -3], [5], []), _case([7], [9, 7], [-3])], "item", NOTHING)
    assert joined.predictions.tolist() == [2, 0, 6]
    assert joined.truth.tolist() == [1, 7, 6]
    assert joined.train.tolist() == [4]
    assert joined.case(joined.truth).tolist() == [0, 1, 1]
    assert joined.number(np.array([1, 0]), np.array([5, 9])).tolist() == [5, 3]


def test_distinct_ids_are_counted_in_each_case() -> None:
    joined = JoinedIds.of([_case([7, 7], [7, 5], []), _case([], [], []), _case([7], [], [8])], "item", NOTHING)
    assert joined.count(joined.predictions).tolist() == [1, 0, 1]
    assert joined.count(joined.predictions, joined.truth, joined.train).tolist() == [2, 0, 2]


def test_a_single_case_keeps_its_ids() -> None:
    joined = JoinedIds.of([_case([7, -3], [5], [10**15])], "item", NOTHING)
    assert joined.predictions.tolist() == [7, -3]
    assert joined.train.tolist() == [10**15]
    assert joined.count(joined.predictions, joined.truth).tolist() == [3]


def test_further_ids_can_be_looked_up() -> None:
    joined = JoinedIds.of([_case([7], [], []), _case([9], [], [])], "item", np.array([8]))
    assert joined.number(np.array([1]), np.array([8])).tolist() == [4]  # 7, 8, 9 are 0 to 2 and 3 to 5


def test_what_is_not_there_has_no_index() -> None:
    assert index_in(np.array([-5, 2, 4]), np.array([4, -1, -5, 9, 2])).tolist() == [2, -1, 0, -1, 1]
    assert index_in(NOTHING, np.array([-1, 0])).tolist() == [-1, -1]
