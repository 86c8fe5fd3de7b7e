"""Scores in low precision: rounding bit by bit, the expectation over all orders, and what the claims come to."""

from __future__ import annotations

import math
import struct
from itertools import pairwise, permutations

import numpy as np
import pytest

from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from recsys_metric_audit.reports.experiments.rounded_scores import RoundedScores, round_to, rounded_values, tied_in_top
from recsys_metric_audit.reports.experiments.tie_expectation import expected_values
from tests.support import result_samples as samples


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
