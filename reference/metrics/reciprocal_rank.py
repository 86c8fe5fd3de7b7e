"""Reciprocal rank: how high the first relevant item stands.

RR@k = 1 / rank of the first hit, 0 without one. Tamm et al. 2021, §4.3.
"""

from __future__ import annotations

import numpy as np

from reference.input.ordering import order_by
from reference.space.axis import axis
from reference.space.equalities import lists_once, order_shared_ranks
from reference.space.input_axes import first_copy_leads
from reference.space.lists import Lists, Ratio, harmonic
from reference.space.metric import (
    Metric,
    Values,
    averaging_ignores_r,
    has_single_relevant,
    is_single_formula,
    is_single_mean,
    refuse_all_relevant,
)

RANKS = axis(
    "ranks", "which ranks, and how they are put together",
    {
        "first": "1 / rank of the first hit",
        "sum": "sum of 1 / rank over all hits",
        "mean_hits": "that sum over the number of hits",
        "mean_relevant": "that sum over r",
        "normalised": "that sum over the largest it can be, 1 + 1/2 + ... + 1/min(k, r)",
        "normalised_shown": "that sum over the largest it can be in the list shown, 1 + 1/2 + ... + 1/min(r, n)",
        "top_only": "1 if the first item is a hit",
        "last": "1 / rank of the last hit",
        "best_gain": "1 / rank of the hit with the best gain (the first of them)",
    },
    slug="reciprocal-rank-of-all-hits",
    slugs={"top_only": "top-only", "last": "last-hit", "best_gain": "best-gain"},
)  # fmt: skip


def reciprocal_rank(lists: Lists, *, ranks: str) -> Ratio:
    """Return 1 / rank of the first hit, or another way to combine the ranks of the hits.

    Tamm et al. 2021, §4.3. The sum is ARHR: Deshpande & Karypis 2004 state it for one relevant item, Aggarwal 2016
    (equations 7.18 and 7.19) for any number.
    """
    hits, one = lists.hits, np.ones(len(lists))
    single = {
        "first": hits.ordinal == 1,
        "top_only": hits.rank == 1,
        "last": hits.ordinal == hits.count[hits.list],
    }
    if ranks in single:
        chosen = hits.where(single[ranks])
        if ranks == "top_only":
            return Ratio(np.minimum(chosen.sum(1.0), 1.0), one)
        return Ratio(chosen.sum(1.0 / chosen.rank), one)
    if ranks == "best_gain":
        best = order_by(hits.list, -hits.gain, hits.rank)
        start = np.concatenate([[True], hits.list[best][1:] != hits.list[best][:-1]])[: len(best)]
        keep = np.zeros(len(best), dtype=bool)
        keep[best[start]] = True
        chosen = hits.where(keep)
        return Ratio(chosen.sum(1.0 / chosen.rank), one)
    over = {
        "sum": one,
        "mean_hits": hits.count.astype(float),
        "mean_relevant": lists.relevant.astype(float),
        "normalised": harmonic(lists.reachable),
        "normalised_shown": harmonic(np.minimum(lists.relevant, np.maximum(lists.shown, 0))),
    }
    return Ratio(hits.sum(1.0 / hits.rank), over[ranks])


def _divided_by_one(values: Values) -> bool:
    """Return True if the denominator is 1."""
    return values["ranks"] not in ("mean_hits", "mean_relevant", "normalised", "normalised_shown")


def _same_denominator(values: Values) -> bool:
    """Return True if every user has a denominator of 1, as with one relevant item."""
    if values["ranks"] == "mean_relevant":
        return is_single_mean({**values, "cutoff": "k"})  # r does not depend on the cut-off
    return _divided_by_one(values) or (values["ranks"] == "normalised" and is_single_mean(values))


def simplify(values: dict[str, str]) -> dict[str, str]:
    """Return the provably equal point that stands for all its equals.

    - The first hit, the first place with the best gain, and the top row do not depend on copies further down.
    - A hit that counts twice has one rank, first or last.
    - Above the first hit all items are irrelevant, so that it does not act what a rank counts.
    - Where all hits of a user have one gain, the first hit is the best.
    """
    out = dict(values)
    if out["ranks"] == "normalised_shown":
        single = "users" in out and is_single_formula(out) and out["pooling"] != "pooled"
        if out.get("cutoff") == "none" or single:
            out["ranks"] = "normalised"  # the whole list is shown; or both maxima are those of one hit
    if out["ranks"] == "best_gain" and (has_single_relevant(out) or out.get("relevance") == "equal_1"):
        out["ranks"] = "first"
    if out["ranks"] in ("first", "top_only") and "positions" in out:
        out = order_shared_ranks({**out, "positions": "list"})
    if out["ranks"] == "best_gain" and out.get("truth_duplicates") in ("once", "r_only", "error"):
        out = order_shared_ranks(out)
    if out["ranks"] in ("first", "best_gain", "top_only") and first_copy_leads(out):
        same = {"first_in_place"} | ({"first_closed_up"} if out["ranks"] == "top_only" else set())
        listed = out["ranks"] != "best_gain" or out.get("positions") == "list"
        if out.get("duplicates") in same and (listed or out.get("cutoff", "k") in ("k", "none", "hits_uncut")):
            out["duplicates"] = "counted"
    # At a cut-off of k - 1 = 0 there is no hit, and that counts as 0.
    usual = out if out.get("no_hit") != "0" or out.get("cutoff") != "k_minus_1" else {**out, "cutoff": "k"}
    if "users" in out and is_single_formula(usual) and lists_once(out) and out["pooling"] != "pooled":
        # A single hit is the first, the last, the best and the only one.
        of_hits = out["ranks"] in ("last", "best_gain", "mean_hits")
        if of_hits or (out["ranks"] in ("sum", "mean_relevant", "normalised") and out["no_hit"] == "0"):
            out["ranks"] = "first"
    if (
        out["ranks"] in ("first", "last", "top_only")
        and averaging_ignores_r(out)
        and out.get("truth_duplicates") == "once"
    ):
        out["truth_duplicates"] = "counted"
    return out


def _refuse(values: Values) -> str | None:
    """Return why the values contradict each other, or None.

    Where all rows are relevant, the first row that may count is a hit, whichever rows may count.
    """
    return refuse_all_relevant({**values, "counted_scores": "any"})


RECIPROCAL_RANK = Metric(
    "reciprocal_rank", "Reciprocal rank", (RANKS,), reciprocal_rank,
    "the first hit: what the name says and all papers define (Tamm et al. 2021, §4.3)",
    inert=frozenset({"no_negatives"}),
    simplify=simplify, refuse=_refuse,
    unsigned=lambda values: True, same_denominator=_same_denominator,
    vanishes=lambda values: not _divided_by_one(values),
    reads_r=lambda values: values["ranks"] in ("mean_relevant", "normalised", "normalised_shown"),
    reads_k=lambda values: values["ranks"] in ("normalised", "normalised_shown"),
    has_denominator=lambda values: values["ranks"] != "mean_hits",
    empty_list_policy=lambda values: "nan" if values["ranks"] in ("mean_hits", "normalised_shown") else "0",
    no_relevant_policy=lambda values: "0" if _divided_by_one(values) else None, k_divides=True,
    over_r=lambda values: values["ranks"] == "mean_relevant", hits_divide=lambda values: values["ranks"] == "mean_hits",
    zero_by_convention=lambda values: values["ranks"] in ("first", "last", "best_gain"),  # no hit, no rank
    zero_one=lambda values: values["ranks"] == "top_only",
)  # fmt: skip
