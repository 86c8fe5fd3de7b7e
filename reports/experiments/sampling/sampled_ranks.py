"""Ranks of relevant items among all irrelevant candidates, and metrics among sampled ones in exact expectation.

Each relevant item is ranked by itself, against the user's irrelevant candidates. Of m candidates that are drawn with
replacement, Binomial(m, p) stand above it, where p is the share of the draws that fall above: the number of irrelevant
items above over all of them, or their share of the popularity (Krichene & Rendle 2020, On Sampled Metrics for Item
Recommendation, §4.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.experiments.small_lists.hit_lists import hit_values

Floats = NDArray[np.float64]
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
