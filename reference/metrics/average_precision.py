"""Average precision (and recall): precision at each hit, averaged.

AP@k = (1 / min(k, r)) · sum over hits of H_j / j, where H_j counts the hits down to rank j. Tamm et al. 2021, §4.4,
which names k, r and min(k, r) as denominators.
"""

from __future__ import annotations

import numpy as np

from reference.space.axis import axis
from reference.space.equalities import lists_once
from reference.space.lists import Floats, Ints, Lists, Ratio, harmonic
from reference.space.metric import (
    Metric,
    Values,
    is_single_formula,
    is_single_mean,
    merge_uncut_sets,
    refuse_all_relevant,
)

DENOMINATOR = axis(
    "denominator", "what the sum is divided by",
    {
        "min": "min(k, r), the most hits there can be",
        "r": "r: the area under the precision-recall curve",
        "k": "the cut-off k",
        "hits": "the number of hits",
        "shown": "n = min(k, length of the list)",
        "min_shown": "min(r, n)",
        "cumulative": "min(1, r) + min(2, r) + ... + min(k, r)",
    },
    slug="wrong-denominator",
)  # fmt: skip
INDICATOR = axis(
    "indicator", "over which ranks precision is summed",
    {
        "kept": "ranks of hits",
        "dropped": "all ranks of the list",
        "every": "all ranks down to the cut-off, those past the end of a short list too",
    },
    slug="indicator-dropped",
)  # fmt: skip
OVER = axis(
    "over", "what is one ranking",
    {"user": "each user's list", "stacked": "all rows of all users together"}, slug="stacked",
)  # fmt: skip


def _denominator(lists: Lists, name: str) -> Floats:
    capped = np.minimum(lists.k, lists.relevant)
    rest = np.maximum(lists.k - lists.relevant, 0)
    over: dict[str, Ints] = {
        "min": lists.reachable,
        "r": lists.relevant,
        "k": lists.k,
        "hits": lists.hits.count,
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
    together (:mod:`reference.evaluation.evaluate`). Tamm et al. 2021, §4.4.
    """
    hits = lists.hits
    if indicator == "kept":
        return Ratio(hits.sum(hits.ordinal / hits.rank), _denominator(lists, denominator))
    tail = harmonic(_last(lists, indicator)) - harmonic(hits.rank - 1)
    return Ratio(hits.sum(tail), _denominator(lists, denominator))


def average_recall(lists: Lists, *, denominator: str, indicator: str, over: str = "user") -> Ratio:
    """Return the sum of recall@j over the hits (or over all ranks) over the chosen denominator d.

    Over the hits it is H (H + 1) / (2 r d): the order inside the first k does not act.
    """
    hits, r = lists.hits, lists.relevant.astype(float)
    recalled = hits.ordinal if indicator == "kept" else _last(lists, indicator) - hits.rank + 1
    return Ratio(hits.sum(recalled), r * _denominator(lists, denominator))


def _simplify(values: dict[str, str]) -> dict[str, str]:
    """Return the provably equal point that stands for all its equals.

    - Without a cut-off all ranks are those of the list, and k is its length, which is all that is shown.
    - With one relevant item r, min(k, r) and min(r, n) are 1 (in a list that is not empty), the cumulative denominator
      is k, and there is one hit or none.
    """
    out = dict(values)
    if out.get("cutoff") in ("none", "hits_uncut") and out["indicator"] == "every":
        out["indicator"] = "dropped"
    if out.get("cutoff") == "none":
        out["denominator"] = {"shown": "k", "min_shown": "min"}.get(out["denominator"], out["denominator"])
    if "users" not in out or out["over"] == "stacked" or not is_single_formula(out):
        return out
    over = {"r": "min", "cumulative": "k"}
    if out["pooling"] != "pooled":
        over["min_shown"] = "min"
        if out["no_hit"] == "0" and lists_once(out):
            over["hits"] = "min"
    out["denominator"] = over.get(out["denominator"], out["denominator"])
    return out


def _simplify_recall(values: dict[str, str]) -> dict[str, str]:
    """Return the point that stands for all its equals; over the hits, average recall depends on their number only."""
    out = _simplify(values)
    return merge_uncut_sets(out) if out["indicator"] == "kept" else out


def _same_recall_denominator(values: Values) -> bool:
    """Return True if r · min(k, r) is 1 for every user."""
    return (values["over"], values["denominator"]) == ("user", "min") and is_single_mean(values)


def _divided_by_hits(values: Values) -> bool:
    return values["denominator"] == "hits"


def _divided_by_r(values: Values) -> bool:
    return values["denominator"] == "r"


def _no_relevant_policy(values: Values) -> str | None:
    return {"k": "0", "hits": "nan"}.get(values["denominator"])


def _same_denominator(values: Values) -> bool:
    """Return True if every user has the same denominator: k, or min(k, r) where r is 1."""
    one = values["denominator"] == "min" and is_single_mean(values)
    return values["over"] == "user" and (one or (values["denominator"] == "k" and values.get("cutoff") != "none"))


def _empty_list_policy(values: Values) -> str | None:
    return "0" if values["denominator"] in ("min", "r", "k", "cumulative") else "nan"


def _reads_k(values: Values) -> bool:
    """Return True if k acts beyond the depth of hits; with one relevant item min(k, r) is 1."""
    min_of_one = values["denominator"] == "min" and values["over"] == "user" and is_single_formula(values)
    return not (min_of_one or values["denominator"] in ("r", "hits")) or values["indicator"] == "every"


AVERAGE_PRECISION = Metric(
    "average_precision", "Average precision", (DENOMINATOR, INDICATOR, OVER), average_precision,
    "divided by min(k, r): 1 for a perfect list whatever k and r (Tamm et al. 2021, §4.4)",
    inert=frozenset({"no_negatives"}), across_users=("over",), stacked=("over", "stacked"),
    same_denominator=_same_denominator,
    vanishes=lambda values: values["denominator"] not in ("k", "shown"),
    reads_r=lambda values: values["denominator"] not in ("k", "hits", "shown"),
    reads_k=_reads_k, has_denominator=lambda values: values["denominator"] != "hits",
    empty_list_policy=_empty_list_policy,
    no_relevant_policy=_no_relevant_policy, unsigned=lambda values: True, k_divides=True, over_r=_divided_by_r,
    simplify=_simplify,
    refuse=refuse_all_relevant, hits_divide=_divided_by_hits,
)  # fmt: skip
AVERAGE_RECALL = Metric(
    "average_recall", "Average recall", (DENOMINATOR, INDICATOR, OVER), average_recall,
    "divided by min(k, r), as average precision is",
    inert=frozenset({"no_negatives"}), across_users=("over",), stacked=("over", "stacked"),
    vanishes=lambda values: True, reads_k=_reads_k,
    has_denominator=lambda values: values["denominator"] != "hits", empty_list_policy=_empty_list_policy,
    unsigned=lambda values: True, k_divides=True, simplify=_simplify_recall, refuse=refuse_all_relevant,
    same_denominator=_same_recall_denominator, hits_divide=_divided_by_hits,
)  # fmt: skip
