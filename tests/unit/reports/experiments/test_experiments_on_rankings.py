"""Hold experiments on claims with rankings that are drawn: samples, rounded scores, the order of recommenders."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import comb

import numpy as np
import pytest
from pydantic import ValidationError

from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth
from recsys_metric_audit.reports.experiments import random_rankings
from recsys_metric_audit.reports.experiments.kinds import AnyExperiment
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from recsys_metric_audit.reports.experiments.random_rankings import (
    Moments,
    RandomAveragePrecision,
    divided_by_hits,
    expected_precision_sum,
    offline,
    online,
    precision_sum,
)
from recsys_metric_audit.reports.experiments.recommender_order import Measured, RecommenderOrder, inversions
from recsys_metric_audit.reports.experiments.rounded_scores import (
    RoundedScores,
    expected_values,
    round_to,
    rounded_values,
    tied_in_top,
)
from recsys_metric_audit.reports.experiments.sampling import SampledAuc, full_mean, ranked_items, sampled_mean
from recsys_metric_audit.reports.experiments.small_lists import SmallestInversion
from tests.support import result_samples as samples

# Average precision under random rankings: against going through all rankings in fractions, and by hand.

DENOMINATORS: dict[str, Callable[[int, int, int], int]] = {
    "min": lambda k, r, hits: min(k, r), "r": lambda k, r, hits: r, "k": lambda k, r, hits: k,
    "hits": lambda k, r, hits: max(hits, 1),
}  # fmt: skip


def average_precision(places: set[int], k: int, denominator: str) -> Fraction:
    """Return AP@k of the relevant 1-based ``places``, as its definition says it."""
    hits = [place for place in sorted(places) if place <= k]
    total = sum((Fraction(found, place) for found, place in enumerate(hits, start=1)), Fraction(0))
    return total / DENOMINATORS[denominator](k, len(places), len(hits))


def moments(weighted: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Return mean and variance of pairs of probability and value."""
    mean = sum((weight * value for weight, value in weighted), Fraction(0))
    return mean, sum((weight * (value - mean) ** 2 for weight, value in weighted), Fraction(0))


def all_rankings(items: int, relevant: int, k: int, denominator: str) -> tuple[Fraction, Fraction]:
    one = Fraction(1, comb(items, relevant))
    places = combinations(range(1, items + 1), relevant)
    return moments([(one, average_precision(set(each), k, denominator)) for each in places])


def close(found: Moments, expected: tuple[Fraction, Fraction]) -> bool:
    return (found.mean, found.variance) == pytest.approx([float(each) for each in expected], rel=1e-12)


def test_one_relevant_item_among_three_by_hand() -> None:
    # At k = 2 the sum is 1, 1/2 or 0, each with 1/3: mean 1/2, variance (1 + 1/4) / 3 - 1/4 = 1/6.
    found = precision_sum(2, offline(3, 1))
    assert (found.mean, found.variance) == pytest.approx((1 / 2, 1 / 6))
    # Over the hits it is 1 or 1/2 with a hit: the same here, where there is at most one.
    over_hits = divided_by_hits(2, lambda hits: {1: 2 / 3, 2: 0.0}[hits])
    assert (over_hits.mean, over_hits.variance) == pytest.approx((1 / 2, 1 / 6))


@pytest.mark.parametrize(("items", "relevant", "k"), [(5, 2, 3), (7, 3, 7), (8, 5, 4), (6, 6, 2), (6, 1, 6)])
def test_closed_forms_are_the_moments_over_all_rankings(items: int, relevant: int, k: int) -> None:
    total = precision_sum(k, offline(items, relevant))
    for name, by in (("min", min(k, relevant)), ("r", relevant), ("k", k)):
        assert close(Moments(total.mean / by, total.variance / by**2), all_rankings(items, relevant, k, name))
    law = [comb(relevant, h) * comb(items - relevant, k - h) / comb(items, k) for h in range(k + 1)]
    assert close(divided_by_hits(k, law.__getitem__), all_rankings(items, relevant, k, "hits"))
    assert expected_precision_sum(k, offline(items, relevant)) == pytest.approx(total.mean, rel=1e-12)


