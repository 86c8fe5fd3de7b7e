"""Tells whether metrics among sampled candidates keep the order of recommenders, and what one candidate makes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, product
from typing import Annotated, Literal

from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome, Signature
from recsys_metric_audit.reports.experiments.recommender_order import Inversion, inversions
from recsys_metric_audit.reports.experiments.sampled_ranks import (
    RankedItems,
    Sampling,
    full_mean,
    ranked_items,
    sampled_mean,
    values_by_rank,
)

_CLOSE = 1e-9

Names = Annotated[tuple[str, ...], Field(min_length=1)]
Counts = Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1)]


class SampledOrder(ClaimExperiment):
    """Compares the order of recommenders under sampled metrics with another order; the claim is that it can differ.

    ``against`` is "full", the same metric among all irrelevant candidates, or "sizes", another number of candidates
    that are drawn in the same way. Means of sampled metrics are exact expectations, so that no draw plays a part.
    """

    kind: Literal["sampled_order"]
    against: Literal["full", "sizes"] = "full"
    datasets: Names
    recommenders: Annotated[tuple[str, ...], Field(min_length=2)]
    metrics: Annotated[tuple[Signature, ...], Field(min_length=1)]
    cutoffs: Counts
    negatives: Counts
    samplings: Annotated[tuple[Sampling, ...], Field(min_length=1)]

    def _measure(self, bench: Bench) -> Outcome:
        found: list[tuple[Sampling, str, Inversion]] = []
        compared = 0
        for dataset in self.datasets:
            items = {name: ranked_items(bench.data(dataset, name)) for name in self.recommenders}
            for metric, k, sampling in product(self.metrics, self.cutoffs, self.samplings):
                for words, first, second in self._pairs(items, metric, k, sampling):
                    compared += len(items) * (len(items) - 1) // 2
                    setting = f"{parse(metric).with_(k=k).signature()} on {dataset}, {words}"
                    found += [(sampling, setting, each) for each in inversions(first, second, k)]
        return self._outcome(found, compared)

    def _pairs(
        self, items: Mapping[str, RankedItems], metric: str, k: int, sampling: Sampling
    ) -> list[tuple[str, dict[str, float], dict[str, float]]]:
        """Return each two orders to compare: words on both, and the mean of each recommender in one and the other."""
        sampled = {
            size: {name: sampled_mean(each, metric, k, size, sampling) for name, each in items.items()}
            for size in self.negatives
        }
        if self.against == "full":
            full = {name: full_mean(each, metric, k) for name, each in items.items()}
            return [
                (f"all candidates against {size} {_DRAWN[sampling]}", full, means) for size, means in sampled.items()
            ]
        return [
            (f"{one} against {other} candidates {_DRAWN[sampling]}", sampled[one], sampled[other])
            for one, other in combinations(self.negatives, 2)
        ]

    def _outcome(self, found: list[tuple[Sampling, str, Inversion]], compared: int) -> Outcome:
        each_way = Counter(sampling for sampling, _, _ in found)
        lines = tuple(
            f"{setting}: {each.better} before {each.worse} ({each.first[0]:.4f}, {each.first[1]:.4f}), then behind it "
            f"({each.second[0]:.4f}, {each.second[1]:.4f})"
            for _, setting, each in found
        )
        share = compared // len(self.samplings)
        counts = ", ".join(f"{each_way[sampling]} of {share} drawn {_WAYS[sampling]}" for sampling in self.samplings)
        if not found:
            return Outcome(Answer.no, f"inverted comparisons of two recommenders: {counts}")
        answer = Answer.yes if len(each_way) == len(self.samplings) else Answer.in_part
        widest = max(range(len(found)), key=lambda place: found[place][2].gap)
        return Outcome(answer, f"inverted comparisons of two recommenders: {counts}; {lines[widest]}", lines)


_WAYS: Mapping[Sampling, str] = {"uniform": "uniformly", "popularity": "by popularity"}
_DRAWN: Mapping[Sampling, str] = {sampling: f"drawn {words}" for sampling, words in _WAYS.items()}


class SampledAuc(ClaimExperiment):
    """Holds metrics with one uniformly drawn candidate against AUC; the claim is that they are AUC and nothing else.

    With one candidate an item stands first or second, and first with the probability that it wins against a candidate:
    a metric with values v1 and v2 at these ranks is v2 + (v1 - v2) AUC.
    """

    kind: Literal["sampled_auc"]
    auc: Signature
    datasets: Names
    recommenders: Names
    metrics: Annotated[tuple[Signature, ...], Field(min_length=1)]
    cutoffs: Counts

    def _measure(self, bench: Bench) -> Outcome:
        lines, wrong = [], []
        for dataset, name in product(self.datasets, self.recommenders):
            case = bench.data(dataset, name)
            items = ranked_items(case)
            area = float(evaluate(parse(self.auc), Problem.of([case], None)).mean[0])
            for metric, k in product(self.metrics, self.cutoffs):
                first, second = values_by_rank(metric, 2 if k > 1 else 1, 2).tolist()
                found, expected = sampled_mean(items, metric, k, 1, "uniform"), second + (first - second) * area
                line = (
                    f"{parse(metric).with_(k=k).signature()} of {name} on {dataset} with one candidate: {found:.6f}, "
                    f"{second:.4f} + {first - second:.4f} × AUC = {expected:.6f}"
                )
                lines.append(line)
                if abs(found - expected) > _CLOSE:
                    wrong.append(line)
        if wrong:
            return Outcome(
                Answer.no, f"{len(wrong)} of {len(lines)} are not a function of AUC; {wrong[0]}", tuple(lines)
            )
        reason = (
            f"with one candidate all {len(lines)} sampled means are v2 + (v1 − v2) × AUC, v1 and v2 the values at "
            f"ranks 1 and 2, where AUC is {self.auc}"
        )
        return Outcome(Answer.yes, reason, tuple(lines))
