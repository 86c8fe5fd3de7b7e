"""Recall: how many of the relevant items are shown.

recall@k = H / r. Tamm et al. 2021, §4.1.
"""

from __future__ import annotations

from recsys_metric_audit.reference.metrics.precision import NUMERATOR, hits_or_gains
from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Lists, Ratio
from recsys_metric_audit.reference.space.metric import NO_NEGATIVES, Metric, refuse_all_relevant

# fmt: off
DENOMINATOR = axis("denominator", "what hits are divided by", {
    "r": "the number of relevant items",
    "min": "min(k, r), so that 1 can be reached",
    "k": "the cut-off k",
    "hits": "the hits themselves",
}, slug="wrong-denominator")
# fmt: on


def recall(lists: Lists, *, denominator: str, numerator: str) -> Ratio:
    """Return H over r, min(k, r) (Liang et al. 2018, §4.2), k, or the hits; with gains, r is the sum of gains.

    Tamm et al. 2021, §4.1.
    """
    r = lists.ideal.sum(lists.ideal.gain) if numerator == "gains" else lists.relevant.astype(float)
    over = {"r": r, "min": lists.reachable, "k": lists.k, "hits": lists.hits.count}[denominator]
    return Ratio(hits_or_gains(lists, numerator), over.astype(float))


_WHY = "divided by r: the one reading on which the libraries of Tamm et al. 2021 (§4.1) agree"
RECALL = Metric("recall", "Recall", (DENOMINATOR, NUMERATOR), recall, _WHY, NO_NEGATIVES, refuse=refuse_all_relevant)