def test_places_that_are_relevant_independently() -> None:
    p, k = Fraction(1, 4), 4
    weighted = []
    for shown in product((0, 1), repeat=k):
        weight = p ** sum(shown) * (1 - p) ** (k - sum(shown))
        weighted.append((weight, average_precision({j for j in range(1, k + 1) if shown[j - 1]}, k, "k")))
    total = precision_sum(k, online(float(p)))
    assert close(Moments(total.mean / k, total.variance / k**2), moments(weighted))


@pytest.mark.parametrize("moment", ["mean", "variance"])
@pytest.mark.parametrize("model", ["offline", "online"])
def test_the_reference_gives_the_closed_forms(moment: str, model: str) -> None:
    made = RandomAveragePrecision.model_validate(
        {"kind": "random_average_precision", "moment": moment, "model": model, "probability": 0.2,
         "denominators": ["k", "hits"] if model == "online" else ["min", "r", "k", "hits"],
         "sizes": [{"items": 5, "relevant": 3, "k": 5 if model == "online" else 2}]}
    ).run(Bench(samples.result()))  # fmt: skip
    assert made.answer is Answer.yes and len(made.lines) == (2 if model == "online" else 4)
    if (moment, model) == ("mean", "offline"):
        assert f"over hits: mean {float(all_rankings(5, 3, 2, 'hits')[0]):.6f}, closed form" in made.lines[3]


def test_a_closed_form_that_is_not_met_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_rankings, "offline", lambda items, relevant: online(relevant / items))
    made = RandomAveragePrecision.model_validate(
        {"kind": "random_average_precision", "moment": "mean", "model": "offline", "denominators": ["r"],
         "sizes": [{"items": 5, "relevant": 3, "k": 2}]}
    ).run(Bench(samples.result()))  # fmt: skip
    assert made.answer is Answer.no and "closed form" in made.reason


# Two definitions on the same recommenders: inverted pairs, on data and on the smallest example.

SECOND = 1 / math.log2(3)
"""The discount of rank 2."""


def run(experiment: AnyExperiment, **recommenders: Case) -> Outcome:
    return experiment.run(Bench(samples.result(), lambda dataset, name: recommenders[name]))


def recommended(**hits: str) -> Case:
    """Return a case: for each user the first places as 1 (relevant) or 0, then the number of relevant items."""
    users, items, truth = [], [], []
    for row, text in enumerate(hits.values()):
        places, relevant = text.split("/")
        for item, shown in enumerate(places):
            users.append(row)
            items.append(item)
            if shown == "1":
                truth.append((row, item))
        truth += [(row, 100 + more) for more in range(int(relevant) - places.count("1"))]
    owner, wanted = np.array(truth).T
    scores = -np.array(items, dtype=float)
    return Case(
        "given", Predictions(np.array(users), np.array(items), scores), Truth(owner, wanted, np.ones(len(owner)))
    )


def test_a_pair_is_inverted_if_both_definitions_have_a_preference() -> None:
    def means(**values: float) -> dict[str, Measured]:
        return {name: Measured(value) for name, value in values.items()}

    (found,) = inversions(means(a=0.2, b=0.1, c=0.3), means(a=0.5, b=0.6, c=0.7))
    assert found.words("one", "other") == (
        "one prefers a to b (0.2000, 0.1000), other the other way round (0.5000, 0.6000)"
    )
    assert found.gap == pytest.approx(0.1 / 0.6) and not found.is_clear
    assert inversions(means(a=0.2, b=0.2), means(a=0.1, b=0.6)) == (), "a draw is no preference"


def order(*cutoffs: int, **changes: object) -> RecommenderOrder:
    given = {"kind": "recommender_order", "ways": [{"definition": "ndcg|ideal:none"}, {"definition": "ndcg"}],
             "datasets": ["any"], "recommenders": ["a", "b"], "cutoffs": list(cutoffs)}  # fmt: skip
    return RecommenderOrder.model_validate(given | changes)


