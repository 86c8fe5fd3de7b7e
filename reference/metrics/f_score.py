"""F-score: precision and recall in one number.

F_beta@k = (1 + beta²) P R / (beta² P + R), P = H / d_P, R = H / d_R, that is (1 + beta²) H / (beta² d_R + d_P):
written so, it is defined (and 0) without a hit. Schröder et al. 2011, §4.2.
"""

from __future__ import annotations

import numpy as np

from reference.metrics.average_precision import average_precision, average_recall
from reference.metrics.decision import DECISION, decided, decided_hits, refuse_decision, simplify_decision
from reference.metrics.precision import precision as precision_ratio
from reference.metrics.recall import recall as recall_ratio
from reference.space.axis import axis
from reference.space.lists import Floats, Lists, Ratio
from reference.space.metric import SET_AXES, Metric, Values, is_single_mean, merge_uncut_sets, refuse_all_relevant

OF = axis(
    "of", "what is put together",
    {"users": "each user's precision and recall", "means": "the means of precision and of recall over users"},
    slug="f-of-means",
)  # fmt: skip
BETA = axis("beta", "weight of recall", {"1": "F1", "2": "F2", "0.5": "F0.5"}, slug="other-beta", numeric=(0.01, 100.0))
OPERANDS = axis(
    "operands", "what is put together",
    {
        "precision_recall": "precision and recall",
        "average_precision_recall": "average precision and average recall",
    },
    slug="other-operands",
)  # fmt: skip
PRECISION = axis(
    "precision", "denominator of precision (of average precision)",
    {"k": "k", "shown": "n = min(k, length)", "min": "min(k, r)"}, slug="wrong-denominator",
)  # fmt: skip
RECALL = axis(
    "recall", "denominator of recall (of average recall)",
    {"r": "r", "min": "min(k, r)", "k": "k"}, slug="wrong-denominator",
)  # fmt: skip


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


def f_score(
    lists: Lists, *, of: str, beta: str, operands: str, precision: str, recall: str, decision: str
) -> Ratio:  # fmt: skip
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
) -> tuple[Ratio, Ratio]:  # fmt: skip
    """Return both operands of each user, for ``of:means``: they are averaged over users before F combines them."""
    return operand_ratios(decided(lists, decision), operands, precision, recall)


def _combined(precision: Floats, recall: Floats, values: Values) -> Floats:
    """Return F of two means: 0 where both are 0, NaN where one of them is NaN."""
    ones = np.ones_like(precision)
    value = combine(Ratio(precision, ones), Ratio(recall, ones), float(values["beta"])).value
    return np.where(np.isnan(precision) | np.isnan(recall), np.nan, np.nan_to_num(value))


def simplify(values: dict[str, str]) -> dict[str, str]:
    """Return the provably equal point that stands for all its equals.

    F = (1 + b²) H / (b² d_R + d_P). With d_P = d_R it is H / d whatever beta is. Swapping d_P and d_R has the effect
    of 1 / beta; the point with fewer axes off their canonical values is taken.
    """
    if values["decision"] == "at_half":
        # A score of 0.5 and more is neither 0 nor below, and no other row is read.
        unread = {"counted_scores": "any"} if "counted_scores" in values else {}
        return simplify_decision(values) | unread
    if values.get("cutoff") == "none" and values["precision"] == "shown":
        values = {**values, "precision": "k"}  # k is the list's length, which is all that is shown
    values = _harmonic_means(values) if "users" in values else values
    if values["operands"] != "precision_recall":
        # With one relevant item r and min(k, r) are 1.
        single = values["recall"] == "min" and "users" in values and is_single_mean(values)
        return {**values, "recall": "r"} if single else values
    values = _of_one(merge_uncut_sets(values))
    values = _of_sums(values) if "users" in values else values
    if values["of"] == "means":
        return values
    if values["precision"] == values["recall"]:
        return {**values, "beta": "1"}
    beta = float(values["beta"])
    if (values["precision"], values["recall"]) == ("min", "k") and beta != 0:
        return {**values, "precision": "k", "recall": "min", "beta": f"{1 / beta:.17g}"}
    return values


def _of_one(values: dict[str, str]) -> dict[str, str]:
    """Return the point that stands for all its equals where every user has one relevant item.

    r and min(k, r) are 1, so that all users share d_P and d_R: F is H times a constant, and F of the mean H is the
    mean F.
    """
    if "users" not in values or not is_single_mean(values):
        return values
    out = {**values, "recall": "r" if values["recall"] == "min" else values["recall"]}
    plain = values["mean"] == "arithmetic" and values["no_list"] in (
        "0",
        "skip",
        "nan",
        "error",
        "ends_all",
        "previous",
    )
    if plain and out["of"] == "means" and out["precision"] != "shown" and values.get("cutoff") != "none":
        return {**out, "of": "users", "no_hit": "0"}
    return out


