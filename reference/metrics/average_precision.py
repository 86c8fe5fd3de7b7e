"""Average precision (and recall): precision at each hit, averaged.

AP@k = (1 / min(k, r)) · sum over hits of H_j / j, where H_j counts the hits down to rank j. Tamm et al. 2021, §4.4,
which names k, r and min(k, r) as denominators. MAP@R looks at the first r places only: Musgrave et al. 2020, §3.2.
"""

from __future__ import annotations

import numpy as np

from reference.space.axis import axis
from reference.space.equalities import lists_once
from reference.space.input_axes import first_copy_leads
from reference.space.lists import Floats, Ints, Lists, Places, Ratio, harmonic
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
_RANKS = {
    "kept": "ranks of hits",
    "dropped": "all ranks of the list",
    "every": "all ranks down to the cut-off, those past the end of a short list too",
}
INDICATOR = axis(
    "indicator", "over which ranks precision is summed",
    {**_RANKS, "first_r": "ranks of hits among the first r; hits further down are none"},
    slug="indicator-dropped", slugs={"first_r": "cut-off"},
    sources={"first_r": "Musgrave, Belongie & Lim 2020, A Metric Learning Reality Check, §3.2: MAP@R"},
)  # fmt: skip
RECALL_INDICATOR = axis("indicator", "over which ranks recall is summed", _RANKS, slug="indicator-dropped")
OVER = axis(
    "over", "what is one ranking",
    {"user": "each user's list", "stacked": "all rows of all users together"}, slug="stacked",
)  # fmt: skip


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


def _simplify(values: dict[str, str]) -> dict[str, str]:
    """Return the provably equal point that stands for all its equals.

    - Without a cut-off all ranks are those of the list, and k is its length, which is all that is shown.
    - With one relevant item r, min(k, r) and min(r, n) are 1 (in a list that is not empty), the cumulative denominator
      is k, and there is one hit or none.
    - The first r places are then the top row: how deep hits count does not act, and copies further down are no hits.
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
    return _simplify_top_row(out) if _reads_top_row(out) else out


def _reads_top_row(values: Values) -> bool:
    """Return True if a user's value is 1 with the relevant item in the top row, else 0; some rows may share a rank."""
    first = (values["indicator"], values["denominator"], values["over"]) == ("first_r", "min", "user")
    return first and values["pooling"] != "pooled" and is_single_formula(values)


def _is_one_row(values: Values) -> bool:
    """Return True if no two hits can stand at rank 1."""
    return lists_once(values) or (values["positions"] == "list" and values["ties"] != "shared")


def _simplify_top_row(values: dict[str, str]) -> dict[str, str]:
    """Return the point that stands for its equals if the top row alone counts, at any cut-off of 1 and more."""
    out = {**values, "cutoff": "none"}
    closed = values["duplicates"] == "first_closed_up" and values["weight"] == "list_length"
    if first_copy_leads(out) and _is_one_row({**out, "duplicates": "counted"}) and not closed:
        out["duplicates"] = {"first_in_place": "counted", "first_closed_up": "counted"}.get(
            out["duplicates"], out["duplicates"]
        )
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
    reads_r=lambda values: values["indicator"] == "first_r" or values["denominator"] not in ("k", "hits", "shown"),
    reads_k=_reads_k, has_denominator=lambda values: values["denominator"] != "hits",
    empty_list_policy=_empty_list_policy,
    no_relevant_policy=_no_relevant_policy, unsigned=lambda values: True, k_divides=True, over_r=_divided_by_r,
    simplify=_simplify, hits=_hit_count, zero_one=lambda values: _reads_top_row(values) and _is_one_row(values),
    refuse=refuse_all_relevant, hits_divide=_divided_by_hits,
)  # fmt: skip
AVERAGE_RECALL = Metric(
    "average_recall", "Average recall", (DENOMINATOR, RECALL_INDICATOR, OVER), average_recall,
    "divided by min(k, r), as average precision is",
    inert=frozenset({"no_negatives"}), across_users=("over",), stacked=("over", "stacked"),
    vanishes=lambda values: True, reads_k=_reads_k,
    has_denominator=lambda values: values["denominator"] != "hits", empty_list_policy=_empty_list_policy,
    unsigned=lambda values: True, k_divides=True, simplify=_simplify_recall, refuse=refuse_all_relevant,
    same_denominator=_same_recall_denominator, hits_divide=_divided_by_hits,
)  # fmt: skip
