"""Sampled metrics in exact expectation: against going through all draws, and what the claims come to."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from recsys_metric_audit.reports.experiments.sampled_metrics import SampledAuc, SampledOrder
from recsys_metric_audit.reports.experiments.sampled_ranks import full_mean, ranked_items, sampled_mean
from tests.support import result_samples as samples

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


def run(experiment: SampledOrder | SampledAuc) -> Outcome:
    return experiment.run(Bench(samples.result(), lambda dataset, name: {"a": A, "b": B}[name]))


def order(**changes: object) -> SampledOrder:
    given = {"kind": "sampled_order", "datasets": ["any"], "recommenders": ["a", "b"], "metrics": ["recall"],
             "cutoffs": [1], "negatives": [1], "samplings": ["uniform"]}  # fmt: skip
    return SampledOrder.model_validate(given | changes)


def test_an_order_that_sampling_inverts() -> None:
    # recall@1 is 0 and 1/2 among all; with one candidate it is 4/7 for A and (1 + 0) / 2 for B.
    made = run(order())
    assert made.answer is Answer.yes and "1 of 1 drawn uniformly" in made.reason
    assert f"b before a (0.5000, 0.0000), then behind it (0.5000, {4 / 7:.4f})" in made.lines[0]
    assert run(order(negatives=[3])).answer is Answer.no, "(4/7)^3 is below 1/2 again"
    assert run(order(against="sizes", negatives=[1, 3])).answer is Answer.yes
    assert run(order(against="sizes", negatives=[3, 4])).answer is Answer.no


def test_claims_on_both_ways_of_drawing_need_both() -> None:
    assert run(order(samplings=["uniform", "popularity"])).answer is Answer.yes


def area(auc: str) -> SampledAuc:
    return SampledAuc.model_validate(
        {"kind": "sampled_auc", "auc": auc, "datasets": ["any"], "recommenders": ["a", "b"], "cutoffs": [1, 2],
         "metrics": list(VALUES)}
    )  # fmt: skip


def test_with_one_candidate_metrics_are_auc() -> None:
    made = run(area("auc"))
    assert made.answer is Answer.yes and len(made.lines) == 2 * 2 * 3
    assert made.lines[0].startswith(f"recall@1 of a on any with one candidate: {4 / 7:.6f}, 0.0000 + 1.0000 × AUC")
    assert run(area("auc|negatives:plus_one")).answer is Answer.no
