"""Reciprocal rank: how high the first relevant item stands.

RR@k = 1 / rank of the first hit, 0 without one. Tamm et al. 2021, §4.3.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.input.ordering import order_by
from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Floats, Ints, Lists, Ratio, cumulated, harmonic
from recsys_metric_audit.reference.space.metric import Metric, Values, refuse_all_relevant

# fmt: off
RANKS = axis("ranks", "which ranks, and how they are put together", {
    "first": "1 / rank of the first hit",
    "sum": "sum of 1 / rank over all hits",
    "mean_hits": "that sum over the number of hits",
    "mean_relevant": "that sum over r",
    "normalised": "that sum over the largest it can be with min(k, r) hits",
    "normalised_shown": "that sum over the largest it can be with min(r, n) hits, n the rows shown",
    "top_only": "1 if the first item is a hit",
    "last": "1 / rank of the last hit",
    "best_gain": "1 / rank of the hit with the best gain (the first of them)",
}, slug="reciprocal-rank-of-all-hits", slugs={"top_only": "top-only", "last": "last-hit", "best_gain": "best-gain"})
OFFSET = axis("offset", "what is added to a rank", {"0": "nothing"}, slug="rank-offset", numeric=(0.01, 1000.0),
    of_number="{}, as where ranks are counted from another number than 1")
# fmt: on


def reciprocal_rank(lists: Lists, *, ranks: str, offset: str) -> Ratio:
    """Return 1 / rank of the first hit, or another way to combine the ranks of the hits.

    Tamm et al. 2021, §4.3. The sum is ARHR: Deshpande & Karypis 2004 state it for one relevant item, Aggarwal 2016
    (equations 7.18 and 7.19) for any number.
    """
    hits, one = lists.hits, np.ones(len(lists))
    single = {"first": hits.ordinal == 1, "top_only": hits.rank == 1, "last": hits.ordinal == hits.count[hits.list]}
    if ranks in single:
        chosen = hits.where(single[ranks])
        if ranks == "top_only":
            return Ratio(np.minimum(chosen.sum(1.0), 1.0), one)
        return Ratio(chosen.sum(1.0 / (chosen.rank + float(offset))), one)
    if ranks == "best_gain":
        best = order_by(hits.list, -hits.gain, hits.rank)
        start = np.concatenate([[True], hits.list[best][1:] != hits.list[best][:-1]])[: len(best)]
        keep = np.zeros(len(best), dtype=bool)
        keep[best[start]] = True
        chosen = hits.where(keep)
        return Ratio(chosen.sum(1.0 / (chosen.rank + float(offset))), one)
    over = {
        "sum": one,
        "mean_hits": hits.count.astype(float),
        "mean_relevant": lists.relevant.astype(float),
        "normalised": _largest(lists.reachable, offset),
        "normalised_shown": _largest(np.minimum(lists.relevant, np.maximum(lists.shown, 0)), offset),
    }
    return Ratio(hits.sum(1.0 / (hits.rank + float(offset))), over[ranks])


def _largest(count: Ints, offset: str) -> Floats:
    """Return the largest sum that so many hits can have."""
    if offset == OFFSET.canonical:
        return harmonic(count)
    best = np.maximum(count, 0)
    places = np.arange(1, int(best.max(initial=0)) + 1, dtype=np.float64)
    return cumulated(best, 1.0 / (places + float(offset)))


def _refuse(values: Values) -> str | None:
    """Return why the values contradict each other, or None.

    Where all rows are relevant, the first row that may count is a hit, whichever rows may count.
    """
    if values["offset"] != OFFSET.canonical and values["ranks"] == "top_only":
        return "ranks:top_only reads no rank to which something could be added"
    if float(values["offset"]) <= -1:
        return f"what is added to ranks from 1 is above -1, not {values['offset']}"
    return refuse_all_relevant({**values, "counted_scores": "any"})


RECIPROCAL_RANK = Metric(
    "reciprocal_rank", "Reciprocal rank", (RANKS, OFFSET), reciprocal_rank,
    "the first hit: what the name says and all papers define (Tamm et al. 2021, §4.3)",
    inert=frozenset({"no_negatives"}), refuse=_refuse,
    zero_by_convention=lambda values: values["ranks"] in ("first", "last", "best_gain"),  # no hit, no rank
)  # fmt: skip