def test_the_order_of_two_recommenders_on_data() -> None:
    # a hits the one relevant item of user 1 second; b hits one of the two of user 2 first.
    a, b = recommended(one="01/1", two="00/2"), recommended(one="00/1", two="10/2")
    made = run(order(1, 2), a=a, b=b)
    assert made.answer is Answer.yes_but and made.reason.startswith("1 of 2 comparisons")
    normalised = 1 / (1 + SECOND) / 2
    assert made.lines == (
        f"ndcg@2|ideal:none on any prefers b to a ({1 / 2:.4f}, {SECOND / 2:.4f}), "
        f"ndcg@2 on any the other way round ({normalised:.4f}, {SECOND / 2:.4f})",
    )
    assert "0 of them beyond chance" in made.reason, "of two users, each prefers another"
    assert run(order(1), a=a, b=b).answer is Answer.no
    assert run(order(1, shows="keeps"), a=a, b=b).answer is Answer.yes
    assert run(order(2, shows="keeps"), a=a, b=b).answer is Answer.no
    assert run(order(1, 2, shows="keeps"), a=a, b=b).answer is Answer.in_part


def test_an_inversion_is_beyond_chance_where_most_users_agree() -> None:
    # a hits all of 40 users second, b 28 of them first: 1 against 0.7 hit, and 0.5 against 0.7 of reciprocal rank, with
    # a standard error of 0.072 of either difference.
    a = recommended(**{f"user {n}": "01/1" for n in range(40)})
    b = recommended(**{f"user {n}": "10/1" if n < 28 else "00/1" for n in range(40)})
    made = run(order(2, ways=[{"definition": "hit_rate"}, {"definition": "reciprocal_rank"}]), a=a, b=b)
    assert made.reason.startswith("1 of 1 comparisons of two recommenders are inverted, 1 of them beyond chance")
    assert made.answer is Answer.yes


def test_a_way_that_gives_more() -> None:
    a, b = recommended(one="01/1", two="00/2"), recommended(one="00/1", two="10/2")
    ways = [{"definition": "ndcg"}, {"definition": "ndcg|ideal:none"}]
    made = run(order(2, shows="raises", ways=ways), a=a, b=b)
    assert made.answer is Answer.in_part and made.reason.startswith("1 of 2 values are above the first; b: ")
    assert made.lines[0] == f"a: ndcg@2 on any {SECOND / 2:.4f}, ndcg@2|ideal:none on any {SECOND / 2:.4f}"
    assert run(order(2, shows="raises", ways=ways, recommenders=["b"]), b=b).answer is Answer.yes
    assert run(order(2, shows="raises", ways=ways, recommenders=["a"]), a=a).answer is Answer.no


def test_ways_that_leave_out_what_the_experiment_lacks() -> None:
    with pytest.raises(ValidationError, match="a way without a definition needs metrics"):
        order(1, ways=[{}, {"definition": "ndcg"}])
    with pytest.raises(ValidationError, match="a way without a dataset needs datasets"):
        order(1, datasets=[])
    with pytest.raises(ValidationError, match="halves is no change"):
        order(1, ways=[{"definition": "ndcg"}, {"definition": "ndcg", "changes": ["halves"]}])


def test_data_that_is_not_at_hand_leaves_the_claim_unknown() -> None:
    made = order(1).run(Bench(samples.result()))
    assert made.answer is Answer.unknown and "any with the predictions of a is not at hand" in made.reason


def smallest(**changes: object) -> SmallestInversion:
    given = {"kind": "smallest_inversion", "first": "ndcg|ideal:none", "second": "ndcg", "k": 2}
    return SmallestInversion.model_validate(given | changes)


def test_the_smallest_example_is_one_that_can_be_checked_by_hand() -> None:
    made = run(smallest())
    assert made.answer is Answer.yes
    assert "users with 1 and 2 relevant items" in made.reason
    first = f"prefers A ({1 / 2:.3f}, {SECOND / 2:.3f})"
    second = f"prefers B ({1 / (1 + SECOND) / 2:.3f}, {SECOND / 2:.3f})"
    assert first in made.reason and second in made.reason


def test_an_ideal_of_the_retrieved_hits_falls_with_a_hit_more() -> None:
    """A hit at 1 is worth its ideal, 1; with another at 3 it is (1 + 1/2) / (1 + 1/log2 3), and recall doubles."""
    made = run(smallest(first="ndcg|ideal:retrieved", second="recall", k=3, users=1))
    assert made.answer is Answer.yes
    assert "A puts those of user 1 at 1, B puts those of user 1 at 1 and 3" in made.reason
    assert f"ndcg@3|ideal:retrieved prefers A (1.000, {1.5 / (1 + SECOND):.3f})" in made.reason
    assert "recall@3 prefers B (0.500, 1.000)" in made.reason


