"""PFound: the probability that a reader finds something before giving up.

PFound = sum over ranks j of R_j · product over i < j of (1 - R_i) · d, d = 0.85 the probability of going on. Gulin,
Karpovich, Raskovalov & Segalovich 2009, Yandex at ROMIP'2009 (with pBreak = 1 - d = 0.15); CatBoost's documentation
of PFound has R_j = the label, and d as ``decay``.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.metrics.err import TOP, reached, refuse_satisfaction, satisfaction_axis, stops
from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Lists, Ratio
from recsys_metric_audit.reference.space.metric import NO_NEGATIVES, Metric

# fmt: off
DECAY = axis("decay", "probability of going on after an item that does not satisfy", {"0.85": "0.85"},
    slug="other-persistence", numeric=(0.001, 0.999))
# fmt: on


def pfound(lists: Lists, *, satisfaction: str, top: str, decay: str) -> Ratio:
    """Return the sum over the hits of the probability to get there and to stop there. Gulin et al. 2009."""
    stop, hits = stops(lists, satisfaction, top), lists.hits
    looked = reached(lists, stop) * np.power(float(decay), hits.rank - 1.0)
    return Ratio(hits.sum(looked * stop), np.ones(len(lists)))


_WHY = "gains scaled to probabilities from 0 to 1, going on with 0.85 (Gulin et al. 2009; CatBoost)"
_AXES = (satisfaction_axis("linear"), TOP, DECAY)
PFOUND = Metric("pfound", "PFound", _AXES, pfound, _WHY, NO_NEGATIVES, refuse=refuse_satisfaction)
