"""Recall: how many of the relevant items are shown.

recall@k = H / r. Tamm et al. 2021, §4.1.
"""

from __future__ import annotations

from reference.metrics.precision import NUMERATOR, by_hits, hits_or_gains
from reference.space.axis import axis
from reference.space.equalities import lists_once, order_shared_ranks
from reference.space.input_axes import first_copy_leads, only_positive_gains
from reference.space.lists import Lists, Ratio
from reference.space.metric import (
    Metric,
    Values,
    averaging_ignores_r,
    is_cut,
    is_single_formula,
    is_single_mean,
    refuse_all_relevant,
)

DENOMINATOR = axis(
    "denominator", "what hits are divided by",
    {
        "r": "the number of relevant items",
        "min": "min(k, r), so that 1 can be reached",
        "k": "the cut-off k",
        "hits": "the hits themselves",
    },
    slug="wrong-denominator",
)  # fmt: skip


def recall(lists: Lists, *, denominator: str, numerator: str) -> Ratio:
    """Return H over r, min(k, r) (Liang et al. 2018, §4.2), k, or the hits; with gains, r is the sum of gains.

    Tamm et al. 2021, §4.1.
    """
    r = lists.ideal.sum(lists.ideal.gain) if numerator == "gains" else lists.relevant.astype(float)
    over = {"r": r, "min": lists.reachable, "k": lists.k, "hits": lists.hits.count}[denominator]
    return Ratio(hits_or_gains(lists, numerator), over.astype(float))


def simplify(values: dict[str, str]) -> dict[str, str]:
    """Return the provably equal point that stands for all its equals.

    Hits over hits are 1 as soon as there is a hit, however often it counts. With one relevant item r and min(k, r) are
    1.
    """
    out = dict(by_hits(values))
    if (out["denominator"], out["numerator"]) == ("hits", "hits"):
        if out.get("duplicates") == "first_in_place" and first_copy_leads(out):
            out["duplicates"] = "counted"
        if out.get("truth_duplicates") == "once" and averaging_ignores_r(out):
            out["truth_duplicates"] = "counted"
        if "positions" in out:
            out["positions"] = "list"  # above the first hit all items are irrelevant
        out = order_shared_ranks(out)
    whole = out["denominator"] == "r" and not is_cut(out) and out.get("weight") != "list_length"
    if whole and out.get("duplicates") == "first_closed_up":
        out["duplicates"] = "first_in_place"  # one copy counts either way, at whichever rank
    if "users" not in out or not is_single_formula(out):
        return out
    if out["denominator"] == "r" and only_positive_gains(out) and out["pooling"] != "pooled":
        out["numerator"] = "hits"  # with one item it is the item's gain over itself
    if out["numerator"] != "hits":
        return out
    # With one relevant item there is one hit or none.
    one_hit = out["no_hit"] == "0" and lists_once(out) and out["pooling"] != "pooled"
    if out["denominator"] == "min" or (out["denominator"] == "hits" and one_hit):
        out["denominator"] = "r"
    return out


def _same_denominator(values: Values) -> bool:
    """Return True if every user has the same denominator, above 0: k, or an r of 1."""
    one = (values["denominator"], values["numerator"]) == ("r", "hits") and is_single_mean(values)
    return one or (values["denominator"] == "k" and values.get("cutoff") not in ("none", "k_minus_1"))


def _zero_one(values: Values) -> bool:
    """Return True if every value is 0 or 1: hits over hits, or one hit at most over 1."""
    one = values["denominator"] in ("r", "min") and is_single_mean(values) and lists_once(values)
    return values["numerator"] == "hits" and (one or values["denominator"] == "hits")


def _empty_list_policy(values: Values) -> str | None:
    if values["denominator"] == "hits":
        return "nan"
    return "0" if _has_denominator(values) else None


def _has_denominator(values: Values) -> bool:
    return values["denominator"] in ("k", "min") or (values["denominator"], values["numerator"]) == ("r", "hits")


RECALL = Metric(
    "recall", "Recall", (DENOMINATOR, NUMERATOR), recall,
    "divided by r: the one reading on which the libraries of Tamm et al. 2021 (§4.1) agree",
    inert=frozenset({"no_negatives"}),
    simplify=simplify, refuse=refuse_all_relevant, empty_list_policy=_empty_list_policy,
    no_relevant_policy=lambda values: "0" if values["denominator"] == "k" else None, k_divides=True,
    over_r=lambda values: (values["denominator"], values["numerator"]) == ("r", "hits"),
    unsigned=lambda values: values["numerator"] == "hits",
    same_denominator=_same_denominator, hits_divide=lambda values: values["denominator"] == "hits",
    vanishes=lambda values: values["denominator"] != "k",
    reads_r=lambda values: values["denominator"] in ("r", "min"),
    reads_k=lambda values: values["denominator"] in ("min", "k"),
    has_denominator=_has_denominator, zero_one=_zero_one,
)  # fmt: skip