def test_the_usual_ideal_does_not_fall() -> None:
    assert run(smallest(first="ndcg", second="recall", k=3, users=1)).answer is Answer.no


@pytest.mark.parametrize("changes", [{"k": 1}, {"relevant": 1, "k": 3, "users": 3}, {"users": 1}])
def test_one_ideal_for_all_users_inverts_nothing(changes: dict[str, int]) -> None:
    assert run(smallest(**changes)).answer is Answer.no


# Scores in low precision: rounding bit by bit, the expectation over all orders, and what the claims come to.


def one_user(scores: list[float], relevant: list[int], unlisted: int = 0) -> Case:
    """Return a case of one user whose item i has the i-th score; ``unlisted`` relevant items are in no row."""
    items = [*relevant, *range(100, 100 + unlisted)]
    return Case(
        "one user", Predictions(np.zeros(len(scores), int), np.arange(len(scores)), np.array(scores)),
        Truth(np.zeros(len(items), int), np.array(items), np.ones(len(items))),
    )  # fmt: skip


def as_bfloat16(value: float) -> float:
    """Return the nearest number with the upper 16 bits of a float32, an even last bit where two are as near."""
    upper = struct.unpack(">H", struct.pack(">f", value)[:2])[0]
    numbers = [(each, struct.unpack(">f", struct.pack(">HH", each, 0))[0]) for each in (upper, upper + 1)]
    single = struct.unpack(">f", struct.pack(">f", value))[0]
    return min(numbers, key=lambda each: (abs(each[1] - single), each[0] % 2))[1]


def test_bfloat16_is_the_nearest_number_with_eight_bits() -> None:
    assert round_to(np.array([1 + 2**-8, 1 + 3 * 2**-8, -0.1, 0.0]), "bfloat16").tolist() == [
        1.0, 1 + 2**-6, -0.10009765625, 0.0
    ]  # fmt: skip
    drawn = np.random.default_rng(1).normal(size=500) * 10.0 ** np.arange(-5, 5).repeat(50)
    assert round_to(drawn, "bfloat16").tolist() == [as_bfloat16(each) for each in drawn.tolist()]


def test_float16_keeps_eleven_bits() -> None:
    assert round_to(np.array([1 + 2**-10, 1 + 2**-11, 1 + 3 * 2**-11]), "float16").tolist() == [
        1 + 2**-10, 1.0, 1 + 2**-9
    ]  # fmt: skip


@pytest.mark.parametrize("metric", ["ndcg", "recall", "precision"])
@pytest.mark.parametrize(
    ("scores", "relevant", "unlisted"),
    [([3, 2, 2, 2, 1], [1, 4], 0), ([1, 1, 1, 1], [0], 1), ([2, 1, 2, 1, 1], [2, 3, 4], 0), ([5, 4, 3], [2], 0)],
)
def test_the_expectation_is_the_mean_over_all_orders(
    metric: str, scores: list[float], relevant: list[int], unlisted: int
) -> None:
    k, r = 3, len(relevant) + unlisted
    values = []
    for order in permutations(range(len(scores))):
        if all(scores[one] >= scores[other] for one, other in pairwise(order)):
            ranks = [rank for rank, item in enumerate(order[:k], start=1) if item in relevant]
            ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, r) + 1))
            gain = {"ndcg": sum(1 / math.log2(rank + 1) for rank in ranks) / ideal,
                    "recall": len(ranks) / r, "precision": len(ranks) / k}  # fmt: skip
            values.append(gain[metric])
    found = expected_values(one_user(list(map(float, scores)), relevant, unlisted), metric, k)  # type: ignore[arg-type]
    assert found == {0: pytest.approx(sum(values) / len(values))}


def test_a_tie_counts_if_it_reaches_into_the_first_places() -> None:
    rows = Predictions(np.array([0, 0, 0, 1, 1, 1]), np.arange(6), np.array([3.0, 2, 2, 1, 1, 0]))
    case = Case("two users", rows, Truth())
    assert [tied_in_top(case, k) for k in (1, 2)] == [(1, 2), (2, 2)]


# In bfloat16 the three best scores are 1: item 2 is relevant and stands third, first or on average at 1/3 everywhere.
CASE = one_user([1.002, 1.001, 1.0, 0.5], [2])


