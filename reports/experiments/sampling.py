"""Experiments on sampled metrics: what a metric over a sample of the catalogue says of the metric over all of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import comb
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Floats
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome, Signature
from recsys_metric_audit.reports.experiments.small_lists import hit_values

Ints = NDArray[np.int64]
Sampling = Literal["uniform", "popularity"]


@dataclass(frozen=True)
class RankedItems:
    """Holds, for each relevant item that is listed, where it stands among irrelevant candidates.

    Attributes:
        rank: One plus the number of irrelevant candidates above it.
        uniform: The share of irrelevant candidates above it.
        popularity: Their share of the train rows of all irrelevant candidates.
        candidates: The number of the user's irrelevant candidates.
    """

    rank: Ints
    uniform: Floats
    popularity: Floats
    candidates: Ints

    def above(self, sampling: Sampling) -> Floats:
        """Return for each item the probability that one drawn candidate stands above it."""
        return self.uniform if sampling == "uniform" else self.popularity


def ranked_items(case: Case) -> RankedItems:
    """Rank each relevant item of ``case`` that is listed; tied rows stand as they are given.

    Users without an irrelevant candidate have nothing to sample and are left out; so are the popularities where no
    irrelevant candidate was ever seen in training, which count as uniform.
    """
    of, items = case.predictions, int(max(case.predictions.item.max(initial=0), case.truth.item.max(initial=0))) + 1
    order = np.lexsort((-of.score, of.user))  # stable: ties as given
    user, item = of.user[order], of.item[order]
    relevant = np.isin(user * items + item, case.truth.user * items + case.truth.item)
    seen = np.bincount(case.train.item, minlength=items).astype(np.float64)[item]
    _, first = np.unique(user, return_index=True)
    size = np.diff(first, append=len(user))
    above, total = _above(~relevant, first, size)
    popular_above, popular_total = _above(np.where(relevant, 0.0, seen), first, size)
    chosen = relevant & (total > 0)
    uniform = above[chosen] / total[chosen]
    popular = np.divide(
        popular_above[chosen], popular_total[chosen], out=uniform.copy(), where=popular_total[chosen] > 0
    )
    return RankedItems(above[chosen].astype(np.int64) + 1, uniform, popular, total[chosen].astype(np.int64))


def _above(amount: NDArray[np.generic], first: Ints, size: Ints) -> tuple[Floats, Floats]:
    """Return for each row the sum of ``amount`` over the user's rows above it, and over all of them."""
    added = np.concatenate([[0.0], np.cumsum(amount.astype(np.float64))])
    start = np.repeat(first, size)
    return added[:-1] - added[start], np.repeat(added[first + size] - added[first], size)


@cache
def values_by_rank(signature: str, k: int, ranks: int) -> Floats:
    """Return what ``signature`` at ``k`` gives a user whose only relevant item stands at each of the first ranks."""
    return hit_values(parse(signature).with_(k=k), [(1, (rank,)) for rank in range(1, ranks + 1)], ranks)


def full_mean(items: RankedItems, signature: str, k: int) -> float:
    """Return the mean over relevant items, each ranked among all irrelevant candidates."""
    by_rank = np.append(values_by_rank(signature, k, k), 0.0)
    return float(by_rank[np.minimum(items.rank, k + 1) - 1].mean())


def sampled_mean(items: RankedItems, signature: str, k: int, negatives: int, sampling: Sampling) -> float:
    """Return the expectation of the same mean where each item is ranked among ``negatives`` drawn candidates."""
    places = min(k, negatives + 1)
    by_rank = values_by_rank(signature, k, places)
    share = items.above(sampling)
    terms = [
        value * comb(negatives, place) * share**place * (1 - share) ** (negatives - place)
        for place, value in enumerate(by_rank.tolist())
    ]
    return float(np.sum(terms, axis=0).mean())


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
        return Outcome(Answer.of(held), reason, tuple(lines))


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
        return Outcome(Answer.of(held), f"{self.estimator} is {nearer}; {lines[0]}", tuple(lines))


def _words(errors: Floats, truth: Floats) -> str:
    """Tell the absolute error, the bias, and how often the order is right: means with 95 % intervals over draws."""
    found = errors + truth
    right = [
        np.sign(found[:, a] - found[:, b]) == np.sign(truth[a] - truth[b])
        for a, b in combinations(range(len(truth)), 2)
    ]
    (off, of_off), (bias, of_bias), (share, of_share) = map(
        _mean_with_interval, (np.abs(errors).mean(axis=1), errors.mean(axis=1), np.mean(right, axis=0))
    )
    orders = f"{share:.0%} ± {of_share:.0%} of orders right"
    return f"{off:.4f} ± {of_off:.4f} off (bias {bias:+.4f} ± {of_bias:.4f}), {orders}"


def _mean_with_interval(by_draw: Floats) -> tuple[float, float]:
    """Return a mean over draws and half of its 95 % interval."""
    return float(by_draw.mean()), 1.96 * float(by_draw.std(ddof=1)) / len(by_draw) ** 0.5
