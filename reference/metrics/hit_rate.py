"""Hit rate: whether anything relevant is shown.

hit_rate@k = 1 if H > 0 else 0. Tamm et al. 2021, §4.2.
"""

from __future__ import annotations

import numpy as np

from reference.axis import axis
from reference.lists import Lists, Ratio
from reference.metric import SET_AXES, Metric

COUNTS = axis(
    "counts", "what is counted",
    {
        "any": "1 if there is a hit",
        "hits": "the number of hits",
        "recall": "hits over r",
        "precision": "hits over k",
    },
    slug="hit-rate-as-count",
    slugs={"recall": "hit-rate-as-recall", "precision": "hit-rate-as-precision"},
)  # fmt: skip


def hit_rate(lists: Lists, *, counts: str) -> Ratio:
    """1[H > 0]; or H; or H / r (Tamm et al. 2021, §4.2 on CoupledCF and TriRank); or H / k."""
    hits, one = lists.hits.sum(1.0), np.ones(len(lists))
    over = {
        "any": one,
        "hits": one,
        "recall": lists.relevant.astype(float),
        "precision": lists.k.astype(float),
    }
    return Ratio(np.minimum(hits, 1.0) if counts == "any" else hits, over[counts])


HIT_RATE = Metric(
    "hit_rate", "Hit rate", (COUNTS,), hit_rate,
    "whether there is a hit: the definition that Tamm et al. 2021 (§4.2) start from",
    inert=SET_AXES | {"no_hit"},
)  # fmt: skip