def test_the_range_and_the_rules() -> None:
    found = rounded_values(CASE, "recall", 1, "bfloat16")
    assert (found.full, found.worst, found.best, found.width) == (0.0, 0.0, 1.0, 1.0)
    assert found.expected == pytest.approx(1 / 3)
    assert found.rules == {"item_asc": 0.0, "item_desc": 1.0, "text_asc": 0.0, "text_desc": 1.0}
    assert (found.tied, found.tied_before, found.users) == (1, 0, 1)


def outcome(shows: str, form: str = "bfloat16", **cases: Case) -> Outcome:
    made = RoundedScores.model_validate(
        {"kind": "rounded_scores", "shows": shows, "dataset": "any", "recommenders": list(cases), "metric": "recall",
         "k": 1, "formats": [form]}
    )  # fmt: skip
    return made.run(Bench(samples.result(), lambda dataset, name: cases[name]))


def test_the_answers() -> None:
    assert outcome("ties", a=CASE).answer is Answer.yes
    assert outcome("ties", "float32", a=CASE).answer is Answer.no
    assert outcome("ties", a=CASE, b=one_user([3.0, 2.0], [0])).answer is Answer.in_part
    assert outcome("spread", a=CASE).answer is Answer.yes
    assert outcome("spread", "float32", a=CASE).answer is Answer.no
    # The expectation 1/3 is nearer to 0 than the rules, 1/2 on average.
    assert outcome("expectation", a=CASE).answer is Answer.yes
    # Item 0 is first before rounding: the expectation is 2/3 off, the rules by item 1/2.
    assert outcome("expectation", a=one_user([1.002, 1.001, 1.0], [0])).answer is Answer.no


def test_a_range_below_the_gap_of_recommenders_moves_no_order() -> None:
    users, items = np.repeat(np.arange(4), 3), np.tile(np.arange(3), 4)
    truth = Truth(np.arange(4), np.zeros(4, int), np.ones(4))
    good = Case("good", Predictions(users, items, np.array([1.002, 1.001, 0] + [3.0, 2, 1] * 3)), truth)
    bad = Case("bad", Predictions(users, items, np.tile([1.0, 2, 3], 4)), truth)
    made = outcome("spread", good=good, bad=bad)  # good from 3/4 to 1, bad 0
    assert made.answer is Answer.yes_but and "0.2500, of good" in made.reason and "differ by 1.0000" in made.reason


# Sampled metrics in exact expectation: against going through all draws, and what the claims come to.

Lists = dict[int, str]
"""The ranking of each user: r for a relevant item, a digit for an irrelevant one that so many users had in training."""
LISTS: Lists = {0: "2r14r1", 1: "r3112", 2: "41r2"}
VALUES: dict[str, Callable[[int], float]] = {
    "recall": lambda rank: 1.0, "reciprocal_rank": lambda rank: 1 / rank, "ndcg": lambda rank: 1 / math.log2(rank + 1),
}  # fmt: skip


def case(lists: Lists) -> Case:
    """Return the case of some rankings; each user has other items."""
    users = np.repeat(list(lists), [len(text) for text in lists.values()])
    text = "".join(lists.values())
    items = np.arange(len(text))
    relevant = np.array([letter == "r" for letter in text])
    train = [item for item, letter in enumerate(text) for _ in range(0 if letter == "r" else int(letter))]
    return Case(
        "lists", Predictions(users, items, -items.astype(float)),
        Truth(users[relevant], items[relevant], np.ones(relevant.sum())),
        train=Train(np.zeros(len(train), int), np.array(train, dtype=int)),
    )  # fmt: skip


def by_all_draws(lists: Lists, metric: str, k: int, negatives: int, sampling: str) -> float:
    """Return the mean over relevant items and over all sequences of draws, each with its probability."""
    means = []
    for text in lists.values():
        others = [(place, int(letter)) for place, letter in enumerate(text) if letter != "r"]
        weights = [seen if sampling == "popularity" else 1 for _, seen in others]
        for target in (place for place, letter in enumerate(text) if letter == "r"):
            total = 0.0
            for drawn in product(range(len(others)), repeat=negatives):
                rank = 1 + sum(others[each][0] < target for each in drawn)
                chance = math.prod(weights[each] / sum(weights) for each in drawn)
                total += chance * (VALUES[metric](rank) if rank <= k else 0.0)
            means.append(total)
    return sum(means) / len(means)


