"""Hold intervals by bootstrap, and comparisons of two runs by pairs."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from recsys_metric_audit import compare, evaluate
from recsys_metric_audit.reference.uncertainty.bootstrap import bootstrap_intervals, percentiles
from recsys_metric_audit.reference.uncertainty.drawn_means import weighted_means
from recsys_metric_audit.reference.uncertainty.paired_comparison import compare_pairs

# Bootstrap intervals: exact distributions of few users, and agreement with a plain loop over drawn users.

RNG = np.random.default_rng(7)
USERS = 40
REC = {"user": np.repeat(np.arange(USERS), 8), "item": np.tile(np.arange(8), USERS), "score": RNG.random(8 * USERS)}
LISTED = RNG.random((USERS, 12)) < 0.3
TRUE = {"user": np.nonzero(LISTED)[0], "item": np.nonzero(LISTED)[1]}
"""Items 8 to 11 are in no list; some users have no relevant item."""
DEFINITIONS = [
    "precision@3", "recall@3|users:both", "precision@3|pooling:pooled", "auc|pooling:weighted|weight:relevant",
    "recall@3|mean:geometric", "recall@3|mean:harmonic", "recall@3|mean:quadratic", "f_score@3|of:means",
]  # fmt: skip


def subset(chosen: np.ndarray) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the data of the users ``chosen``, one after the other, as users 0, 1, ...: a user may come twice."""
    tables = []
    for table in (REC, TRUE):
        rows = [np.flatnonzero(table["user"] == user) for user in chosen]
        user = np.repeat(np.arange(len(chosen)), [len(each) for each in rows])
        tables.append({name: column[np.concatenate(rows)] for name, column in table.items()} | {"user": user})
    return tables[0], tables[1]


@pytest.mark.parametrize("signature", DEFINITIONS)
def test_the_mean_of_drawn_users_is_that_of_their_data(signature: str) -> None:
    (values,) = evaluate(REC, TRUE, 3, [signature]).values()
    assert values.terms is not None
    for seed in range(4):
        chosen = np.sort(np.random.default_rng(seed).integers(0, USERS, size=USERS))
        weights = np.bincount(chosen, minlength=USERS).astype(float)[None]
        (expected,) = evaluate(*subset(chosen), 3, [signature]).values()
        assert weighted_means(values.terms, weights)[0] == pytest.approx(expected.mean, rel=1e-12)


