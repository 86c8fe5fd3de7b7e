"""Two definitions on the same recommenders: inverted pairs, on data and on the smallest example."""

from __future__ import annotations

import math

import numpy as np
import pytest

from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reports.experiments.kinds import AnyExperiment
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from recsys_metric_audit.reports.experiments.recommender_order import RecommenderOrder, inversions
from recsys_metric_audit.reports.experiments.smallest_inversion import SmallestInversion
from tests.support import result_samples as samples

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
    found = inversions({"a": 0.2, "b": 0.1, "c": 0.3}, {"a": 0.5, "b": 0.6, "c": 0.7}, 5)
    assert [(each.better, each.worse, each.k, each.first, each.second) for each in found] == [
        ("a", "b", 5, (0.2, 0.1), (0.5, 0.6))
    ]
    assert inversions({"a": 0.2, "b": 0.2}, {"a": 0.1, "b": 0.6}, 5) == (), "a draw is no preference"


def order(*cutoffs: int, **changes: object) -> RecommenderOrder:
    given = {"kind": "recommender_order", "first": "ndcg|ideal:none", "second": "ndcg", "datasets": ["any"],
             "recommenders": ["a", "b"], "cutoffs": list(cutoffs)}  # fmt: skip
    return RecommenderOrder.model_validate(given | changes)


def test_the_order_of_two_recommenders_on_data() -> None:
    # a hits the one relevant item of user 1 second; b hits one of the two of user 2 first.
    a, b = recommended(one="01/1", two="00/2"), recommended(one="00/1", two="10/2")
    made = run(order(1, 2), a=a, b=b)
    assert made.answer is Answer.yes and made.reason.startswith("1 of 2 comparisons")
    normalised = 1 / (1 + SECOND) / 2
    assert made.lines == (
        f"on any ndcg@2|ideal:none prefers b to a ({1 / 2:.4f}, {SECOND / 2:.4f}), "
        f"ndcg@2 the other way round ({normalised:.4f}, {SECOND / 2:.4f})",
    )
    assert run(order(1), a=a, b=b).answer is Answer.no


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


@pytest.mark.parametrize("changes", [{"k": 1}, {"relevant": 1, "k": 3, "users": 3}, {"users": 1}])
def test_one_ideal_for_all_users_inverts_nothing(changes: dict[str, int]) -> None:
    assert run(smallest(**changes)).answer is Answer.no
