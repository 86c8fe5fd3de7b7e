"""Hit rate: whether anything relevant is shown.

hit_rate@k = 1 if H > 0 else 0. Tamm et al. 2021, §4.2.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Lists, Ratio
from recsys_metric_audit.reference.space.metric import SET_AXES, Metric, refuse_all_relevant

# fmt: off
COUNTS = axis("counts", "what is counted", {
    "any": "1 if there is a hit",
    "hits": "the number of hits",
    "recall": "hits over r",
    "precision": "hits over k",
    "only": "1 if the only relevant item is hit, 0 where there are several",
}, slug="hit-rate-as-count", slugs={"recall": "hit-rate-as-recall", "precision": "hit-rate-as-precision"})
# fmt: on


def hit_rate(lists: Lists, *, counts: str) -> Ratio:
    """Return 1[H > 0], or what libraries report in its place: H, H / r, H / k, or 1[H > 0 and r = 1].

    Tamm et al. 2021, §4.2 (H / r: on CoupledCF and TriRank).
    """
    hits = lists.hits.sum(1.0)
    over = {"recall": lists.relevant.astype(float), "precision": lists.k.astype(float)}
    counted = {"any": np.minimum(hits, 1.0), "only": np.minimum(hits, 1.0) * (lists.relevant == 1)}
    return Ratio(counted.get(counts, hits), over.get(counts, np.ones(len(lists))))


_WHY = "whether there is a hit: the definition that Tamm et al. 2021 (§4.2) start from"
HIT_RATE = Metric("hit_rate", "Hit rate", (COUNTS,), hit_rate, _WHY, SET_AXES | {"no_hit"}, refuse=refuse_all_relevant)
