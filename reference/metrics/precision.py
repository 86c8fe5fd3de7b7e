"""Precision: how many of the shown items are relevant.

precision@k = H / k, H the relevant items among the first k. Tamm et al. 2021 (Quality Metrics in Recommender
Systems), §4.1.
"""

from __future__ import annotations

import numpy as np

from reference.space.axis import axis
from reference.space.equalities import lists_once
from reference.space.lists import Floats, Lists, Ratio
from reference.space.metric import Metric, Values, is_cut, is_single_mean, merge_uncut_sets, refuse_all_relevant

DENOMINATOR = axis(
    "denominator", "what hits are divided by",
    {
        "k": "the cut-off k", "shown": "n = min(k, length of the list)", "min": "min(k, r)",
        "min_shown": "min(r, n)",
    },
    slug="wrong-denominator",
)  # fmt: skip
NUMERATOR = axis(
    "numerator", "what a hit counts", {"hits": "1", "gains": "its gain"}, slug="graded-hits",
)  # fmt: skip


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


def by_hits(values: dict[str, str]) -> dict[str, str]:
    """Return the point that stands for all its equals, for metrics that only count hits.

    Ranks act on them only where a list is cut, so that without a cut it does not act what a rank counts.
    """
    out = gains_of_one(merge_uncut_sets(values))
    return out if is_cut(out) or "positions" not in out else {**out, "positions": "list"}


def gains_of_one(values: dict[str, str]) -> dict[str, str]:
    """Return the point that counts hits where all gains are 1."""
    return {**values, "numerator": "hits"} if values.get("relevance") == "equal_1" else values


def _same_denominator(values: Values) -> bool:
    """Return True if every user has the same denominator: k, or min(k, r) where r is 1."""
    one = values["denominator"] == "min" and is_single_mean(values)
    return one or (values["denominator"] == "k" and values.get("cutoff") != "none")


def _zero_one(values: Values) -> bool:
    """Return True if every value is 0 or 1: one hit at most, over 1."""
    hits = values["numerator"] == "hits" and "min" in values["denominator"]
    return hits and is_single_mean(values) and lists_once(values)


def _no_relevant_policy(values: Values) -> str | None:
    """Return "0" if a user without relevant items surely has a denominator above 0, else None.

    k is above 0; n is if every truth row is relevant, because such a user then stands in the predictions only.
    """
    rows = (values.get("relevance"), values.get("candidates")) == ("every_row", "all")
    return "0" if values["denominator"] == "k" or (values["denominator"] == "shown" and rows) else None


def _simplify(values: dict[str, str]) -> dict[str, str]:
    """Return the point that stands for all its equals; without a cut-off k is the list's length, and so is n."""
    out = by_hits(values)
    uncut = {"shown": "k", "min_shown": "min"} if out.get("cutoff") == "none" else {}
    return {**out, "denominator": uncut.get(out["denominator"], out["denominator"])}


PRECISION = Metric(
    "precision", "Precision", (DENOMINATOR, NUMERATOR), precision,
    "divided by k: the one reading on which the libraries of Tamm et al. 2021 (§4.1) agree",
    inert=frozenset({"no_negatives", "no_hit"}),
    unsigned=lambda values: values["numerator"] == "hits",
    same_denominator=_same_denominator, refuse=refuse_all_relevant, simplify=_simplify,
    empty_list_policy=lambda values: "nan" if "shown" in values["denominator"] else "0",
    no_relevant_policy=_no_relevant_policy, k_divides=True,
    reads_r=lambda values: "min" in values["denominator"],
    vanishes=lambda values: "min" in values["denominator"], zero_one=_zero_one,
)  # fmt: skip
