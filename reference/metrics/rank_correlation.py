"""Rank correlation: does the list's order agree with the user's preferences?

Kendall's tau on boolean relevance, (C - D) / (relevant × irrelevant) = 2 AUC - 1 (Schröder et al. 2011, §4.3, §5.2,
which gives no formula: this is tau-a over the pairs that differ in relevance); Spearman's rho between scores and
gains of the items that have both.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.metrics.auc import auc
from recsys_metric_audit.reference.metrics.contingency import informedness, table
from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.input_axes import RELEVANCE_BY_RULE
from recsys_metric_audit.reference.space.lists import Floats, Ints, Lists, Ratio
from recsys_metric_audit.reference.space.metric import Metric, Values, never, refuse_all_relevant, refuse_shared_ranks

# fmt: off
ORDER_OF = axis("compared", "which order of the items is compared", {
    "list": "the ranking",
    "limited": "the ranking of the first k, all others level after them",
    "recommended_or_not": "recommended (the first k) or not",
}, slug="partial-order")
# fmt: on


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


RANK_CORRELATION = (
    Metric(
        "kendall_tau", "Kendall's tau", (ORDER_OF,), kendall_tau,
        "over the whole ranking: what a rank correlation compares (Schröder et al. 2011, §4.3)",
        inert=frozenset({"positions", "cutoff"}), uses_k=_limited, negatives=lambda lists, **_: lists.negatives,
        refuse=_refuse_tau,
    ),
    Metric(
        "spearman_rho", "Spearman's rho", (), spearman_rho, "the textbook's, ties averaged",
        inert=frozenset({"positions", "cutoff", "no_negatives", "ties", "truth", "relevance"}), uses_k=never,
        inputs=(RELEVANCE_BY_RULE,), refuse=_refuse_rho,
    ),
)  # fmt: skip