def _of_sums(values: dict[str, str]) -> dict[str, str]:
    """Return the point with ``of:users`` where F of means is provably equal to it.

    - Pooled, F is (1 + b²) ΣH / (b² Σd_R + Σd_P): the ratio of the sums of its terms.
    - With d_P = d_R, P = R = F for each user and for the means: (1 + b²) P P / (b² P + P) = P.
    """
    same = values["precision"] == values["recall"]
    pooled = values["pooling"] == "pooled" and values["precision"] != "shown"
    usual = values.get("cutoff", "k") not in ("none", "k_minus_1") and values["no_hit"] == "0"
    edges = "formula" not in (values["undefined"], values["no_list"])
    return {**values, "of": "users"} if (same or pooled) and usual and edges else values


def _harmonic_means(values: dict[str, str]) -> dict[str, str]:
    """Return the point with ``of:users`` where F of harmonic means is the harmonic mean of F.

    1 / F is a weighted mean of 1 / P and 1 / R, and the inverse of a harmonic mean is the mean of inverses. This
    needs 0 for users without a hit and edges that give both operands one value. It fails where ties are averaged: F of
    the expected P and R is not the expected F.
    """
    edges = "formula" not in (values["undefined"], values["no_list"]) and values["no_hit"] == "0"
    usual = values.get("cutoff", "k") != "k_minus_1" and values.get("ties") != "average"
    if values["of"] == "means" and values["mean"] == "harmonic" and values["pooling"] != "pooled" and edges and usual:
        return {**values, "of": "users"}
    return values


def _same_denominator(values: Values) -> bool:
    """Return True if every user has the same denominators: k twice, or one relevant item each."""
    fixed = values["precision"] != "shown" and values.get("cutoff") != "none" and values["decision"] == "top_k"
    by_k = (values["precision"], values["recall"]) == ("k", "k")
    of_each = (values["of"], values["operands"]) == ("users", "precision_recall")
    return fixed and of_each and (by_k or is_single_mean(values))


def _no_relevant_policy(values: Values) -> str | None:
    """Return the value of a user without relevant items as the name of a policy, or None if it depends on the list.

    H is 0. Recall over r = 0, and average recall, are 0/0.
    """
    if values["decision"] == "at_half":
        return None  # no row may count as recommended
    if values["of"] == "means" and values["recall"] != "k":
        return "nan"  # recall is 0/0, and a mean that includes it is NaN
    if values["precision"] == "shown":
        # A user without relevant items has a list, unless rows are filtered; then n + r is above 0.
        listed = values["recall"] == "k" or values.get("candidates", "all") == "all"
        return "0" if values["operands"] == "precision_recall" and listed else None
    if values["operands"] != "precision_recall" or (values["precision"] == "min" and values["recall"] != "k"):
        return "nan"
    return "0"


def _empty_list_policy(values: Values) -> str | None:
    """Return the value of an empty list as the name of a policy: H is 0, and so are both average operands (0/0)."""
    if values["of"] == "means":
        return None if values["precision"] == "shown" else "0"
    return "0" if values["operands"] == "precision_recall" else "nan"


def _reads_r(values: Values) -> bool:
    plain = values["operands"] == "precision_recall" and values["precision"] != "min"
    return not (plain and values["recall"] == "k")


def _r_divides(values: Values) -> bool:
    """Return True if H is divided by a sum that contains b² r."""
    of_each = values["of"] == "users" and values["operands"] == "precision_recall"
    return of_each and values["recall"] == "r" and values["precision"] != "min"


def _of_averages(values: Values) -> bool:
    """Return True if F combines each user's averages: then P R and b² P + R are 0 without a hit, and only then."""
    return values["of"] == "users" and values["operands"] == "average_precision_recall"


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
    inert=SET_AXES, simplify=simplify, refuse=_refuse, across_users=("of",), operands=means,
    combine=_combined, hits=decided_hits,
    reads_r=_reads_r, unsigned=lambda values: True, same_denominator=_same_denominator,
    no_relevant_policy=_no_relevant_policy,
    empty_list_policy=_empty_list_policy,
    has_denominator=lambda values: values["of"] == "means" or values["decision"] == "at_half", r_divides=_r_divides,
    # Without a hit P + R is 0, and 2 P R / (P + R) is 0/0: that F is 0 then is a convention.
    hits_divide=_of_averages, vanishes=_of_averages,
    adds_nothing=lambda values: frozenset({"no_hit", "no_list"} if _of_averages(values) else ()),
    zero_by_convention=lambda values: values["decision"] == "top_k"
    and (values["of"], values["operands"]) == ("users", "precision_recall"),
)  # fmt: skip
