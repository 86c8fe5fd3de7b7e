"""Ratios of the contingency table at k: recommended or not, against relevant or not, over the candidates.

tp = H, fp = n - H, fn = r - H, tn = the rest of the candidates. Schröder, Thiele & Lehner 2011 (Setting Goals and
Choosing Metrics for Recommender System Evaluations), §4.2 and, after Powers, §5.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from recsys_metric_audit.reference.metrics.decision import DECISION, decided, decided_hits, refuse_decision
from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Floats, Ints, Lists, Ratio
from recsys_metric_audit.reference.space.metric import (
    SET_AXES,
    Metric,
    Values,
    is_cut,
    refuse_all_relevant,
    refuse_shared_ranks,
)

# fmt: off
NEGATIVES = axis("negatives", "which items can be recommended", {
    "candidates": "those in the user's list, and the relevant ones",
    "catalogue": "every item",
    "with_train": "the candidates and the user's train items",
}, slug="wrong-negatives")
SHORT_LISTS = axis("short_lists", "a list of fewer than k rows",
    {"listed": "has as many as it has", "filled": "counts as k rows: fp = k - tp"}, slug="short-list-filled")
# fmt: on


@dataclass(frozen=True, eq=False)
class Table:
    """The four counts of each list, as floats of shape (lists,)."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats


def irrelevant(lists: Lists, *, negatives: str, **_: str) -> Ints:
    """Return the number of irrelevant items that could be recommended to each list's user; shape (lists,)."""
    if negatives == "catalogue":
        return lists.catalogue - lists.relevant
    return lists.negatives + (lists.train if negatives == "with_train" else 0)


def needed(lists: Lists, *, decision: str = "top_k", **values: str) -> Ints:
    """Return the number of irrelevant items of each list, 1 where accuracy needs none: where scores decide."""
    return np.ones(len(lists), dtype=np.int64) if decision == "at_half" else irrelevant(lists, **values)


def table(lists: Lists, negatives: str, short_lists: str = "listed") -> Table:
    """Return the contingency table of the first k of each list.

    A place that counts twice is two items. A cell is below 0 only if a short list is filled up with more rows than
    there are items.
    """
    tp, fp = lists.hits.sum(1.0), lists.shown_negatives.astype(float)
    if short_lists == "filled":
        fp += np.maximum(lists.depth - lists.length, 0)
    return Table(tp, fp, lists.positives - tp, irrelevant(lists, negatives=negatives) - fp)


def fallout(t: Table) -> Ratio:
    """Return fp / (fp + tn)."""
    return Ratio(t.fp, t.fp + t.tn)


def miss_rate(t: Table) -> Ratio:
    """Return fn / (tp + fn)."""
    return Ratio(t.fn, t.tp + t.fn)


def inverse_precision(t: Table) -> Ratio:
    """Return tn / (fn + tn)."""
    return Ratio(t.tn, t.fn + t.tn)


def inverse_recall(t: Table) -> Ratio:
    """Return tn / (fp + tn)."""
    return Ratio(t.tn, t.fp + t.tn)


def accuracy(t: Table) -> Ratio:
    """Return (tp + tn) / (tp + fp + fn + tn)."""
    return Ratio(t.tp + t.tn, t.tp + t.fp + t.fn + t.tn)


def informedness(t: Table) -> Ratio:
    """Return recall + inverse recall - 1 = (tp tn - fp fn) / ((tp + fn)(fp + tn))."""
    return Ratio(t.tp * t.tn - t.fp * t.fn, (t.tp + t.fn) * (t.fp + t.tn))


def markedness(t: Table) -> Ratio:
    """Return precision + inverse precision - 1 = (tp tn - fp fn) / ((tp + fp)(fn + tn))."""
    return Ratio(t.tp * t.tn - t.fp * t.fn, (t.tp + t.fp) * (t.fn + t.tn))


