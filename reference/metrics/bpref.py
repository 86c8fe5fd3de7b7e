"""Binary preference: how many rated irrelevant items stand above the relevant ones; unrated items are skipped.

bpref = (1 / r) · sum over the relevant items in the list of 1 - n / min(r, N), n the rated irrelevant items above (at
most r), N all of them (or the irrelevant rows of the list, if those are more: items given twice). Buckley & Voorhees
2004, Retrieval evaluation with incomplete information, divide by r; min(r, N) is trec_eval's (m_bpref.c).
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Lists, Ratio
from recsys_metric_audit.reference.space.metric import SET_AXES, Metric, Values, never, refuse_all_relevant

# fmt: off
BOUND = axis("bound", "what the irrelevant items above are divided by, and how many of them count", {
    "min": "min(r, N); at most r of them",
    "r": "r; at most r of them",
    "r_plus_10": "r + 10; at most r + 10 of them (bpref-10)",
}, slug="bpref-bound",
    sources=dict.fromkeys(
    ("r", "r_plus_10"),
    "Buckley & Voorhees 2004, Retrieval evaluation with incomplete information, doi 10.1145/1008992.1009000",
    ))
# fmt: on


def bpref(lists: Lists, *, bound: str) -> Ratio:
    """Return preferences kept over r, per list; the lists hold rated items only (``candidates:test_only``)."""
    listed, r = lists.listed, lists.relevant
    most = r + 10 if bound == "r_plus_10" else r
    over = np.minimum(r, np.maximum(lists.rated - r, lists.negatives)) if bound == "min" else most
    above = np.minimum(lists.irrelevant_above, most[listed.list])
    lost = np.divide(above, over[listed.list], out=np.zeros(len(above)), where=above > 0)
    return Ratio(listed.sum(1 - lost), r.astype(float))


def _refuse(values: Values) -> str | None:
    if values["candidates"] != "test_only":
        return "bpref reads rated items only: candidates:test_only"
    return refuse_all_relevant(values)


BPREF = Metric(
    "bpref", "Binary preference", (BOUND,), bpref, "as trec_eval has it: 1 for a perfect list whatever N",
    inert=SET_AXES | {"no_hit", "cutoff"}, refuse=_refuse, uses_k=never, lists_as_given=True,
    canonical_overrides={"candidates": "test_only", "relevance": "at_least_t"},
)  # fmt: skip
