"""Hold estimates of metrics from sampled ranks, and the cut-off of a sampled hit rate, by hand and by enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from recsys_metric_audit.reports.experiments.sampling import (
    SampledCutoff,
    SampledEstimates,
    likely_ranks,
    rank_chances,
    sampled_values,
)
from tests.support import result_samples as samples


def test_chances_are_those_of_all_sequences_of_draws() -> None:
    found = rank_chances(3, 2)
    for rank in range(1, 5):
        above = [sum(drawn < rank - 1 for drawn in draws) for draws in product(range(3), repeat=2)]
        assert found[rank - 1] == pytest.approx([above.count(each) / 9 for each in range(3)])


HIT = np.array([1.0, 0, 0, 0, 0])
"""The hit rate at 1, by the rank among four candidates."""


def test_the_metric_at_the_sampled_or_at_the_scaled_rank() -> None:
    values = np.array([1.0, 0.5, 0.25, 0.2, 0.1])
    assert sampled_values("naive", values, rank_chances(4, 2)).tolist() == [1.0, 0.5, 0.25]
    assert sampled_values("rank", values, rank_chances(4, 2)).tolist() == [1.0, 0.25, 0.1]


def test_the_least_bias_and_variance_is_a_minimum() -> None:
    """No other value for a sampled rank gives less of what is minimized, computed as it is defined."""
    chances = rank_chances(4, 2)

    def loss(added: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        total = 0.0
        for rank in range(5):
            mean = sum(chances[rank, j] * added[j] for j in range(3))
            variance = sum(chances[rank, j] * (added[j] - mean) ** 2 for j in range(3))
            total += (mean - HIT[rank]) ** 2 + 0.1 * variance
        return float(total)

    found = sampled_values("bias_variance", HIT, chances)
    for place, step in product(range(3), (-0.01, 0.01)):
        assert loss(found) < loss(found + step * np.eye(3)[place])


def test_the_likely_ranks_are_those_that_leave_nothing_to_chance() -> None:
    # One candidate that is always drawn: the sampled rank is the rank.
    found = likely_ranks(np.array([[0.75, 0.25], [0.0, 1.0]]), rank_chances(1, 1))
    assert found == pytest.approx(np.array([[0.75, 0.25], [0.0, 1.0]]))
    # No candidate above in any of two draws from four is likeliest at rank 1.
    assert likely_ranks(np.array([[1.0, 0, 0]]), rank_chances(4, 2))[0] == pytest.approx(HIT, abs=1e-9)


def lists(*ranks: int, rows: int = 5) -> Case:
    """Return a case of users with one relevant item each, item 0, at a rank."""
    item = np.concatenate([np.insert(np.arange(1, rows), rank - 1, 0) for rank in ranks])
    users = np.arange(len(ranks))
    truth = Truth(users, np.zeros(len(ranks), int), np.ones(len(ranks)))
    return Case(
        "ranks", Predictions(np.repeat(users, rows), item, np.tile(-np.arange(rows, dtype=float), len(ranks))), truth
    )


def run(experiment: SampledEstimates | SampledCutoff, **cases: Case) -> Outcome:
    return experiment.run(Bench(samples.result(), lambda dataset, name: cases[name]))


def estimates(estimator: str, *against: str) -> SampledEstimates:
    return SampledEstimates.model_validate(
        {"kind": "sampled_estimates", "estimator": estimator, "against": against, "datasets": ["any"], "seeds": 5,
         "recommenders": ["a", "b"], "metrics": ["hit_rate"], "cutoffs": [1], "negatives": 2}
    )  # fmt: skip


def test_estimates_are_held_against_the_full_ranking() -> None:
    # a is always first, b always last: every draw tells that, and naive estimates are right.
    made = run(estimates("naive", "rank"), a=lists(1, 1, 1), b=lists(5, 5, 5))
    assert made.answer is Answer.no, "none is nearer"
    assert "naive 0.0000 off (bias +0.0000 ± 0.0000), 100% of orders right" in made.lines[0]
    # Items at rank 2 of 5 are often first among two drawn candidates.
    made = run(estimates("bias_variance", "naive"), a=lists(*[2] * 40), b=lists(*[3] * 40))
    assert made.answer is Answer.yes


def cutoff(k: int, negatives: int) -> SampledCutoff:
    return SampledCutoff.model_validate(
        {"kind": "sampled_cutoff", "datasets": ["any"], "recommenders": ["a", "b"], "cutoffs": [k],
         "negatives": [negatives]}
    )  # fmt: skip


def test_the_cutoff_at_which_full_hit_rates_are_nearest() -> None:
    # With one candidate a's items at rank 2 are first with 3/4, b's at 1 and 5 with (1 + 0) / 2: nearest is HR@2 of 1
    # and 1/2. At 1, b is best.
    made = run(cutoff(1, 1), a=lists(2, 2), b=lists(1, 5))
    assert made.answer is Answer.yes
    assert made.lines == (
        "hit_rate@1 among 1 candidates on any is nearest to hit_rate@2, off by up to 0.250; each recommender by "
        "itself: 2, 1; best is a, at f(k) a",
    )
    assert "the best at k itself in 0;" in made.reason


def test_a_cutoff_that_names_another_winner() -> None:
    # Among one candidate: a (2, 2, 2) 3/4, b (1, 1, 5) 2/3. HR@1 is 0 and 2/3, HR@2 to 4 1 and 2/3: off 1/4. With
    # b at (1, 1, 4): (1 + 1 + 1/4) / 3 = 3/4 as a; at (1, 1, 3): 5/6, and HR@2 1 against 2/3.
    made = run(cutoff(1, 1), a=lists(2, 2, 2), b=lists(1, 1, 3))
    assert made.answer is Answer.no and "best is b, at f(k) a" in made.lines[0]
