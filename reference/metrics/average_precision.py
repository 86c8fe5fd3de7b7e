"""Average precision (and recall): precision at each hit, averaged.

AP@k = (1 / min(k, r)) · sum over hits of H_j / j, where H_j counts the hits down to rank j. Tamm et al. 2021, §4.4,
which names k, r and min(k, r) as denominators. MAP@R looks at the first r places only: Musgrave et al. 2020, §3.2.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Floats, Ints, Lists, Places, Ratio, harmonic
from recsys_metric_audit.reference.space.metric import Metric, refuse_all_relevant

# fmt: off
DENOMINATOR = axis("denominator", "what the sum is divided by", {
    "min": "min(k, r), the most hits there can be",
    "r": "r: the area under the precision-recall curve",
    "k": "the cut-off k",
    "hits": "the number of hits",
    "shown": "n = min(k, length of the list)",
    "min_shown": "min(r, n)",
    "cumulative": "min(1, r) + min(2, r) + ... + min(k, r)",
}, slug="wrong-denominator")
_RANKS = {
    "kept": "ranks of hits",
    "dropped": "all ranks of the list",
    "every": "all ranks down to the cut-off, those past the end of a short list too",
}
INDICATOR = axis("indicator", "over which ranks precision is summed",
    {**_RANKS, "first_r": "ranks of hits among the first r; hits further down are none"},
    slug="indicator-dropped", slugs={"first_r": "cut-off"},
    sources={"first_r": "Musgrave, Belongie & Lim 2020, A Metric Learning Reality Check, §3.2: MAP@R"})
RECALL_INDICATOR = axis("indicator", "over which ranks recall is summed", _RANKS, slug="indicator-dropped")
OVER = axis("over", "what is one ranking",
    {"user": "each user's list", "stacked": "all rows of all users together"}, slug="stacked")
# fmt: on


def _counted(lists: Lists, indicator: str) -> Places:
    """Return the hits that precision is summed over; with ``first_r`` those further down than rank r are none."""
    if indicator != "first_r":
        return lists.hits
    return lists.hits.where(lists.hits.rank <= lists.relevant[lists.hits.list])


def _hit_count(lists: Lists, *, denominator: str, indicator: str, over: str = "user") -> Ints:
    """Count the hits of each list."""
    return _counted(lists, indicator).count


def _denominator(lists: Lists, name: str, hits: Places) -> Floats:
    capped = np.minimum(lists.k, lists.relevant)
    rest = np.maximum(lists.k - lists.relevant, 0)
    over: dict[str, Ints] = {
        "min": lists.reachable,
        "r": lists.relevant,
        "k": lists.k,
        "hits": hits.count,
        "shown": lists.shown,
        "min_shown": np.minimum(lists.relevant, lists.shown),
        "cumulative": capped * (capped + 1) // 2 + rest * lists.relevant,
    }
    return over[name].astype(float)


def _last(lists: Lists, indicator: str) -> Ints:
    """Return, for each hit, the last rank of the sum where ranks without a hit are summed over too."""
    last = lists.depth if indicator == "every" else np.minimum(lists.depth, lists.length)
    return last[lists.hits.list]


def average_precision(lists: Lists, *, denominator: str, indicator: str, over: str = "user") -> Ratio:
    """Return the sum of precision@j over the hits (or over all ranks down to n or k) over the chosen denominator.

    With ``indicator:dropped`` a hit at rank p adds 1/p + 1/(p+1) + ... + 1/n. ``over`` acts where users are put
    together (:mod:`reference.evaluation.evaluate`). Tamm et al. 2021, §4.4; first r places: Musgrave et al. 2020, §3.2.
    """
    hits = _counted(lists, indicator)
    under = _denominator(lists, denominator, hits)
    if indicator in ("kept", "first_r"):
        return Ratio(hits.sum(hits.ordinal / hits.rank), under)
    return Ratio(hits.sum(harmonic(_last(lists, indicator)) - harmonic(hits.rank - 1)), under)


def average_recall(lists: Lists, *, denominator: str, indicator: str, over: str = "user") -> Ratio:
    """Return the sum of recall@j over the hits (or over all ranks) over the chosen denominator d.

    Over the hits it is H (H + 1) / (2 r d): the order inside the first k does not act.
    """
    hits, r = lists.hits, lists.relevant.astype(float)
    recalled = hits.ordinal if indicator == "kept" else _last(lists, indicator) - hits.rank + 1
    return Ratio(hits.sum(recalled), r * _denominator(lists, denominator, hits))


AVERAGE_PRECISION = Metric(
    "average_precision", "Average precision", (DENOMINATOR, INDICATOR, OVER), average_precision,
    "divided by min(k, r): 1 for a perfect list whatever k and r (Tamm et al. 2021, §4.4)",
    inert=frozenset({"no_negatives"}), across_users=("over",), stacked=("over", "stacked"), hits=_hit_count,
    refuse=refuse_all_relevant,
)  # fmt: skip
AVERAGE_RECALL = Metric(
    "average_recall", "Average recall", (DENOMINATOR, RECALL_INDICATOR, OVER), average_recall,
    "divided by min(k, r), as average precision is",
    inert=frozenset({"no_negatives"}), across_users=("over",), stacked=("over", "stacked"),
    refuse=refuse_all_relevant,
)  # fmt: skip
