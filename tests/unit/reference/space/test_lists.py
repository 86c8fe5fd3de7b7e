"""Places, ratios and sums over them."""

from __future__ import annotations

import weakref

import numpy as np
import pytest

from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.space.lists import (
    Floats,
    Lists,
    Places,
    Ratio,
    cumulated,
    down_to,
    harmonic,
    kept_with_lists,
    rows_above,
)
from tests.support.generated_inputs import many

PLACES = Places(np.array([0, 0, 2]), np.array([1, 4, 2]), np.array([1.0, 3.0, 2.0]), 3)
"""List 0 has hits at ranks 1 and 4, list 1 none, list 2 one at rank 2."""


def test_sums_counts_and_ordinals() -> None:
    assert PLACES.sum(PLACES.gain).tolist() == [4.0, 0.0, 2.0]
    assert PLACES.sum(1.0).tolist() == [2.0, 0.0, 1.0]
    assert PLACES.count.tolist() == [2, 0, 1] and PLACES.ordinal.tolist() == [1, 2, 1]


def test_places_can_be_left_out() -> None:
    near = PLACES.where(PLACES.rank <= 2)
    assert near.rank.tolist() == [1, 2] and near.lists == 3


def test_marked_places_are_counted_down_to_each() -> None:
    assert down_to(PLACES, np.array([True, False, True])).tolist() == [1, 1, 1]


def test_places_of_one_rank_have_the_same_rows_above() -> None:
    """List 0: two places on one row at rank 1, then two rows that share rank 3; list 1: one place."""
    places = Places(np.array([0, 0, 0, 0, 1]), np.array([1, 1, 3, 3, 3]), np.ones(5), 2)
    assert rows_above(places, np.array([True, False, True, True, True])).tolist() == [0, 0, 1, 1, 0]
    assert rows_above(places.where(places.rank > 9), np.array([], dtype=bool)).tolist() == []


def test_a_ratio_without_a_denominator_is_nan() -> None:
    assert Ratio(np.array([1.0, 0.0]), np.array([4.0, 0.0])).value.tolist() == pytest.approx(
        [0.25, np.nan], nan_ok=True
    )
    assert Ratio(np.array([1.0]), np.array([4.0]), root=True).value.tolist() == [0.5]


def test_harmonic_numbers_and_cumulated_terms() -> None:
    assert harmonic(np.array([0, 1, 3])).tolist() == pytest.approx([0, 1, 1 + 1 / 2 + 1 / 3])
    assert cumulated(np.array([0, 2]), np.array([3.0, 4.0, 5.0])).tolist() == [0.0, 7.0]


def test_what_is_kept_with_lists_goes_with_them() -> None:
    asked: list[str] = []

    @kept_with_lists
    def sums(lists: Lists, word: str) -> Floats:
        asked.append(word)
        return lists.listed.sum(1.0)

    lists = Problem.of([many(("101", None))], 2).lists({})
    gone = weakref.ref(lists.listed)
    assert sums(lists, "a") is sums(lists, "a")
    sums(lists, "b")
    assert asked == ["a", "b"]
    del lists
    assert gone() is None
