"""Rank-biased precision: a reader who goes on with probability p.

RBP = (1 - p) · sum over hits of gain · p^(rank - 1). Moffat & Zobel 2008, Rank-biased precision for measurement of
retrieval effectiveness.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Lists, Ratio, cumulated
from recsys_metric_audit.reference.space.metric import NO_NEGATIVES, Metric, Values, refuse_all_relevant

# fmt: off
PERSISTENCE = axis("persistence", "probability of going on",
    {"0.8": "0.8", "0.5": "0.5", "0.85": "0.85", "0.95": "0.95"}, slug="other-persistence", numeric=(0.001, 0.999),
    sources={"0.85": "LensKit 2025, lenskit.metrics.RBP: patience is 0.85"})
NORMALISED = axis("normalised", "what the sum is divided by", {
    "no": "1 / (1 - p), the sum over an endless list",
    "yes": "the sum over the min(k, r) best places",
    "shown": "the sum over the min(r, n) best places, n the rows shown",
}, slug="normalised")
# fmt: on
GAIN = axis("gain", "what a hit of gain g adds", {"binary": "1", "linear": "g"}, slug="graded-gain")


def rbp(lists: Lists, *, persistence: str, normalised: str, gain: str) -> Ratio:
    """Return the discounted gains of the hits over the sum of discounts. Moffat & Zobel 2008."""
    p = float(persistence)
    hits = lists.hits
    weight = np.power(p, hits.rank - 1.0) * (hits.gain if gain == "linear" else np.ones_like(hits.gain))
    over = np.full(len(lists), 1 / (1 - p))
    if normalised != "no":
        best = np.maximum(lists.reachable if normalised == "yes" else np.minimum(lists.relevant, lists.shown), 0)
        over = cumulated(best, np.power(p, np.arange(int(best.max(initial=0)), dtype=float)))
    return Ratio(hits.sum(weight), over)


def _refuse(values: Values) -> str | None:
    p = float(values["persistence"])
    if values["gain"] == "binary" and (reason := refuse_all_relevant(values)):
        return reason
    return None if 0 <= p < 1 else f"persistence is a probability below 1, not {values['persistence']}"


_WHY = "p = 0.8, a reader of 1 / (1 - p) = 5 items on average; not normalised (Moffat & Zobel 2008)"
RBP = Metric("rbp", "Rank-biased precision", (PERSISTENCE, NORMALISED, GAIN), rbp, _WHY, NO_NEGATIVES, refuse=_refuse)
