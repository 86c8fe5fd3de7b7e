"""Paired comparisons: p-values by enumeration of all exchanges in plain Python, users who are in one file only."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from recsys_metric_audit import compare, evaluate
from recsys_metric_audit.reference.uncertainty.paired_comparison import compare_pairs


def lists(ranks: list[int], width: int = 5) -> dict[str, list[int]]:
    """Return rows in which user i has the item 0 at ``ranks[i]``."""
    items = [[*range(1, rank), 0, *range(rank, width)] for rank in ranks]
    return {
        "user": [user for user in range(len(ranks)) for _ in range(width)],
        "item": [item for each in items for item in each],
        "score": [-place for _ in ranks for place in range(width)],
    }


def truth(users: int) -> dict[str, list[int]]:
    return {"user": list(range(users)), "item": [0] * users}


def test_the_p_value_is_the_share_of_all_exchanges() -> None:
    one, two = [3, 1, 2, 5, 4, 2], [1, 2, 1, 1, 4, 1]
    gains = [Fraction(1, b) - Fraction(1, a) for a, b in zip(one, two, strict=True)]
    sums = [
        abs(sum(s * g for s, g in zip(signs, gains, strict=True))) for signs in itertools.product((1, -1), repeat=6)
    ]
    expected = Fraction(sum(each >= abs(sum(gains)) for each in sums), 64)
    (found,) = compare(lists(one), lists(two), truth(6), 5, ["reciprocal_rank"]).values()
    assert found.exact and found.p_value == pytest.approx(float(expected), abs=1e-15)
    assert found.difference == pytest.approx(float(sum(gains) / 6))
    assert (found.users, found.differing) == (6, 5)  # the fifth user is the same in both


def test_a_pooled_ratio_is_compared_as_a_ratio_of_sums() -> None:
    # User 0 has 2 relevant items, user 1 has 1. The first recommender hits (2, 0), the other (0, 1).
    true = {"user": [0, 0, 1], "item": [1, 2, 1]}
    first = {"user": [0, 0, 1, 1], "item": [1, 2, 8, 9], "score": [2, 1, 2, 1]}
    other = {"user": [0, 0, 1, 1], "item": [8, 9, 1, 9], "score": [2, 1, 2, 1]}
    (found,) = compare(first, other, true, 2, ["recall|pooling:pooled"]).values()
    assert (found.first, found.other) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    # Differences of the four exchanges: -1/3, 1 (user 0), -1 (user 1), 1/3: all as large as 1/3.
    assert found.p_value == 1.0


def test_many_users_are_tested_on_drawn_exchanges_like_on_all() -> None:
    rng = np.random.default_rng(3)
    one, two = (rng.integers(1, 6, 12).tolist() for _ in range(2))
    first, other = (evaluate(lists(ranks), truth(12), 5, ["mrr"])["reciprocal_rank@5"].terms for ranks in (one, two))
    assert first is not None and other is not None
    exact, drawn = compare_pairs(first, other), compare_pairs(first, other, exchanges=4000)
    assert exact.exact and exact.differing <= 12
    sampled = drawn if not drawn.exact else compare_pairs(first, other, exchanges=2**exact.differing - 1)
    assert not sampled.exact
    spread = math.sqrt(exact.p_value * (1 - exact.p_value) / 500)
    assert sampled.p_value == pytest.approx(exact.p_value, abs=4 * spread + 0.002)


def test_equal_recommenders_differ_in_nothing() -> None:
    (found,) = compare(lists([1, 2, 3]), lists([1, 2, 3]), truth(3), 5, ["ndcg"]).values()
    assert (found.difference, found.interval, found.p_value, found.differing) == (0.0, (0.0, 0.0), 1.0, 0)


def test_users_are_matched_by_id_and_may_be_in_one_file_only() -> None:
    true = {"user": ["ann", "bob"], "item": [0, 0]}
    first = {"user": ["bob", "ann"], "item": [0, 0], "score": [1, 1]}
    other = {"user": ["cyd", "ann"], "item": [0, 0], "score": [1, 1]}
    (found,) = compare(first, other, true, 1, ["precision|users:both"]).values()
    assert (found.first, found.other, found.users) == (1.0, 1.0, 3)
    (found,) = compare(first, other, true, 1, ["precision"]).values()
    assert (found.first, found.other, found.differing) == (1.0, 0.5, 1)


def test_the_interval_of_the_difference_holds_it_and_one_ranking_is_not_compared() -> None:
    rng = np.random.default_rng(5)
    one, two = (rng.integers(1, 6, 300).tolist() for _ in range(2))
    found = compare(lists(one), lists(two), truth(300), 5, ["mrr", "auc|scope:stacked"])
    assert list(found) == ["reciprocal_rank@5"]
    (only,) = found.values()
    differences = np.array([1 / b - 1 / a for a, b in zip(one, two, strict=True)])
    half = 1.96 * differences.std() / math.sqrt(300)
    assert only.interval == (pytest.approx(only.difference - half, abs=0.01),
                             pytest.approx(only.difference + half, abs=0.01))  # fmt: skip
