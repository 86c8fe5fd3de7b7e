"""Equalities that hold whatever the formula: shared rules of ``Definition.simplified``, each with its argument."""

from __future__ import annotations

from reference.space.metric import Metric, Values, has_single_relevant

_FINITE = ("0", "1", "half")
_DEFINED = ("truth", "both", "hits", "one_relevant")
"""Values of ``users`` that average over nobody without relevant items."""


def carries(values: Values) -> bool:
    """Whether some user's value is carried over to another: then who is asked acts beyond that user."""
    return "previous" in (values.get("no_hit"), values.get("no_list"))


def by_formula(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """What the formula gives for an unusual user, by the name of the policy that gives the same: without a list at a
    cut-off of at least 1, without a list where k is its length and divides, without relevant items."""
    out, cutoff = dict(values), values.get("cutoff", "k")
    if out["no_list"] == "formula":
        if not metric.reads_k(out) or metric.r_divides(out) or cutoff not in ("none", "k_minus_1"):
            out["no_list"] = metric.empty_list_policy(out) or "formula"
        elif cutoff == "none" and metric.k_divides:
            out["no_list"] = "nan"
    if out["undefined"] == "formula" and out["pooling"] != "pooled":
        if metric.vanishes(out):
            out["undefined"] = "nan"
        elif not metric.reads_k(out) or cutoff not in ("none", "k_minus_1"):
            out["undefined"] = metric.no_relevant_policy(out) or "formula"
    return out


def weightless(values: dict[str, str]) -> dict[str, str]:
    """A user of weight 0 adds nothing to a weighted mean, whatever number the user counts as: with r as weight nobody
    without relevant items is seen, with the list's length nobody without a list, with the relevant items in the list
    nobody without one there. The number of truth rows is 0 where r
    is, if every row is relevant. (NaN times 0 is NaN.)"""
    if values["pooling"] != "weighted" or carries(values):
        return values
    out = dict(values)
    by_r = out["weight"] == "relevant" or (out["weight"] == "rated" and out.get("relevance") == "every_row")
    if by_r and out["undefined"] in _FINITE:
        out["users"] = {"all": "truth", "predictions": "both"}.get(out["users"], out["users"])
        out["undefined"] = "skip" if out["users"] in _DEFINED else out["undefined"]
    if out["weight"] == "list_length" and out["no_list"] in (*_FINITE, "skip"):
        out["no_list"] = "0"
        fuller = {"both": "truth"} | ({"predictions": "all"} if out["undefined"] in _FINITE else {})
        out["users"] = fuller.get(out["users"], out["users"])
    unseen = [edge for edge in ("undefined", "no_list", "no_hit") if out["weight"] == "listed" and edge in out]
    if unseen and all(out[edge] in (*_FINITE, "1/k", "skip") for edge in unseen):
        out |= {"undefined": "skip", **dict.fromkeys(unseen[1:], "0")}
        out["users"] = {"all": "truth", "predictions": "truth", "both": "truth"}.get(out["users"], out["users"])
    return out


def one_row(values: dict[str, str], *, stacked: bool) -> dict[str, str]:
    """Whoever has one relevant row has no copy of one. (A copy that counts once leaves its user with one item; and
    where both labels are looked at, irrelevant rows have copies too.)"""
    copies = ("r_only", "once") if stacked else ("r_only",)
    labels = values.get("pairs") == "rated_0_1" and values.get("relevance") != "every_row"
    if values["users"] == "one_relevant" and values.get("truth_duplicates") in copies and not labels:
        return {**values, "truth_duplicates": "counted"}
    return values


def one_item(values: dict[str, str]) -> dict[str, str]:
    """Where one truth row is looked at, r is 1 or 0: users with relevant items have exactly one. Users who have one
    relevant item each weigh the same by r. And where that item is listed once, no relevant one stands above it."""
    if not has_single_relevant(values):
        return values
    out = dict(values)
    if out.get("truth") == "first":
        out["users"] = {"one_relevant": "truth"}.get(out["users"], out["users"])
    seen = out["users"] in _DEFINED or out["undefined"] in ("nan", "error")  # NaN of weight 0 is NaN
    if (out["pooling"], out["weight"]) == ("weighted", "relevant") and seen:
        out["pooling"], out["weight"] = "user", "none"
    if "positions" in out and lists_once(out):
        out["positions"] = "list"
    return out


def lists_once(values: Values) -> bool:
    """Whether an item counts in one place of a list only."""
    return values.get("duplicates") in ("first_in_place", "first_closed_up", "last", "error")


def merge_listless(values: dict[str, str]) -> dict[str, str]:
    """In one ranking of all rows in which only listed items count, users without a list add nothing. Whether they are
    in it shows only where nobody else is, or nobody else has relevant items: then the ranking is in one state with
    them and in another without, and that is not seen where both raise, or neither gives a number."""
    nothing, empty = values["undefined"], values["no_list"]
    match values["users"]:
        case "both" if nothing == "error":
            return {**values, "users": "truth", "no_list": "error"}
        case "truth" if nothing != "error" and empty == "skip":
            return {**values, "users": "both"}
        case "all" if nothing in ("error", "skip") and nothing == empty == values["no_hit"]:
            return {**values, "users": "predictions"}
    return values


def weighted_ratio(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """Weighting x / r by r gives sum x / sum r, the ratio of sums, where no edge gives a user another value."""
    plain = values.get("no_hit", "0") == "0" and values["no_list"] in ("0", "error")
    plain &= values.get("no_negatives", "skip") in ("skip", "error")
    defined = values["undefined"] in ("skip", "error") and values["mean"] == "arithmetic"
    if (
        plain
        and defined
        and metric.over_r(values)
        and (values["pooling"], values["weight"]) == ("weighted", "relevant")
    ):
        return {**values, "pooling": "pooled", "weight": "none"}
    return values


def none_shown(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """At a cut-off of k - 1 = 0 nobody has a hit, and what is divided by 0 is so for all: whether that ends it all or
    counts as 0, all are 0; what counts as 1/k does as 1/1; and whether all are left out or NaN, there is no number,
    where who has no list is not seen in the mean. At any other cut-off nobody is in that state."""
    if values.get("cutoff") != "k_minus_1" or not metric.has_denominator(values) or metric.zero_by_convention(values):
        return values
    all_divide = metric.reads_k(values) and metric.k_divides and values["users"] in _DEFINED
    match values.get("no_hit"):
        case "1/k":
            return {**values, "no_hit": "1"}
        case "ends_all" if all_divide and values["no_list"] in ("0", "skip", "error", "previous", "ends_all"):
            return {**values, "no_hit": "0"}
        case "skip" | "nan" if all_divide and _listless_unseen(metric, values):
            return {**values, "no_hit": "nan", "no_list": "error" if values["no_list"] == "error" else "0"}
    return values


def _listless_unseen(metric: Metric, values: Values) -> bool:
    """Whether users without a list have weight 0, and a number wherever the cut-off is above 0."""
    number = (*_FINITE, "skip", "error", *(("formula",) if metric.empty_list_policy(values) in _FINITE else ()))
    return (values["pooling"], values["weight"]) == ("weighted", "list_length") and values["no_list"] in number


def nothing_ends(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """The harmonic mean is 0 as soon as one value is, and so is the geometric one, of what is never below 0: who makes
    the whole result 0 then only counts as 0, unless NaN would be stronger, or a user's weight is 0."""
    zero = values["mean"] == "harmonic" or (values["mean"] == "geometric" and metric.unsigned(values))
    if not zero or values["pooling"] == "pooled" or carries(values):
        return values
    edges = [edge for edge in ("undefined", "no_hit", "no_negatives", "no_list") if edge in values]
    if any(values[edge] in ("nan", "formula") for edge in edges) or values["weight"] in ("list_length", "listed"):
        return values
    if "no_hit" in values and not (
        metric.has_denominator(values) or metric.zero_by_convention(values) or values["no_hit"] != "0"
    ):
        return values
    if values.get("ties") == "average":  # an order that ends it all may be one of several; an empty list has none
        edges = ["undefined", "no_list"]
    return {**values, **{edge: "0" for edge in edges if values[edge] == "ends_all"}}


def zeros_and_ones(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """Of zeros and ones the harmonic mean is the geometric one: 1 if all are 1, else 0, whatever their weights, as long
    as those of users with a value of their own are above 0."""
    edges = [values[edge] for edge in ("undefined", "no_hit", "no_negatives", "no_list") if edge in values]
    other = {"half", "1/k", "formula"}.intersection(edges) or values.get("ties") == "average"
    if other or values["mean"] not in ("harmonic", "geometric") or not metric.zero_one(values):
        return values
    listed = values["users"] in ("both", "hits") or values["no_list"] in ("error", "previous")
    weighed = values["weight"] in ("relevant", "rated") or (values["weight"] == "list_length" and listed)
    if values["pooling"] == "weighted" and values["users"] in _DEFINED and weighed:
        return {**values, "mean": "geometric", "pooling": "user", "weight": "none"}
    return {**values, "mean": "geometric"}
