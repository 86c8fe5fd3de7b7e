"""Tells what metrics among sampled candidates are: AUC with one candidate, and a hit rate at another cut-off."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reports.experiments.outcome import (
    Answer,
    Bench,
    ClaimExperiment,
    Outcome,
    Signature,
    share_answer,
)
from recsys_metric_audit.reports.experiments.sampling.sampled_ranks import ranked_items, sampled_mean, values_by_rank

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


class SampledCutoff(ClaimExperiment):
    """Looks for the cut-off f(k) at which hit rates among all candidates are those at k among ``negatives`` drawn ones.

    f(k) is the cut-off where the largest difference over all recommenders is least. The claim is that the recommender
    that is best among drawn candidates is best at f(k): always is "yes", sometimes "in part".
    """

    kind: Literal["sampled_cutoff"]
    datasets: Names
    recommenders: Annotated[tuple[str, ...], Field(min_length=2)]
    cutoffs: Counts
    negatives: Counts

    def _measure(self, bench: Bench) -> Outcome:
        lines, held, alike, errors, spread = [], [], 0, [], []
        for dataset in self.datasets:
            items = [ranked_items(bench.data(dataset, name)) for name in self.recommenders]
            depth = np.arange(1, max(int(each.rank.max()) for each in items) + 1)
            full = np.array([np.searchsorted(np.sort(each.rank), depth, "right") / len(each.rank) for each in items])
            for negatives, k in product(self.negatives, self.cutoffs):
                sampled = np.array([sampled_mean(each, "hit_rate", k, negatives, "uniform") for each in items])
                off = np.abs(full - sampled[:, None]).max(axis=0)
                place, best = int(off.argmin()), int(sampled.argmax())
                own = depth[(full < sampled[:, None]).sum(axis=1)]
                held.append(bool(full[best, place] >= full[:, place].max() - _CLOSE))
                alike += bool(full[best, k - 1] >= full[:, k - 1].max() - _CLOSE)
                errors.append(float(off[place]))
                spread.append(float(own.max() / own.min()))
                lines.append(
                    f"hit_rate@{k} among {negatives} candidates on {dataset} is nearest to hit_rate@{depth[place]}, "
                    f"off by up to {off[place]:.3f}; each recommender by itself: {', '.join(map(str, own))}; best is "
                    f"{self.recommenders[best]}, at f(k) {self.recommenders[int(full[:, place].argmax())]}"
                )
        reason = (
            f"the best among drawn candidates is the best at f(k) in {sum(held)} of {len(held)} settings, and the best "
            f"at k itself in {alike}; hit rates at f(k) are off by up to {max(errors):.3f}, and the f(k) of single "
            f"recommenders differ by up to {max(spread):.1f} times"
        )
        return Outcome(share_answer(held), reason, tuple(lines))
