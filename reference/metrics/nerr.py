"""NERR: what a reader who stops when satisfied gains for each item looked at; nearly, but not, ERR.

NERR = sum over ranks j of W_j · R_j, W_j = V_j / (V_1 + V_2 + ...), V_j = w_j · product over i < j of (1 - R_i).
Azzopardi, Mackenzie & Moffat 2021, ERR is not C/W/L, equations 8 (w_j = 1, down to k), 9 (w_j = 1 / j, down to k) and
10 (w_j = p^(j - 1), down an endless list).
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.metrics.err import TOP, reached, refuse_satisfaction, satisfaction_axis, stops
from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Floats, Ints, Lists, Ratio, cumulated, harmonic
from recsys_metric_audit.reference.space.metric import NO_NEGATIVES, Metric, Values

# fmt: off
PATIENCE = axis("patience", "how many of the readers whom nothing has satisfied look at rank j",
    {"all": "all, down to k", "rank": "1 / j of them, down to k", "0.9": "0.9^(j - 1) of them, down an endless list"},
    slug="other-persistence", numeric=(0.001, 0.999), of_number="{}^(j - 1) of them, down an endless list",
    sources={"rank": "Azzopardi et al. 2021, equation 9", "0.9": "Azzopardi et al. 2021, equation 10"})
# fmt: on


def _weight(rank: Ints, patience: str) -> Floats:
    """Return the share of readers who look at each rank if nothing satisfies."""
    if patience == "all":
        return np.ones(len(rank))
    share: Floats = 1.0 / rank if patience == "rank" else np.power(float(patience), rank - 1.0)
    return share


def _looked_at(upto: Ints, patience: str) -> Floats:
    """Return the sum of these shares over the first ``upto`` ranks."""
    if patience == "rank":
        return harmonic(upto)
    if patience == "all":
        return upto.astype(float)
    return cumulated(upto, np.power(float(patience), np.arange(int(upto.max(initial=0)), dtype=float)))


def nerr(lists: Lists, *, satisfaction: str, top: str, patience: str) -> Ratio:
    """Return what the readers gain over the number of items that they look at. Azzopardi et al. 2021.

    Of all who look at a list without hits, a hit that satisfies with R keeps the share R from the ranks below. R that
    is scaled is a probability: of a gain below 0 it is 0, above the scale 1. A gain taken as R is taken as it is.
    """
    hits, k, stop = lists.hits, np.maximum(lists.k, 0), stops(lists, satisfaction, top)
    if _scaled({"satisfaction": satisfaction}):
        stop = np.clip(stop, 0.0, 1.0)
    seen = reached(lists, stop)
    endless = patience not in ("all", "rank")
    total = np.full(len(lists), 1 / (1 - float(patience))) if endless else _looked_at(k, patience)
    above = _looked_at(hits.rank if endless else np.minimum(hits.rank, k[hits.list]), patience)
    below = total[hits.list] - above
    return Ratio(hits.sum(_weight(hits.rank, patience) * seen * stop), total - hits.sum(seen * stop * below))


def _scaled(values: Values) -> bool:
    """Return True if satisfactions are probabilities whatever the gains: then some reader looks at rank 1."""
    return values["satisfaction"] != "gain"


_AXES = (satisfaction_axis("linear"), TOP, PATIENCE)
_WHY = "gains scaled to probabilities from 0 to 1; equation 8 of Azzopardi et al. 2021"
NERR = Metric("nerr", "Nearly expected reciprocal rank", _AXES, nerr, _WHY, NO_NEGATIVES, refuse=refuse_satisfaction)
