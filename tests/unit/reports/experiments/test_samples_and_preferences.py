"""Hold estimates from samples and lexicographic preferences with lists worked out by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from recsys_metric_audit.reports.experiments.recommender_order import LostLabels, TiedUsers, places_of, preferences
from recsys_metric_audit.reports.experiments.sampling import (
    SampledCutoff,
    SampledEstimates,
    _mean_with_interval,
    likely_ranks,
    rank_chances,
    sampled_values,
)
from tests.support import result_samples as samples

# Hold estimates of metrics from sampled ranks, and the cut-off of a sampled hit rate, by hand and by enumeration.


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
    assert "naive 0.0000 ± 0.0000 off (bias +0.0000 ± 0.0000), 100% ± 0% of orders right" in made.lines[0]
    # Items at rank 2 of 5 are often first among two drawn candidates.
    made = run(estimates("bias_variance", "naive"), a=lists(*[2] * 40), b=lists(*[3] * 40))
    assert made.answer is Answer.yes


def test_an_interval_is_of_the_mean_over_draws() -> None:
    """Of 1, 2 and 3 the mean is 2 and the deviation 1, so that the interval is 2 ± 1.96 / sqrt(3)."""
    assert _mean_with_interval(np.array([1.0, 2.0, 3.0])) == pytest.approx((2, 1.1316), abs=1e-4)


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


# Hold the comparison of two lists by the places of all relevant items, by hand.

NEVER = np.iinfo(np.int64).max


def case(*lists: str, missing: int = 0) -> Case:
    """Return a case: for each user the rows as 1 (relevant) or 0, and ``missing`` relevant items that are not listed.

    Relevant items are 1, 2, ... in each user's list and then those that are missing; scores fall.
    """
    rows = [(user, place, letter) for user, text in enumerate(lists) for place, letter in enumerate(text)]
    hits = dict.fromkeys(range(len(lists)), 0)
    listed, truth = [], []
    for user, place, letter in rows:
        hits[user] += letter == "1"
        item = hits[user] if letter == "1" else 100 + place
        listed.append((user, item, float(-place)))
        truth += [(user, item)] if letter == "1" else []
    truth += [(user, hits[user] + more) for user in hits for more in range(1, missing + 1)]
    columns, (who, wanted) = [np.array(each) for each in zip(*listed, strict=True)], np.array(truth).T
    return Case("lists", Predictions(*columns), Truth(who, wanted, np.ones(len(who))))


def test_places_of_relevant_items() -> None:
    assert places_of(case("0101", "1000", missing=1)) == {0: (2, 4, NEVER), 1: (1, NEVER)}
    given = case("10")
    turned = Case("turned", Predictions(np.zeros(2, int), given.predictions.item, np.array([1.0, 2.0])), given.truth)
    assert places_of(turned) == {0: (2,)}


def test_the_first_or_the_last_difference_decides() -> None:
    one, other = {0: (1, 5), 1: (2, 3), 2: (1, 2)}, {0: (1, 4), 1: (2, 3), 2: (2, 1)}
    assert preferences(one, other, "first") == {0: -1, 1: 0, 2: 1}
    crossed = ({0: (1, 9)}, {0: (2, 8)})
    assert preferences(*crossed, begin="first") == {0: 1} and preferences(*crossed, begin="last") == {0: -1}


A, B = case("1001", "0100", "0110"), case("1010", "0100", "1100")
"""Two recommenders: reciprocal rank ties for users 0 and 1, and prefers B for user 2."""


def run_lexicographic(experiment: TiedUsers | LostLabels, **cases: Case) -> Outcome:
    return experiment.run(Bench(samples.result(), lambda dataset, name: cases[name]))


def tied(**changes: object) -> TiedUsers:
    given = {"kind": "tied_users", "metric": "reciprocal_rank", "cutoffs": [4], "datasets": ["any"],
             "recommenders": ["a", "b"]}  # fmt: skip
    return TiedUsers.model_validate(given | changes)


def test_places_tell_a_tie_of_reciprocal_rank_apart() -> None:
    made = run_lexicographic(tied(), a=A, b=B)
    assert made.answer is Answer.yes
    assert made.lines == (
        "a and b on any: reciprocal_rank@4 ties for 2 of 3 users, lexicographic precision for 1, and turns 0 "
        "preferences round",
    )
    assert made.reason.startswith("of all comparisons of a user's two lists the metric ties in 66.7%, lexicographic ")


def test_a_metric_that_places_contradict_or_that_ties_no_more() -> None:
    assert run_lexicographic(tied(), a=A, b=A).answer is Answer.no
    # The sum of reciprocal ranks prefers 2, 3, 4 to 1.
    sums = tied(metric="reciprocal_rank|ranks:sum")
    made = run_lexicographic(sums, a=case("0111", "1000"), b=case("1000", "1000", missing=2))
    assert made.answer is Answer.no and "turns 1 preferences round" in made.reason


def lost(share: float) -> LostLabels:
    return LostLabels.model_validate(
        {"kind": "lost_labels", "metrics": ["recall"], "k": 2, "datasets": ["any"], "recommenders": ["a", "b"],
         "shares": [share], "seeds": 3}
    )  # fmt: skip


def test_recommenders_are_told_apart_or_not() -> None:
    # Of four users, A is better for two by recall@2 and by the last place, and for two alike: 1/2 with a standard
    # error of 1/4 is 2 of these from 0.
    one, other = case("1100", "1100", "1010", "1010"), case("0011", "0011", "1010", "1010")
    made = run_lexicographic(lost(1), a=one, b=other)
    assert made.answer is Answer.no, "no more often than by recall: both always"
    assert made.lines == ("any with 100% of the labels: lexicographic recall 100%, recall@2 100%",)
    # The last places alone differ: 3 before 4; recall@2 is 1/2 for both.
    made = run_lexicographic(lost(1), a=case(*["1010"] * 3), b=case(*["1001"] * 3))
    assert made.answer is Answer.yes
    assert made.lines == ("any with 100% of the labels: lexicographic recall 100%, recall@2 0%",)
    # One user of two each: 0 on average.
    made = run_lexicographic(lost(1), a=case("1100", "0011"), b=case("0011", "1100"))
    assert made.lines == ("any with 100% of the labels: lexicographic recall 0%, recall@2 0%",)
