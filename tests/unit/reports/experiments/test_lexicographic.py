"""Hold the comparison of two lists by the places of all relevant items, by hand."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from recsys_metric_audit.reports.experiments.recommender_order import LostLabels, TiedUsers, places_of, preferences
from tests.support import result_samples as samples

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


def run(experiment: TiedUsers | LostLabels, **cases: Case) -> Outcome:
    return experiment.run(Bench(samples.result(), lambda dataset, name: cases[name]))


def tied(**changes: object) -> TiedUsers:
    given = {"kind": "tied_users", "metric": "reciprocal_rank", "cutoffs": [4], "datasets": ["any"],
             "recommenders": ["a", "b"]}  # fmt: skip
    return TiedUsers.model_validate(given | changes)


def test_places_tell_a_tie_of_reciprocal_rank_apart() -> None:
    made = run(tied(), a=A, b=B)
    assert made.answer is Answer.yes
    assert made.lines == (
        "a and b on any: reciprocal_rank@4 ties for 2 of 3 users, lexicographic precision for 1, and turns 0 "
        "preferences round",
    )
    assert made.reason.startswith("of all comparisons of a user's two lists the metric ties in 66.7%, lexicographic ")


def test_a_metric_that_places_contradict_or_that_ties_no_more() -> None:
    assert run(tied(), a=A, b=A).answer is Answer.no
    # The sum of reciprocal ranks prefers 2, 3, 4 to 1.
    sums = tied(metric="reciprocal_rank|ranks:sum")
    made = run(sums, a=case("0111", "1000"), b=case("1000", "1000", missing=2))
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
    made = run(lost(1), a=one, b=other)
    assert made.answer is Answer.no, "no more often than by recall: both always"
    assert made.lines == ("any with 100% of the labels: lexicographic recall 100%, recall@2 100%",)
    # The last places alone differ: 3 before 4; recall@2 is 1/2 for both.
    made = run(lost(1), a=case(*["1010"] * 3), b=case(*["1001"] * 3))
    assert made.answer is Answer.yes
    assert made.lines == ("any with 100% of the labels: lexicographic recall 100%, recall@2 0%",)
    # One user of two each: 0 on average.
    made = run(lost(1), a=case("1100", "0011"), b=case("0011", "1100"))
    assert made.lines == ("any with 100% of the labels: lexicographic recall 0%, recall@2 0%",)
