"""Interpolated precision: the best precision at a recall of x or more, at one x or averaged over eleven.

P(x) = max of H_j / j over all ranks j of hits down to which x of the r relevant items are found, 0 if they never are;
11-point AP = (P(0) + P(0.1) + ... + P(1)) / 11. Manning, Raghavan & Schütze 2008, §8.4. How many items "x of r" are
is rounded in several ways: trec_eval, m_11pt_avg.c.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Floats, Ints, Lists, Ratio
from recsys_metric_audit.reference.space.metric import Metric, never, refuse_all_relevant

# fmt: off
POINTS = axis("at", "at which recall",
    {"eleven": "the mean over recall 0, 0.1, ..., 1", "0.5": "0.5"},
    slug="recall-point", numeric=(0.0, 1.0), of_number="{}")
NEEDED = axis("needed", "how many of the r relevant items a recall of x needs", {
    "up": "x · r, rounded up",
    "nearest": "x · r, rounded to the nearest whole number, halves up",
    "plus_0.9": "x · r + 0.9 in floating point, cut to a whole number",
}, slug="recall-rounding", sources={
    "nearest": "trec_eval 10, m_11pt_avg.c: lround(x r), which breaks equivalence to older ones",
    "plus_0.9": "trec_eval 9, m_11pt_avg.c: x r + 0.9 as a whole number",
})
# fmt: on
_ELEVEN = tuple(f"{tenth / 10:g}" for tenth in range(11))


def _needed(recall: str, relevant: Ints, rounding: str) -> Ints:
    """Return how many relevant items of each list a recall asks for; one hit at least is where precision is best."""
    exact = Fraction(recall)
    sizes, at = np.unique(relevant, return_inverse=True)
    # In Python's whole numbers: a recall of many digits has a numerator that no array of int64 holds.
    above, below = exact.numerator * sizes.astype(object), exact.denominator
    count = {
        "up": -(-above // below),
        "nearest": (2 * above + below) // (2 * below),
        "plus_0.9": np.floor(float(recall) * sizes + 0.9),
    }[rounding]
    needed: Ints = np.maximum(count.astype(np.int64), 1)[at]
    return needed


def _best_from(lists: Lists) -> Floats:
    """Return, for each hit, the best precision at it and at the hits below."""
    hits = lists.listed
    best: Floats = hits.ordinal / hits.rank
    for number in range(int(hits.count.max(initial=0)) - 1, 0, -1):
        here = np.flatnonzero((hits.ordinal == number) & (hits.count[hits.list] > number))
        best[here] = np.maximum(best[here], best[here + 1])
    return best


def interpolated_precision(lists: Lists, *, at: str, needed: str) -> Ratio:
    """Return the best precision at or below the place where the recall is reached. Manning et al. 2008, §8.4."""
    count = lists.listed.count
    start, best = np.cumsum(count) - count, np.append(_best_from(lists), 0.0)
    points = _ELEVEN if at == "eleven" else (at,)
    total = np.zeros(len(lists))
    for point in points:
        number = _needed(point, lists.relevant, needed)
        total += best[np.where(number <= count, start + number - 1, len(best) - 1)]
    return Ratio(total / len(points), np.ones(len(lists)))


def _hits(lists: Lists, *, at: str, needed: str) -> Ints:
    """Count the relevant items anywhere in each list: no source cuts it."""
    return lists.listed.count


INTERPOLATED_PRECISION = Metric(
    "interpolated_precision", "Interpolated precision", (POINTS, NEEDED), interpolated_precision,
    "the eleven points and the recall of the textbook (Manning et al. 2008, §8.4)",
    inert=frozenset({"no_negatives", "cutoff"}), refuse=refuse_all_relevant, hits=_hits, uses_k=never,
)  # fmt: skip
