"""Averaging: the axes and the computation from per-user values to the one number that is reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.edges import UserValues
from recsys_metric_audit.reference.space.lists import Bools, Floats, Ints, Ratio
from recsys_metric_audit.reference.space.user_outcomes import Property, asked_properties

# fmt: off
USERS = axis("users", "who is averaged over", {
    "truth": "users with relevant items",
    "both": "users with relevant items and recommendations",
    "predictions": "users with recommendations",
    "all": "users with either",
    "hits": "users with a hit in the list",
    "one_relevant": "users with exactly one relevant item",
    "truth_rows": "users with truth rows, relevant or not",
    "both_rows": "users with truth rows, relevant or not, and recommendations",
}, slug="averaged-users", part="averaging", sources={
    "both_rows": "trec_eval, help text of option -c: without it, the queries in both judgements and results",
    "truth_rows": "trec_eval, help text of option -c: all queries in the relevance judgements",
})
POOLING = axis("pooling", "how users are put together", {
    "user": "the mean of per-user values",
    "pooled": "one ratio of sums over users (micro-average)",
    "weighted": "per-user values weighted",
}, slug="pooling", part="averaging",
    sources={"pooled": "Manning, Raghavan & Schütze 2008, §13.6", "weighted": "Tamm et al. 2021, §4.6 (GAUC)"})
WEIGHT = axis("weight", "a user's weight (with pooling:weighted)", {
    "none": "all the same",
    "relevant": "number of relevant items",
    "listed": "number of relevant items in its list (where only those count)",
    "rated": "number of truth rows",
    "list_length": "length of the list",
}, slug="user-weights", part="averaging", sources=dict.fromkeys(("rated", "listed"), "Tamm et al. 2021, §4.6 (GAUC)"))
MEAN = axis("mean", "which mean over users",
    {"arithmetic": "arithmetic", "geometric": "geometric", "harmonic": "harmonic", "quadratic": "quadratic"},
    slug="mean", part="averaging",
    sources=dict.fromkeys(("geometric", "harmonic", "quadratic"), "Schröder, Thiele & Lehner 2011, §4.2"))

AXES = (USERS, POOLING, WEIGHT, MEAN)
NOBODY = axis("nobody", "what comes out where nobody is left to be averaged", {
    "nan": "NaN: the mean is 0/0",
    "0": "0",
    "error": "the library raises",
}, slug="nobody-left", part="edges", sources={
    "nan": "NumPy, API documentation of numpy.nanmean: for all-NaN slices, NaN is returned",
    "0": "TorchMetrics, torchmetrics/retrieval: if all queries are skipped, 0.0 is returned",
    "error": "Python, documentation of statistics.mean: if data is empty, StatisticsError will be raised",
})
# fmt: on
"""Decides the result, not a user's value: no policy of a user acts where every user is left out."""


@dataclass(frozen=True, eq=False)
class UserCounts:
    """Counts of each user that averaging needs; all arrays have shape (users,).

    ``relevant`` (r), ``listed`` (relevant items in the list), ``length`` of the list, ``rated`` (truth rows), ``hits``
    within the cut-off, ``case`` to which the user belongs; ``cases`` is the number of cases.
    """

    relevant: Ints
    listed: Ints
    length: Ints
    rated: Ints
    hits: Ints
    case: Ints
    cases: int

    def having(self, wanted: Property) -> Bools:
        """Tell which users have a property; shape (users,)."""
        if wanted == "one_relevant":
            single: Bools = self.relevant == 1
            return single
        counted = {"rated": self.rated, "relevant": self.relevant, "listed": self.length, "hit": self.hits}
        some: Bools = counted[wanted] > 0
        return some