def matthews_correlation(t: Table) -> Ratio:
    """Return (tp tn - fp fn) / sqrt((tp + fn)(fp + tn)(tp + fp)(fn + tn))."""
    product = (t.tp + t.fn) * (t.fp + t.tn) * (t.tp + t.fp) * (t.fn + t.tn)
    return Ratio(t.tp * t.tn - t.fp * t.fn, np.sqrt(np.maximum(product, 0)))


def mean_average_markedness(lists: Lists, *, negatives: str) -> Ratio:
    """Return markedness summed over the ranks of the hits, over r; a rank at which markedness is 0/0 adds nothing.

    Schröder et al. 2011, §5.1, last paragraph: average precision (§4.2) with markedness in the place of precision.
    """
    hits = lists.hits
    tp, fp = hits.ordinal.astype(float), lists.irrelevant_above[lists.inside].astype(float)
    fn, tn = lists.positives[hits.list] - tp, irrelevant(lists, negatives=negatives)[hits.list] - fp
    terms = markedness(Table(tp, fp, fn, tn)).value
    return Ratio(hits.sum(np.nan_to_num(terms)), lists.relevant.astype(float))


def _at_k(measure: Callable[[Table], Ratio]) -> Callable[..., Ratio]:
    def formula(lists: Lists, *, negatives: str, short_lists: str, decision: str) -> Ratio:
        return measure(table(decided(lists, decision), negatives, short_lists))

    formula.__doc__ = measure.__doc__
    return formula


def _is_whole(values: Values) -> bool:
    """Return True if every row of a list counts as recommended."""
    return values["decision"] == "top_k" and not is_cut(values)


def _refuse(values: Values) -> str | None:
    if values["negatives"] == "candidates" and (reason := refuse_all_relevant(values)):
        return reason
    if "decision" in values and (reason := refuse_decision(values)):
        return reason
    return refuse_shared_ranks(values)


def _refuse_uncut(values: Values) -> str | None:
    """Return why the values contradict each other, for ratios over the items that are not recommended."""
    if values["negatives"] == "candidates" and _is_whole(values):
        return f"cutoff:{values['cutoff']} recommends every candidate: no irrelevant one is left"
    return _refuse(values)


def _metric(
    name: str,
    title: str,
    measure: Callable[[Table], Ratio],
    *,
    needs: Callable[..., Ints] = irrelevant,
    refuse: Callable[[Values], str | None] = _refuse,
) -> Metric:
    """Return a metric of the table at k; ``needs`` counts the irrelevant items without which it says nothing."""
    return Metric(
        name, title, (NEGATIVES, SHORT_LISTS, DECISION), _at_k(measure),
        "over the candidates that were ranked (Schröder et al. 2011, §4.2)",
        inert=SET_AXES - {"no_negatives"}, negatives=needs, refuse=refuse, hits=decided_hits,
    )  # fmt: skip


CONTINGENCY = (
    _metric("fallout", "Fallout", fallout),
    Metric(
        "miss_rate", "Miss rate", (), lambda lists: miss_rate(table(lists, "candidates")),
        "of all relevant items, as recall: the irrelevant ones do not act (Schröder et al. 2011, §4.2)",
        inert=SET_AXES, refuse=refuse_all_relevant,
    ),
    _metric("inverse_precision", "Inverse precision", inverse_precision, refuse=_refuse_uncut),
    _metric("inverse_recall", "Inverse recall", inverse_recall, refuse=_refuse_uncut),
    _metric("accuracy", "Accuracy", accuracy, needs=needed),
    _metric("informedness", "Informedness", informedness),
    _metric("markedness", "Markedness", markedness),
    _metric("matthews_correlation", "Matthews correlation", matthews_correlation),
    Metric(
        "mean_average_markedness", "Mean average markedness", (NEGATIVES,), mean_average_markedness,
        "over the candidates that were ranked (Schröder et al. 2011, §4.2)",
        inert=SET_AXES - {"no_negatives"}, negatives=irrelevant, refuse=_refuse,
    ),
)  # fmt: skip
