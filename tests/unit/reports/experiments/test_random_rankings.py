"""Average precision under random rankings: against going through all rankings in fractions, and by hand."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest

from recsys_metric_audit.reports.experiments import random_rankings
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench
from recsys_metric_audit.reports.experiments.random_rankings import (
    Moments,
    RandomAveragePrecision,
    divided_by_hits,
    expected_precision_sum,
    offline,
    online,
    precision_sum,
)
from tests.support import result_samples as samples

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
