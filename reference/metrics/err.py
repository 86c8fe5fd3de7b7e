"""Expected reciprocal rank: a reader who stops when satisfied.

ERR = sum over ranks j of (1 / j) · R_j · product over i < j of (1 - R_i), R = (2^g - 1) / 2^g_max. Chapelle, Metzler,
Zhang & Grinspan 2009, Expected reciprocal rank for graded relevance.
"""

from __future__ import annotations

import numpy as np

from reference.space.axis import axis
from reference.space.lists import Lists, Ratio
from reference.space.metric import Metric, Values, refuse_all_relevant

SATISFACTION = axis(
    "satisfaction", "probability that an item of gain g satisfies",
    {"exp2": "(2^g - 1) / 2^g_max, g_max the top of the scale", "linear": "g / g_max", "binary": "1/2"},
    slug="graded-gain",
)  # fmt: skip


def err(lists: Lists, *, satisfaction: str) -> Ratio:
    """Return the sum over the hits of the probability to stop there, divided by the rank. Chapelle et al. 2009."""
    hits = lists.hits
    top = lists.highest[hits.list]
    stop = {
        "exp2": (np.exp2(hits.gain) - 1) / np.exp2(top),
        "linear": hits.gain / top,
        "binary": np.full(len(hits.list), 0.5),
    }[satisfaction]
    reached = np.ones(len(hits.list))
    for number in range(2, int(hits.count.max(initial=0)) + 1):
        here = np.flatnonzero(hits.ordinal == number)
        reached[here] = reached[here - 1] * (1 - stop[here - 1])
    return Ratio(hits.sum(reached * stop / hits.rank), np.ones(len(lists)))


def _refuse(values: Values) -> str | None:
    return refuse_all_relevant(values) if values["satisfaction"] == "binary" else None


ERR = Metric(
    "err", "Expected reciprocal rank", (SATISFACTION,), err,
    "the satisfaction of Chapelle et al. 2009", inert=frozenset({"no_negatives"}),
    refuse=_refuse, reads_r=lambda values: False, same_denominator=lambda values: True,
    reads_k=lambda values: False, has_denominator=lambda values: True, empty_list_policy=lambda values: "0",
    no_relevant_policy=lambda values: "0",
)  # fmt: skip