def averaged_users(counts: UserCounts, users: str) -> Bools:
    """Tell which users a value of the axis ``users`` averages over; shape (users,)."""
    having = [counts.having(wanted) for wanted in asked_properties(users)]
    return np.logical_and.reduce(having) if having else np.ones(len(counts.case), dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class MeanTerms:
    """Holds the mean over users as a quotient of two sums over users; shape (users,), 0 for users who are left out.

    Users can so be weighted, drawn again or exchanged with those of another recommender. The mean is the square root
    of the quotient with ``root``, its exponential with ``exponential``.
    """

    numerator: Floats
    denominator: Floats
    root: bool = False
    exponential: bool = False

    def of_sums(self, numerator: Floats, denominator: Floats) -> Floats:
        """Return the means that follow from sums of the terms; NaN where the sum of denominators is 0."""
        value = Ratio(numerator, denominator, self.root).value
        return np.asarray(np.exp(value)) if self.exponential else value


def mean_terms(
    users: UserValues, ratio: Ratio | None, counts: UserCounts, values: Mapping[str, str], chosen: Bools | None = None
) -> MeanTerms:
    """Return what each user adds to the mean.

    Args:
        users: Values of the users.
        ratio: Quotient of each user, needed for ``pooling:pooled``.
        counts: What averaging needs of each user.
        values: The definition's values on the axes; canonical where absent.
        chosen: The users whom :func:`averaged_users` tells, if they are known already.
    """
    value = {axis.name: values.get(axis.name, axis.canonical) for axis in AXES}
    keep = (averaged_users(counts, value["users"]) if chosen is None else chosen) & users.counted

    def kept(column: Floats) -> Floats:
        return np.where(keep, column, 0.0)

    if value["pooling"] == "pooled" and ratio is not None:
        return MeanTerms(kept(ratio.numerator), kept(ratio.denominator), ratio.root)
    if (value["pooling"], value["mean"]) == ("user", "arithmetic"):  # the most frequent of all, without weights of 1
        return MeanTerms(kept(users.value), keep.astype(np.float64))
    weight = _weight(counts, value["weight"]) if value["pooling"] == "weighted" else np.ones(len(keep))
    match value["mean"]:
        case "geometric":
            with np.errstate(divide="ignore", invalid="ignore"):
                terms = np.where(weight == 0, users.value * 0, np.log(users.value) * weight)
            return MeanTerms(kept(terms), kept(weight), exponential=True)
        case "harmonic":
            with np.errstate(divide="ignore", invalid="ignore"):
                # Added to 0, a negative zero is a zero: 0 over a negative ideal, whose inverse would be -inf.
                terms = np.where(weight == 0, users.value * 0, weight / (users.value + 0.0))
            return MeanTerms(kept(weight), kept(terms))
        case "quadratic":
            return MeanTerms(kept(users.value**2 * weight), kept(weight), root=True)
        case _:
            return MeanTerms(kept(users.value * weight), kept(weight))


def mean_of_terms(terms: MeanTerms, counts: UserCounts) -> Floats:
    """Return the number of each case, shape (cases,): NaN if nobody is averaged over."""
    return terms.of_sums(*_sums(terms, counts))


def nothing_added(terms: MeanTerms, counts: UserCounts) -> Bools:
    """Tell the cases in which both sums of a mean are 0; shape (cases,)."""
    numerator, denominator = _sums(terms, counts)
    nothing: Bools = (numerator == 0) & (denominator == 0)
    return nothing


def _sums(terms: MeanTerms, counts: UserCounts) -> tuple[Floats, Floats]:
    """Return the sums over the users of each case, both of shape (cases,)."""

    def total(column: Floats) -> Floats:
        if counts.cases == 1 and len(column):
            # One after the other from 0, as bincount adds, in a fifth of its time.
            return np.cumsum(column)[-1:] + 0.0
        return np.asarray(np.bincount(counts.case, weights=column, minlength=counts.cases), dtype=np.float64)

    return total(terms.numerator), total(terms.denominator)


def over_nobody(mean: Floats, nobody: Bools, values: Mapping[str, str]) -> tuple[Floats, Bools]:
    """Return the number of each case under the axis ``nobody``, and the cases on which the library raises for it.

    Args:
        mean: Number of each case.
        nobody: The cases in which nothing is left to be averaged.
        values: The definition's values on the axes.
    """
    rule = values.get("nobody", NOBODY.canonical)
    return (np.where(nobody, float(rule), mean) if rule in ("0", "1") else mean), nobody & (rule == "error")


def refused(users: UserValues, counts: UserCounts, values: Mapping[str, str]) -> Bools:
    """Tell the cases with a user for whom the library raises; shape (cases,)."""
    if not users.refused.any():
        return np.zeros(counts.cases, dtype=np.bool_)
    hit: Bools = np.bincount(counts.case[users.refused], minlength=counts.cases) > 0
    return hit


def _weight(counts: UserCounts, weight: str) -> Floats:
    column = {
        "relevant": counts.relevant, "listed": counts.listed, "rated": counts.rated, "list_length": counts.length,
    }.get(weight)  # fmt: skip
    return np.ones(len(counts.case)) if column is None else column.astype(np.float64)
