"""F-score: precision and recall in one number.

F_beta@k = (1 + beta²) P R / (beta² P + R), P = H / d_P, R = H / d_R, that is (1 + beta²) H / (beta² d_R + d_P):
written so, it is defined (and 0) without a hit. Schröder et al. 2011, §4.2.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.metrics.average_precision import average_precision, average_recall
from recsys_metric_audit.reference.metrics.decision import DECISION, decided, decided_hits, refuse_decision
from recsys_metric_audit.reference.metrics.precision import precision as precision_ratio
from recsys_metric_audit.reference.metrics.recall import recall as recall_ratio
from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.lists import Floats, Lists, Ratio
from recsys_metric_audit.reference.space.metric import SET_AXES, Metric, Values, refuse_all_relevant

# fmt: off
OF = axis("of", "what is put together",
    {"users": "each user's precision and recall", "means": "the means of precision and of recall over users"},
    slug="f-of-means")
BETA = axis("beta", "weight of recall", {"1": "F1", "2": "F2", "0.5": "F0.5"}, slug="other-beta", numeric=(0.01, 100.0))
OPERANDS = axis("operands", "what is put together", {
    "precision_recall": "precision and recall",
    "average_precision_recall": "average precision and average recall",
}, slug="other-operands")
PRECISION = axis("precision", "denominator of precision (of average precision)",
    {"k": "k", "shown": "n = min(k, length)", "min": "min(k, r)"}, slug="wrong-denominator")
RECALL = axis("recall", "denominator of recall (of average recall)",
    {"r": "r", "min": "min(k, r)", "k": "k"}, slug="wrong-denominator")
# fmt: on


def operand_ratios(lists: Lists, operands: str, over_p: str, over_r: str) -> tuple[Ratio, Ratio]:
    """Return the ratios that F combines: precision and recall, or average precision and average recall."""
    if operands == "average_precision_recall":
        return (
            average_precision(lists, denominator=over_p, indicator="kept"),
            average_recall(lists, denominator=over_r, indicator="kept"),
        )
    return (
        precision_ratio(lists, denominator=over_p, numerator="hits"),
        recall_ratio(lists, denominator=over_r, numerator="hits"),
    )


def combine(first: Ratio, second: Ratio, beta: float) -> Ratio:
    """Return F_beta = (1 + beta²) P R / (beta² P + R) of two ratios, 0/0 where both are 0."""
    p, r = first.value, second.value
    return Ratio(np.nan_to_num((1 + beta**2) * p * r), np.nan_to_num(beta**2 * p + r))


def f_score(lists: Lists, *, of: str, beta: str, operands: str, precision: str, recall: str, decision: str) -> Ratio:
    """Return F_beta of each user.

    ``of`` acts where users are put together (:mod:`reference.evaluation.evaluate`). Schröder et al. 2011, §4.2.
    """
    lists = decided(lists, decision)
    weight = float(beta) ** 2
    if operands == "precision_recall":
        d_p = {"k": lists.k, "shown": lists.shown, "min": lists.reachable}[precision]
        d_r = {"r": lists.relevant, "min": lists.reachable, "k": lists.k}[recall]
        return Ratio((1 + weight) * lists.hits.sum(1.0), (weight * d_r + d_p).astype(float))
    return combine(*operand_ratios(lists, operands, precision, recall), float(beta))


def means(
    lists: Lists, *, of: str, beta: str, operands: str, precision: str, recall: str, decision: str
) -> tuple[Ratio, Ratio]:
    """Return both operands of each user, for ``of:means``: they are averaged over users before F combines them."""
    return operand_ratios(decided(lists, decision), operands, precision, recall)


def _combined(precision: Floats, recall: Floats, values: Values) -> Floats:
    """Return F of two means: 0 where both are 0, NaN where one of them is NaN."""
    ones = np.ones_like(precision)
    value = combine(Ratio(precision, ones), Ratio(recall, ones), float(values["beta"])).value
    return np.where(np.isnan(precision) | np.isnan(recall), np.nan, np.nan_to_num(value))


def _refuse(values: Values) -> str | None:
    plain = {"of": "users", "operands": "precision_recall", "precision": "k", "recall": "r"}
    if values["decision"] == "at_half" and any(values[name] != value for name, value in plain.items()):
        return "decision:at_half has one reading: hits over the rows of 0.5 and more, and over r"
    if reason := refuse_decision(values):
        return reason
    return refuse_all_relevant(values) if values["operands"] == "precision_recall" else None


F_SCORE = Metric(
    "f_score", "F-score", (OF, BETA, OPERANDS, PRECISION, RECALL, DECISION), f_score,
    "F1 of each user's H/k and H/r, then the mean: each user weighs the same, as in the other metrics",
    inert=SET_AXES, refuse=_refuse, across_users=("of",), operands=means, combine=_combined, hits=decided_hits,
    # Without a hit P + R is 0, and 2 P R / (P + R) is 0/0: that F is 0 then is a convention.
    zero_by_convention=lambda values: values["decision"] == "top_k"
    and (values["of"], values["operands"]) == ("users", "precision_recall"),
)  # fmt: skip
