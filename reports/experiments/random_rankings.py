"""Experiments on average precision of random rankings: its mean and variance, in closed form and by drawing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, compress, product
from math import comb, perm
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.input.case import Floats
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome
from recsys_metric_audit.reports.experiments.small_lists import Hits, hit_values
from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.wording.formatting import rounded

Joint = Callable[[int], float]
"""Returns the probability that m given places are all relevant."""
Denominator = Literal["min", "r", "k", "hits"]
_CLOSE = 1e-12


@dataclass(frozen=True)
class Moments:
    """Holds expectation and variance of average precision at k, or of its sum."""

    mean: float
    variance: float


def offline(items: int, relevant: int) -> Joint:
    """Return the joint probability for a uniform ranking of ``items`` items, of which ``relevant`` are relevant."""
    return lambda places: perm(relevant, places) / perm(items, places) if places <= items else 0.0


def online(probability: float) -> Joint:
    """Return the joint probability for places that are relevant with ``probability`` each, independently."""
    return lambda places: probability**places


def precision_sum(k: int, joint: Joint) -> Moments:
    """Return expectation and variance of the sum over the hits among the first ``k`` of precision at their rank."""
    terms = [(frozenset({j}), 1 / j) for j in range(1, k + 1)]
    terms += [(frozenset({i, j}), 1 / j) for i, j in combinations(range(1, k + 1), 2)]
    together = [joint(places) for places in range(5)]
    mean = sum(weight * together[len(places)] for places, weight in terms)
    square = sum(one * other * together[len(first | second)] for first, one in terms for second, other in terms)
    return Moments(mean, square - mean**2)


def expected_precision_sum(k: int, joint: Joint) -> float:
    """Return the expectation alone: sum over j of (P(1) + (j - 1) P(2)) / j, with P(m) the joint probability."""
    return sum((joint(1) + (j - 1) * joint(2)) / j for j in range(1, k + 1))


def divided_by_hits(k: int, hits_law: Callable[[int], float]) -> Moments:
    """Return the moments of average precision over the number of hits, 0 without a hit.

    Args:
        k: The cut-off.
        hits_law: Returns the probability that h of the first k places are relevant.
    """
    mean = square = 0.0
    for hits in range(1, k + 1):
        given = precision_sum(k, offline(k, hits))
        mean += hits_law(hits) * given.mean / hits
        square += hits_law(hits) * (given.variance + given.mean**2) / hits**2
    return Moments(mean, square - mean**2)


class RankingSize(FrozenModel):
    """Gives one size of a ranking, small enough to go through all placements."""

    items: Annotated[int, Field(ge=1, le=14)]
    relevant: Annotated[int, Field(ge=1)]
    k: Annotated[int, Field(ge=1)]


class RandomAveragePrecision(ClaimExperiment):
    """Compares the moments over all placements, computed by the reference, with closed forms."""

    kind: Literal["random_average_precision"]
    moment: Literal["mean", "variance"]
    model: Literal["offline", "online"]
    sizes: Annotated[tuple[RankingSize, ...], Field(min_length=1)]
    probability: Annotated[float, Field(gt=0, lt=1)] = 0.5
    """Of a place to be relevant, in the online model; there, a size's ``relevant`` is not read and k is ``items``."""
    denominators: tuple[Denominator, ...]

    def _measure(self, bench: Bench) -> Outcome:
        lines, wrong, values = [], [], []
        for size in self.sizes:
            weights, placements = _all_placements(size, None if self.model == "offline" else self.probability)
            for name in self.denominators:
                measured = _measured(placements, weights, name, size)
                closed = self._closed(size, name)
                one, other = getattr(measured, self.moment), getattr(closed, self.moment)
                line = (
                    f"{_size_words(size, len(weights), self.model)}, over {name}: {self.moment} {one:.6f}, "
                    f"closed form {other:.6f}"
                )
                lines.append(line)
                values.append((name, one))
                if abs(one - other) > _CLOSE:
                    wrong.append(line)
        if wrong:
            return Outcome(Answer.no, wrong[0], tuple(lines))
        first = ", ".join(f"{rounded(value)} over {name}" for name, value in values[: len(self.denominators)])
        tried = _size_words(self.sizes[0], comb(self.sizes[0].items, self.sizes[0].relevant), self.model)
        more = self._baseline(bench)
        return Outcome(Answer.yes, f"{tried}: {self.moment} {first}, each equal to its closed form{more}", tuple(lines))

    def _closed(self, size: RankingSize, denominator: Denominator) -> Moments:
        offline_model = self.model == "offline"
        joint = offline(size.items, size.relevant) if offline_model else online(self.probability)
        if denominator == "hits":
            law = _hypergeometric(size) if offline_model else _binomial(size.k, self.probability)
            return divided_by_hits(size.k, law)
        by = {"min": min(size.k, size.relevant), "r": size.relevant, "k": size.k}[denominator]
        total = precision_sum(size.k, joint)
        return Moments(total.mean / by, total.variance / by**2)

    def _baseline(self, bench: Bench) -> str:
        """Return what chance alone gives at the size of the run's data, if that is what is asked for."""
        data = bench.result.dataset
        if self.moment != "mean" or self.model != "offline" or not (data.users and data.items > 1):
            return ""
        k, relevant = bench.result.k[0], max(round(data.pairs / data.users), 1)
        level = expected_precision_sum(k, offline(data.items, relevant)) / min(k, relevant)
        return (
            f"; at the size of {data.name} ({data.items:,} items, {relevant} relevant, k = {k}) chance gives "
            f"{rounded(level)} over min"
        )


def _hypergeometric(size: RankingSize) -> Callable[[int], float]:
    other = size.items - size.relevant
    return lambda hits: comb(size.relevant, hits) * comb(other, size.k - hits) / comb(size.items, size.k)


def _binomial(k: int, probability: float) -> Callable[[int], float]:
    return lambda hits: comb(k, hits) * probability**hits * (1 - probability) ** (k - hits)


def _all_placements(size: RankingSize, probability: float | None) -> tuple[Floats, list[Hits]]:
    """Return the probability of each placement, and the places of its relevant items."""
    places = range(1, size.items + 1)
    if probability is None:
        drawn = list(combinations(places, size.relevant))
        return np.full(len(drawn), 1 / len(drawn)), drawn
    kept = product((False, True), repeat=size.items)
    every = [tuple(compress(places, each)) for each in kept if any(each)]  # without a relevant item precision is 0
    return np.array([probability ** len(p) * (1 - probability) ** (size.items - len(p)) for p in every]), every


def _measured(placements: list[Hits], weights: Floats, denominator: str, size: RankingSize) -> Moments:
    definition = Definition.of("average_precision", {"denominator": denominator}).with_(k=size.k)
    value = hit_values(definition, [(len(places), places) for places in placements], size.items)
    mean = float(weights @ value)
    return Moments(mean, float(weights @ value**2) - mean**2)


def _size_words(size: RankingSize, placements: int, model: str) -> str:
    if model == "online":
        return f"all placements over {size.items} places at k = {size.k}"
    return f"all {placements} placements of {size.relevant} relevant among {size.items} items at k = {size.k}"
