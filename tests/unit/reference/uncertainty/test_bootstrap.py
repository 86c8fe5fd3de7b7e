"""Bootstrap intervals: exact distributions of few users, and agreement with a plain loop over drawn users."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from recsys_metric_audit import evaluate
from recsys_metric_audit.reference.uncertainty.bootstrap import bootstrap_intervals, percentiles
from recsys_metric_audit.reference.uncertainty.drawn_means import weighted_means

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
