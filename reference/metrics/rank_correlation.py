"""Rank correlation: does the list's order agree with the user's preferences?

Kendall's tau on boolean relevance, (C - D) / (relevant × irrelevant) = 2 AUC - 1 (Schröder et al. 2011, §4.3, §5.2,
which gives no formula: this is tau-a over the pairs that differ in relevance); Spearman's rho between scores and
gains of the items that have both.
"""

from __future__ import annotations

import numpy as np

from reference.metrics.auc import auc
from reference.metrics.contingency import informedness, table
from reference.space.axis import axis
from reference.space.input_axes import RELEVANCE_BY_RULE
from reference.space.lists import Floats, Ints, Lists, Ratio
from reference.space.metric import (
    Metric,
    Values,
    averaging_ignores_length,
    merge_pair_sums,
    merge_rated_only,
    refuse_all_relevant,
    refuse_shared_ranks,
)

ORDER_OF = axis(
    "compared", "which order of the items is compared",
    {
        "list": "the ranking",
        "limited": "the ranking of the first k, all others level after them",
        "recommended_or_not": "recommended (the first k) or not",
    },
    slug="partial-order",
)  # fmt: skip


def kendall_tau(lists: Lists, *, compared: str) -> Ratio:
    """Return concordant minus discordant pairs of a relevant and an irrelevant item, over all such pairs.

    Schröder et al. 2011, §4.3 and, limited to the first k, §5.2.
    """
    if compared == "recommended_or_not":
        return informedness(table(lists, "candidates"))
    share = auc(
        lists, scope="user", list="full" if compared == "list" else "limited", tied_scores="half",
        negatives="exact", unlisted="lost",
    )  # fmt: skip
    return Ratio(2 * share.numerator - share.denominator, share.denominator)


def _average_ranks(values: Floats, group: Ints) -> Floats:
    """Return the 0-based rank of each value inside its group, ties averaged; shape of ``values``."""
    order = np.lexsort((values, group))
    same = np.ones(len(order), dtype=bool)
    same[1:] = (values[order][1:] != values[order][:-1]) | (group[order][1:] != group[order][:-1])
    first = np.flatnonzero(same)
    size = np.diff(np.append(first, len(order)))
    out = np.empty(len(order))
    out[order] = np.repeat(first + (size - 1) / 2, size)
    return out


def spearman_rho(lists: Lists) -> Ratio:
    """Return the correlation of the ranks by score and by gain of the relevant items in each list, ties averaged."""
    places = lists.listed
    count = np.maximum(places.count, 1)
    x, y = _average_ranks(lists.score, places.list), _average_ranks(places.gain, places.list)
    x = x - (places.sum(x) / count)[places.list]
    y = y - (places.sum(y) / count)[places.list]
    return Ratio(places.sum(x * y), np.sqrt(places.sum(x * x) * places.sum(y * y)))


def _simplify_tau(values: dict[str, str]) -> dict[str, str]:
    """Return the point that stands for all its equals.

    Over the whole ranking a tied pair is neither concordant nor discordant, so that the order of ties does not act.
    """
    values = merge_pair_sums(values)
    return {**values, "ties": "given"} if values["compared"] == "list" and "ties" in values else values


def _simplify_rho(values: dict[str, str]) -> dict[str, str]:
    """Return the point that stands for all its equals.

    - Scores are read, not ranks: it does not act whether a list closes up after a copy, nor how rows are ordered.
    - A user without a listed relevant item adds nothing to a ratio of sums.
    """
    out = dict(values)
    if out.get("duplicates") == "first_closed_up" and averaging_ignores_length(out):
        out["duplicates"] = "first_in_place"
    if out.get("duplicates") == "counted":
        out["order"] = "score"
    if (out.get("users"), out.get("pooling")) == ("hits", "pooled") and out["no_hit"] in ("0", "skip", "error"):
        out |= {"users": "truth", "no_list": "error" if out["no_list"] == "error" else "0"}
    return merge_rated_only(out)


def _refuse_rho(values: Values) -> str | None:
    if values["users"] == "one_relevant":
        return "users:one_relevant leaves one item a user, and one item has no rank correlation"
    return (
        "relevance:equal_1 leaves one gain, and what is all equal has no order"
        if values["relevance"] == "equal_1"
        else None
    )


def _refuse_tau(values: Values) -> str | None:
    return refuse_all_relevant(values) or (refuse_shared_ranks(values) if _limited(values) else None)


def _limited(values: Values) -> bool:
    return values["compared"] != "list"


def _never(values: Values) -> bool:
    return False


RANK_CORRELATION = (
    Metric(
        "kendall_tau", "Kendall's tau", (ORDER_OF,), kendall_tau,
        "over the whole ranking: what a rank correlation compares (Schröder et al. 2011, §4.3)",
        inert=frozenset({"positions", "cutoff"}), uses_k=_limited,
        proportional=lambda values: False, negatives=lambda lists, **_: lists.negatives, simplify=_simplify_tau,
        refuse=_refuse_tau, reads_k=lambda values: False, has_denominator=lambda values: True,
        vanishes=lambda values: True, empty_list_policy=lambda values: "nan", no_relevant_policy=lambda values: "nan",
    ),
    Metric(
        "spearman_rho", "Spearman's rho", (), spearman_rho, "the textbook's, ties averaged",
        inert=frozenset({"positions", "cutoff", "no_negatives", "ties", "truth", "relevance"}), uses_k=_never,
        inputs=(RELEVANCE_BY_RULE,),
        reads_r=lambda values: False, simplify=_simplify_rho, refuse=_refuse_rho, vanishes=lambda values: True,
        empty_list_policy=lambda values: "nan", no_relevant_policy=lambda values: "nan",
        # The numerator is 0 where the denominator is (Cauchy-Schwarz inequality).
        adds_nothing=lambda values: frozenset({"no_list", "no_hit"}), needs_hit=lambda values: True,
    ),
)  # fmt: skip
