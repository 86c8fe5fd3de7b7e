"""Precision: how many of the shown items are relevant.

precision@k = H / k, H the relevant items among the first k. Tamm et al. 2021 (Quality Metrics in Recommender
Systems), §4.1.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Floats, Lists, Ratio
from recsys_metric_audit.reference.space.metric import NO_NEGATIVES, Metric, refuse_all_relevant

# fmt: off
DENOMINATOR = axis("denominator", "what hits are divided by", {
    "k": "the cut-off k", "shown": "n = min(k, length of the list)", "min": "min(k, r)",
    "min_shown": "min(r, n)",
}, slug="wrong-denominator")
NUMERATOR = axis("numerator", "what a hit counts", {"hits": "1", "gains": "its gain"}, slug="graded-hits")
# fmt: on


def hits_or_gains(lists: Lists, numerator: str) -> Floats:
    """Return H, or the sum of the gains of the hits: shape (lists,)."""
    return lists.hits.sum(lists.hits.gain if numerator == "gains" else 1.0)


def precision(lists: Lists, *, denominator: str, numerator: str) -> Ratio:
    """Return H over k, over n (Schröder et al. 2011, §4.2: tp / (tp + fp)), or over the most hits possible.

    Tamm et al. 2021, §4.1.
    """
    over = {
        "k": lists.k, "shown": lists.shown, "min": lists.reachable,
        "min_shown": np.minimum(lists.relevant, lists.shown),
    }[denominator]  # fmt: skip
    return Ratio(hits_or_gains(lists, numerator), over.astype(float))


_WHY = "divided by k: the one reading on which the libraries of Tamm et al. 2021 (§4.1) agree"
_INERT = NO_NEGATIVES | {"no_hit"}
PRECISION = Metric(
    "precision", "Precision", (DENOMINATOR, NUMERATOR), precision, _WHY, _INERT, refuse=refuse_all_relevant
)
