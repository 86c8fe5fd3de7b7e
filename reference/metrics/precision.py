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
    """H, or the gains of the hits."""
    return lists.hits.sum(lists.hits.gain if numerator == "gains" else 1.0)


def precision(lists: Lists, *, denominator: str, numerator: str) -> Ratio:
    """H / k, or over what is shown (Schröder et al. 2011, §4.2: tp / (tp + fp)), or over what can be hit."""
    over = {
        "k": lists.k, "shown": lists.shown, "min": lists.reachable,
        "min_shown": np.minimum(lists.relevant, lists.shown),
    }[denominator]  # fmt: skip
    return Ratio(hits_or_gains(lists, numerator), over.astype(float))


def by_hits(values: dict[str, str]) -> dict[str, str]:
    """What only counts hits looks at ranks to cut by them, whether those are places or irrelevant items above; and
    gains of 1 count what is there."""
    out = gains_of_one(merge_uncut_sets(values))
    return out if is_cut(out) or "positions" not in out else {**out, "positions": "list"}


def gains_of_one(values: dict[str, str]) -> dict[str, str]:
    """Where what is relevant has a gain of 1, gains count what is there."""
    return {**values, "numerator": "hits"} if values.get("relevance") == "equal_1" else values


def _same(values: Values) -> bool:
    """k is the same for every user; so is min(k, r) where r is 1."""
    one = values["denominator"] == "min" and is_single_mean(values)
    return one or (values["denominator"] == "k" and values.get("cutoff") != "none")


def _zero_one(values: Values) -> bool:
    """One hit or none, of the one that there can be."""
    hits = values["numerator"] == "hits" and "min" in values["denominator"]
    return hits and is_single_mean(values) and lists_once(values)


def _irrelevant(values: Values) -> str | None:
    """0 over k; and over what is shown to whoever has rows because the truth has none of them."""
    rows = (values.get("relevance"), values.get("candidates")) == ("every_row", "all")
    return "0" if values["denominator"] == "k" or (values["denominator"] == "shown" and rows) else None


def _simplify(values: dict[str, str]) -> dict[str, str]:
    """Where nothing is cut, k is the list's length, which is all that is shown."""
    out = by_hits(values)
    uncut = {"shown": "k", "min_shown": "min"} if out.get("cutoff") == "none" else {}
    return {**out, "denominator": uncut.get(out["denominator"], out["denominator"])}


PRECISION = Metric(
    "precision", "Precision", (DENOMINATOR, NUMERATOR), precision,
    "divided by k: the one reading on which the libraries of Tamm et al. 2021 (§4.1) agree",
    inert=frozenset({"no_negatives", "no_hit"}),
    unsigned=lambda values: values["numerator"] == "hits",
    same_denominator=_same, refuse=refuse_all_relevant, simplify=_simplify,
    empty_list_policy=lambda values: "nan" if "shown" in values["denominator"] else "0",
    no_relevant_policy=_irrelevant, k_divides=True,
    reads_r=lambda values: "min" in values["denominator"],
    vanishes=lambda values: "min" in values["denominator"], zero_one=_zero_one,
)  # fmt: skip
