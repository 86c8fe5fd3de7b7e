"""Ranks of relevant rows under each rule for equal scores, on one list counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.reference.placement.place import place
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError, pair_starts, tie_ranks
from tests.support.generated_inputs import make

CASE = make([(1, 50, 9.0), (1, 9, 5.0), (1, 10, 5.0), (1, 8, 5.0)], [(1, 10, 1.0)])
"""Item 50 on top; items 9, 10, 8 tie at ranks 2 to 4, in that order as given; item 10 is relevant."""


def ranks(ties: str, order: str = "score") -> list[int]:
    placement = place(CASE)
    return tie_ranks(placement, np.flatnonzero(placement.row >= 0), {"order": order, "ties": ties})[2].tolist()


@pytest.mark.parametrize(
    ("rule", "rank"),
    [
        ("given", 3), ("reversed", 3), ("item_asc", 4), ("item_desc", 2), ("text_asc", 2), ("text_desc", 4),
        ("best", 2), ("worst", 4), ("shared", 2),
    ],
)  # fmt: skip
def test_each_rule_ranks_the_relevant_item(rule: str, rank: int) -> None:
    """As text "10" < "8" < "9"."""
    assert ranks(rule) == [rank]


def test_averaged_ties_make_a_list_of_every_rank() -> None:
    assert ranks("average") == [2, 3, 4]


def test_rows_as_ranking_have_no_ties() -> None:
    assert ranks("best", order="rows") == [3]


def test_too_many_orders_are_refused() -> None:
    rows = [(1, item, 1.0) for item in range(8)]
    placement = place(make(rows, [(1, item, 1.0) for item in range(8)]))
    with pytest.raises(TooManyOrdersError, match="40,320 orders"):  # 8!
        tie_ranks(placement, np.flatnonzero(placement.row >= 0), {"order": "score", "ties": "average"})


def test_orders_whose_number_has_thousands_of_digits_are_refused_in_words() -> None:
    rows = [(1, item, 1.0) for item in range(2000)]
    placement = place(make(rows, [(1, item, 1.0) for item in range(2000)]))
    with pytest.raises(TooManyOrdersError, match="at least 1,000,000,000,000,000 orders"):
        tie_ranks(placement, np.flatnonzero(placement.row >= 0), {"order": "score", "ties": "average"})


def test_pairs_start_where_they_differ_from_the_one_before() -> None:
    first, second = np.array([1, 1, 1, 2]), np.array([5, 5, 6, 6])
    assert pair_starts(first, second).tolist() == [True, False, True, True]
