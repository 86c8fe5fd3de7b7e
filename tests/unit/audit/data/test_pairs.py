"""Pairs as single integers: equality, duplicates, distinct ids."""

from __future__ import annotations

import numpy as np
import pytest

from audit.data.pairs import are_among, distinct, first_duplicate, pair_keys


@pytest.mark.parametrize("big", [False, True])
def test_pair_keys_are_equal_exactly_for_equal_pairs(big):
    scale = 2**40 if big else 1  # products beyond int64 are numbered densely first
    left = (np.array([1, 1, 2]) * scale, np.array([5, 6, 5]) * scale)
    right = (np.array([2, 6, 1]) * scale, np.array([5, 1, 6]) * scale)
    first, second = pair_keys([left, right])
    assert (first[:, None] == second[None, :]).tolist() == [
        [False, False, False],
        [False, False, True],
        [True, False, False],
    ]


def test_the_first_duplicate_is_the_earliest_row_that_repeats():
    assert first_duplicate(np.array([4, 9, 7, 9, 4, 4])) == (1, 3)
    assert first_duplicate(np.array([4, 9, 7])) is None
    assert first_duplicate(np.array([], dtype=np.int64)) is None


@pytest.mark.parametrize("scale", [1, 2**50])
def test_distinct_ids_are_those_of_numpy(scale):
    ids = np.random.default_rng(0).integers(0, 40, 300) * np.int64(scale)
    assert distinct(ids).tolist() == sorted(set(ids.tolist()))
    assert distinct(ids[:0]).tolist() == []


@pytest.mark.parametrize("scale", [1, 2**50])
def test_ids_among_others_are_those_of_a_set(scale):
    rng = np.random.default_rng(0)
    ids, others = (rng.integers(0, 40, size) * np.int64(scale) for size in (300, 15))
    assert are_among(ids, others).tolist() == [each in set(others.tolist()) for each in ids.tolist()]
    assert are_among(ids, others[:0]).tolist() == [False] * 300
    assert are_among(ids[:0], others).tolist() == []