def test_the_interval_of_three_users_is_that_of_all_27_samples() -> None:
    rec = {"user": [1, 2, 3], "item": [1, 1, 1], "score": [1, 1, 1]}
    (values,) = evaluate(rec, {"user": [1, 2, 3], "item": [1, 1, 2]}, 1, ["precision"], interval=0.5).values()
    sums = sorted(sum(each) / 3 for each in itertools.product([1, 1, 0], repeat=3))
    assert values.interval == (pytest.approx(sums[27 // 4]), pytest.approx(sums[3 * 27 // 4]))


def test_the_interval_of_a_mean_of_many_users_is_that_of_the_normal_distribution() -> None:
    hits = np.random.default_rng(1).random(1000) < 0.3
    rec = {"user": np.arange(1000), "item": np.ones(1000, int), "score": np.ones(1000)}
    true = {"user": np.arange(1000), "item": np.where(hits, 1, 2)}
    (values,) = evaluate(rec, true, 1, ["precision"], interval=0.95).values()
    half = 1.96 * math.sqrt(hits.mean() * (1 - hits.mean()) / 1000)
    assert values.interval is not None
    assert values.interval == (
        pytest.approx(hits.mean() - half, abs=0.004),
        pytest.approx(hits.mean() + half, abs=0.004),
    )


def test_one_seed_gives_one_interval_whatever_is_asked_beside() -> None:
    alone = evaluate(REC, TRUE, 3, ["precision"], interval=0.9)["precision@3"].interval
    both = evaluate(REC, TRUE, 3, ["recall", "precision"], interval=0.9)["precision@3"].interval
    other = evaluate(REC, TRUE, 3, ["precision"], interval=0.9, seed=1)["precision@3"].interval
    assert alone == both != other


def test_one_ranking_of_all_rows_has_no_interval() -> None:
    (values,) = evaluate(REC, TRUE, 3, ["auc|scope:stacked"], interval=0.9).values()
    assert values.interval is None and values.terms is None


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0, math.nan])
def test_a_level_is_a_probability(level: float) -> None:
    with pytest.raises(ValueError, match=r"a level is between 0 and 1"):
        evaluate(REC, TRUE, 3, ["precision"], interval=level)


def test_nobody_and_nothing() -> None:
    assert bootstrap_intervals([], 0.95) == []
    assert all(map(math.isnan, percentiles(np.array([np.nan]), 0.9)))
    (values,) = evaluate({"user": [], "item": [], "score": []}, {"user": [], "item": []}, 3, ["precision"],
                         interval=0.9).values()  # fmt: skip
    assert values.interval is not None and all(map(math.isnan, values.interval))


# Paired comparisons: p-values by enumeration of all exchanges in plain Python, users who are in one file only.


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
    (exact,), (drawn,) = compare_pairs([(first, other)]), compare_pairs([(first, other)], exchanges=4000)
    assert exact.exact and exact.differing <= 12
    (fewer,) = compare_pairs([(first, other)], exchanges=2**exact.differing - 1)
    sampled = fewer if drawn.exact else drawn
    assert not sampled.exact
    spread = math.sqrt(exact.p_value * (1 - exact.p_value) / 500)
    assert sampled.p_value == pytest.approx(exact.p_value, abs=4 * spread + 0.002)


def test_all_metrics_see_the_same_samples_and_exchanges() -> None:
    """With one relevant item, precision@5 is a fifth of recall@5 for every user: it is as far beyond chance.

    What a metric gets does not depend on which others are asked.
    """
    rng = np.random.default_rng(8)
    one, two = (lists(rng.integers(1, 11, 200).tolist(), width=10) for _ in range(2))
    found = compare(one, two, truth(200), 5, ["hr", "mrr", "precision", "recall"])
    precision, recall = found["precision"], found["recall"]
    assert precision.p_value == recall.p_value and not recall.exact
    assert precision.interval == pytest.approx([end / 5 for end in recall.interval])
    for name in ("mrr", "recall"):
        (alone,) = compare(one, two, truth(200), 5, [name]).values()
        assert (alone.p_value, alone.interval) == (found[name].p_value, found[name].interval)


def test_the_p_value_of_drawn_exchanges_is_counted_one_by_one() -> None:
    """Compute the difference of means anew for each exchange of whole users: the slow way."""
    rng = np.random.default_rng(4)
    one, two = (rng.integers(1, 6, 40).tolist() for _ in range(2))
    (found,) = compare(lists(one), lists(two), truth(40), 5, ["mrr"]).values()
    gains = [1 / b - 1 / a for a, b in zip(one, two, strict=True)]
    drawn = (sum(g if rng.random() < 0.5 else -g for g in gains) for _ in range(4000))
    share = sum(abs(each) >= abs(sum(gains)) - 1e-9 for each in drawn) / 4000
    assert not found.exact and found.p_value == pytest.approx(share, abs=5 * math.sqrt(0.25 / 4000))


def test_a_geometric_mean_with_a_user_of_0_is_exchanged_as_well() -> None:
    """Reciprocal ranks 0, 1/2, 1/3 and 1, 1, 1/2: of 8 exchanges, one side has the 0 and the mean 0, and the other is
    largest with 1, 1, 1/2 alone, as observed, and with the sides exchanged: 2 of 8."""
    (found,) = compare(lists([9, 2, 3], 9), lists([1, 1, 2], 9), truth(3), 5, ["mrr|mean:geometric"]).values()
    assert (found.first, found.other) == (0, pytest.approx(0.5 ** (1 / 3)))
    assert found.exact and found.p_value == 0.25


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
