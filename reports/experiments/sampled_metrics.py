"""Tells what metrics among sampled candidates are: AUC with one candidate."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Literal

from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome, Signature
from recsys_metric_audit.reports.experiments.sampled_ranks import ranked_items, sampled_mean, values_by_rank

_CLOSE = 1e-9

Names = Annotated[tuple[str, ...], Field(min_length=1)]
Counts = Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1)]


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
