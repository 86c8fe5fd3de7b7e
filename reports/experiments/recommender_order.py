"""Two definitions on the same recommenders: do they rank the recommenders alike?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Literal

from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome, Signature
from recsys_metric_audit.reports.wording.formatting import one_line

_EQUAL = 1e-9
"""Means that differ by less are taken to be equal: neither recommender is better."""


@dataclass(frozen=True)
class Inversion:
    """Holds a pair of recommenders that two definitions rank the other way round at a cut-off.

    Attributes:
        better: The recommender that the first definition prefers.
        worse: The one that the second definition prefers.
        k: The cut-off.
        first: The means of ``better`` and ``worse`` under the first definition.
        second: Their means under the second.
    """

    better: str
    worse: str
    k: int
    first: tuple[float, float]
    second: tuple[float, float]

    @property
    def gap(self) -> float:
        """Return the smaller of the two differences, each relative to the larger value."""
        differences = (
            (self.first[0] - self.first[1]) / self.first[0],
            (self.second[1] - self.second[0]) / self.second[1],
        )
        return min(differences)


def inversions(first: Mapping[str, float], second: Mapping[str, float], k: int) -> tuple[Inversion, ...]:
    """Return every pair of recommenders that two definitions rank the other way round.

    Args:
        first: The mean of each recommender under the first definition.
        second: The mean of each under the second.
        k: The cut-off of both.
    """
    found = []
    for pair in combinations(first, 2):
        one, other = sorted(pair, key=lambda name: -first[name])
        if first[one] - first[other] > _EQUAL and second[other] - second[one] > _EQUAL:
            found.append(Inversion(one, other, k, (first[one], first[other]), (second[one], second[other])))
    return tuple(found)


class RecommenderOrder(ClaimExperiment):
    """Compares the order of recommenders under two definitions; the claim is that the order can differ."""

    kind: Literal["recommender_order"]
    first: Signature
    second: Signature
    datasets: Annotated[tuple[str, ...], Field(min_length=1)]
    recommenders: Annotated[tuple[str, ...], Field(min_length=2)]
    cutoffs: Annotated[tuple[int, ...], Field(min_length=1)]

    def _measure(self, bench: Bench) -> Outcome:
        found: list[tuple[str, Inversion]] = []
        for dataset in self.datasets:
            problems = {name: Problem.of([bench.data(dataset, name)], self.cutoffs[0]) for name in self.recommenders}
            for k in self.cutoffs:
                means = [_means(signature, problems, k) for signature in (self.first, self.second)]
                found += [(dataset, each) for each in inversions(means[0], means[1], k)]
        compared = len(self.datasets) * len(self.cutoffs) * (len(self.recommenders) * (len(self.recommenders) - 1) // 2)
        if not found:
            return Outcome(Answer.no, f"none of {compared} comparisons of two recommenders is inverted")
        lines = tuple(self._line(dataset, each) for dataset, each in found)
        widest = max(range(len(found)), key=lambda place: found[place][1].gap)
        reason = f"{len(found)} of {compared} comparisons of two recommenders are inverted; {lines[widest]}"
        return Outcome(Answer.yes, reason, lines)

    def _line(self, dataset: str, each: Inversion) -> str:
        first, second = (
            one_line(parse(signature).with_(k=each.k).signature()) for signature in (self.first, self.second)
        )
        return (
            f"on {dataset} {first} prefers {each.better} to {each.worse} ({each.first[0]:.4f}, {each.first[1]:.4f}), "
            f"{second} the other way round ({each.second[0]:.4f}, {each.second[1]:.4f})"
        )


def _means(signature: str, problems: Mapping[str, Problem], k: int) -> dict[str, float]:
    definition = parse(signature).with_(k=k)
    return {name: float(evaluate(definition, problem.at(k)).mean[0]) for name, problem in problems.items()}
