"""Estimates a metric among all candidates from ranks among drawn ones, and tells how far off the estimates are.

An item at rank r among n irrelevant candidates stands at rank j + 1 among m drawn ones with the probability
Binomial(j; m, (r - 1) / n). Estimators: ``naive``, the metric at the sampled rank; ``rank``, the metric at rank
1 + n j / m; ``bias_variance``, the value for each sampled rank with the least squared bias plus a tenth of the
variance, all ranks weighted alike (both Krichene & Rendle, KDD 2020 and CACM 65(7), 2022); ``likelihood``, the metric
under the distribution of ranks that makes the sampled ones most likely, by expectation maximization (Jin et al., AAAI
2021).
"""

from __future__ import annotations

from itertools import combinations, product
from math import comb
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Floats
from recsys_metric_audit.reports.experiments.outcome import Bench, ClaimExperiment, Outcome, Signature, share_answer
from recsys_metric_audit.reports.experiments.sampling.sampled_ranks import full_mean, ranked_items, values_by_rank

Estimator = Literal["naive", "rank", "bias_variance", "likelihood"]
_VARIANCE = 0.1
_STEPS = 200


def rank_chances(candidates: int, negatives: int) -> Floats:
    """Return the probability of each number of drawn candidates above, for each rank; shape (n + 1, m + 1)."""
    share, above = np.arange(candidates + 1)[:, None] / candidates, np.arange(negatives + 1)
    ways = np.array([float(comb(negatives, each)) for each in above.tolist()])
    return np.asarray(ways * share**above * (1 - share) ** (negatives - above), dtype=np.float64)


def likely_ranks(observed: Floats, chances: Floats) -> Floats:
    """Return for each draw the distribution of ranks that makes it most likely; shape (draws, n + 1).

    Args:
        observed: The share of items with each number of drawn candidates above; shape (draws, m + 1).
        chances: What :func:`rank_chances` gives.
    """
    of_rank = np.full((len(observed), len(chances)), 1 / len(chances))
    for _ in range(_STEPS):
        of_rank *= (observed / np.maximum(of_rank @ chances, np.finfo(np.float64).tiny)) @ chances.T
    return of_rank


def sampled_values(estimator: Estimator, values: Floats, chances: Floats) -> Floats:
    """Return what an estimator adds for each number of drawn candidates above, given the metric at each rank."""
    candidates, negatives = chances.shape[0] - 1, chances.shape[1] - 1
    if estimator == "naive":
        return values[: negatives + 1]
    if estimator == "rank":
        return np.asarray(values[np.rint(candidates * np.arange(negatives + 1) / negatives).astype(int)])
    both = (1 - _VARIANCE) * chances.T @ chances + _VARIANCE * np.diag(chances.sum(axis=0))
    return np.asarray(np.linalg.solve(both, chances.T @ values), dtype=np.float64)


class SampledEstimates(ClaimExperiment):
    """Estimates metrics from drawn candidates; the claim is that ``estimator`` is nearer than each of ``against``.

    Nearer is the smaller mean of absolute errors over recommenders and ``seeds`` draws. For every dataset, metric and
    cut-off is "yes", for some "in part".
    """

    kind: Literal["sampled_estimates"]
    estimator: Estimator
    against: Annotated[tuple[Estimator, ...], Field(min_length=1)]
    datasets: Annotated[tuple[str, ...], Field(min_length=1)]
    recommenders: Annotated[tuple[str, ...], Field(min_length=2)]
    metrics: Annotated[tuple[Signature, ...], Field(min_length=1)]
    cutoffs: Annotated[tuple[int, ...], Field(min_length=1)]
    negatives: Annotated[int, Field(ge=1)]
    seeds: Annotated[int, Field(ge=2)]

    def _measure(self, bench: Bench) -> Outcome:
        lines, held = [], []
        for dataset in self.datasets:
            items = [ranked_items(bench.data(dataset, name)) for name in self.recommenders]
            chances = rank_chances(int(np.median(items[0].candidates)), self.negatives)
            draws = product(map(np.random.default_rng, range(self.seeds)), items)
            drawn = np.array(
                [
                    np.bincount(rng.binomial(self.negatives, each.uniform), minlength=self.negatives + 1)
                    / len(each.uniform)
                    for rng, each in draws
                ]
            )
            likely = likely_ranks(drawn, chances) if "likelihood" in (self.estimator, *self.against) else drawn
            for metric, k in product(self.metrics, self.cutoffs):
                values = np.append(values_by_rank(metric, k, k), np.zeros(len(chances) - k))
                truth = np.array([full_mean(each, metric, k) for each in items])
                errors = {
                    name: (
                        likely @ values if name == "likelihood" else drawn @ sampled_values(name, values, chances)
                    ).reshape(self.seeds, -1)
                    - truth
                    for name in (self.estimator, *self.against)
                }
                size = {name: float(np.abs(error).mean()) for name, error in errors.items()}
                held += [size[self.estimator] < size[other] for other in self.against]
                told = "; ".join(f"{name} {_words(error, truth)}" for name, error in errors.items())
                lines.append(f"{parse(metric).with_(k=k).signature()} on {dataset}: {told}")
        nearer = f"nearer in {sum(held)} of {len(held)} comparisons with {', '.join(self.against)}"
        return Outcome(share_answer(held), f"{self.estimator} is {nearer}; {lines[0]}", tuple(lines))


def _words(errors: Floats, truth: Floats) -> str:
    """Tell the mean absolute error, the bias with its 95 % interval over draws, and how often the order is right."""
    by_seed = errors.mean(axis=1)
    half = 1.96 * float(by_seed.std(ddof=1)) / len(by_seed) ** 0.5
    pairs = list(combinations(range(len(truth)), 2))
    found = errors + truth
    right = np.mean([np.sign(found[:, a] - found[:, b]) == np.sign(truth[a] - truth[b]) for a, b in pairs])
    return f"{np.abs(errors).mean():.4f} off (bias {by_seed.mean():+.4f} ± {half:.4f}), {right:.0%} of orders right"