@pytest.mark.parametrize("metric", VALUES)
@pytest.mark.parametrize("sampling", ["uniform", "popularity"])
@pytest.mark.parametrize(("k", "negatives"), [(1, 1), (1, 3), (2, 3), (5, 2)])
def test_the_expectation_is_the_mean_over_all_draws(metric: str, sampling: str, k: int, negatives: int) -> None:
    found = sampled_mean(ranked_items(case(LISTS)), metric, k, negatives, sampling)  # type: ignore[arg-type]
    assert found == pytest.approx(by_all_draws(LISTS, metric, k, negatives, sampling), rel=1e-12)


def test_the_ranks_of_relevant_items_among_irrelevant_ones() -> None:
    items = ranked_items(case(LISTS))
    assert items.rank.tolist() == [2, 4, 1, 3]
    assert items.uniform.tolist() == pytest.approx([1 / 4, 3 / 4, 0, 2 / 3])
    assert items.popularity.tolist() == pytest.approx([2 / 8, 7 / 8, 0, 5 / 7])
    assert full_mean(items, "reciprocal_rank", 3) == pytest.approx((1 / 2 + 0 + 1 + 1 / 3) / 4)


def test_what_cannot_be_ranked_is_left_out() -> None:
    assert ranked_items(case({0: "rr", 1: "0r"})).uniform.tolist() == [1.0], "no irrelevant item; none ever seen"


A, B = case(dict.fromkeys(range(2), "111r1111")), case({0: "r1111111", 1: "1111111r"})
"""Two recommenders: A ranks both relevant items fourth, B one first and one last."""


def run_of_sampled_metrics(experiment: AnyExperiment) -> Outcome:
    return experiment.run(Bench(samples.result(), lambda dataset, name: {"a": A, "b": B}[name]))


def order_of_sampled_metrics(*ways: object, **changes: object) -> RecommenderOrder:
    given = {"kind": "recommender_order", "ways": ways, "datasets": ["any"], "recommenders": ["a", "b"],
             "metrics": ["recall"], "cutoffs": [1]}  # fmt: skip
    return RecommenderOrder.model_validate(given | changes)


def test_an_order_that_sampling_inverts() -> None:
    # recall@1 is 0 and 1/2 among all; with one candidate it is 4/7 for A and (1 + 0) / 2 for B.
    full = {"among": "irrelevant"}
    made = run_of_sampled_metrics(order_of_sampled_metrics(full, {"among": 1}))
    assert made.answer is Answer.yes and made.reason.startswith("1 of 1 comparisons of two recommenders are inverted; ")
    assert made.lines == (
        "recall@1 on any among all irrelevant candidates prefers b to a (0.5000, 0.0000), "
        f"recall@1 on any among 1 candidates drawn uniformly the other way round (0.5000, {4 / 7:.4f})",
    )
    assert run_of_sampled_metrics(order_of_sampled_metrics(full, {"among": 3})).answer is Answer.no, (
        "(4/7)^3 is below 1/2 again"
    )
    by_popularity = {"among": 1, "sampling": "popularity"}
    assert run_of_sampled_metrics(order_of_sampled_metrics(full, by_popularity)).answer is Answer.yes
    sizes = [{"among": 3}, {"among": 4}, {"among": 1}]
    assert "1 of 2 comparisons" in run_of_sampled_metrics(order_of_sampled_metrics(*sizes)).reason
    assert "2 of 3 comparisons" in run_of_sampled_metrics(order_of_sampled_metrics(*sizes, each=True)).reason


def area(auc: str) -> SampledAuc:
    return SampledAuc.model_validate(
        {"kind": "sampled_auc", "auc": auc, "datasets": ["any"], "recommenders": ["a", "b"], "cutoffs": [1, 2],
         "metrics": list(VALUES)}
    )  # fmt: skip


def test_with_one_candidate_metrics_are_auc() -> None:
    made = run_of_sampled_metrics(area("auc"))
    assert made.answer is Answer.yes and len(made.lines) == 2 * 2 * 3
    assert made.lines[0].startswith(f"recall@1 of a on any with one candidate: {4 / 7:.6f}, 0.0000 + 1.0000 × AUC")
    assert run_of_sampled_metrics(area("auc|negatives:plus_one")).answer is Answer.no
