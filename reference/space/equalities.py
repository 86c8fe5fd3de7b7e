"""Rewrites to provably equal definitions that hold whatever the formula, each with its argument.

Every function takes the values of a definition and returns equal ones that are written with less.
"""

from __future__ import annotations

from reference.space.averaged_users import also_asking, asks_for, not_asking
from reference.space.edges import FINITE
from reference.space.metric import Metric, Values, has_single_relevant


def carries_over(values: Values) -> bool:
    """Return True if a user's value may be carried over to another, so that it matters who comes before whom."""
    return "previous" in (values.get("no_hit"), values.get("no_list"))


def resolve_formula_policies(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """Replace the policy ``formula`` by the constant that the formula gives, if it always gives one and the same.

    That is known for users without a list (at a cut-off of at least 1, or if k is the list's length and divides) and
    for users without relevant items (at a cut-off of at least 1, as is the length of every list averaged over).
    """
    out, cutoff = dict(values), values.get("cutoff", "k")
    if out["no_list"] == "formula":
        if not metric.reads_k(out) or metric.r_divides(out) or cutoff not in ("none", "k_minus_1"):
            out["no_list"] = metric.empty_list_policy(out) or "formula"
        elif cutoff == "none" and metric.k_divides:
            out["no_list"] = "nan"
    if out["undefined"] == "formula" and out["pooling"] != "pooled":
        if metric.vanishes(out):
            out["undefined"] = "nan"
        elif (
            not metric.reads_k(out)
            or cutoff not in ("none", "k_minus_1")
            or (cutoff == "none" and out["users"] == "predictions")
        ):
            out["undefined"] = metric.no_relevant_policy(out) or "formula"
    return out


def merge_weightless_users(values: dict[str, str]) -> dict[str, str]:
    """Merge definitions that differ only in users of weight 0, who add nothing to a weighted mean.

    These are users without relevant items if the weight is r (or the number of truth rows, if every row is relevant),
    users without a list if it is the list's length, and users without a relevant item in the list if it is their
    number. A value of NaN still makes the mean NaN, since NaN times 0 is NaN.
    """
    if values["pooling"] != "weighted" or carries_over(values):
        return values
    out = dict(values)
    by_r = out["weight"] == "relevant" or (out["weight"] == "rated" and out.get("relevance") == "every_row")
    if by_r and out["undefined"] in FINITE:
        out |= {"users": also_asking(out["users"], "relevant"), "undefined": "skip"}
    if out["weight"] == "list_length" and out["no_list"] in (*FINITE, "skip"):
        out["no_list"] = "0"
        if out["users"] == "both" or (out["users"] == "predictions" and out["undefined"] in FINITE):
            out["users"] = not_asking(out["users"], "listed")
    unseen = [edge for edge in ("undefined", "no_list", "no_hit") if out["weight"] == "listed" and edge in out]
    if unseen and all(out[edge] in (*FINITE, "1/k", "skip") for edge in unseen):
        out |= {"undefined": "skip", **dict.fromkeys(unseen[1:], "0")}
        if out["users"] not in ("hits", "one_relevant"):
            out["users"] = "truth"
    return out


def drop_copies_of_one_row(values: dict[str, str], *, stacked: bool) -> dict[str, str]:
    """Drop the rule for copies in the truth if all averaged users have one relevant row, hence no copy of it.

    A copy that counts once leaves its user with one item, and if both labels are used, irrelevant rows have copies
    too: in those cases the rule stays.
    """
    copies = ("r_only", "once") if stacked else ("r_only",)
    labels = values.get("pairs") == "rated_0_1" and values.get("relevance") != "every_row"
    if values["users"] == "one_relevant" and values.get("truth_duplicates") in copies and not labels:
        return {**values, "truth_duplicates": "counted"}
    return values


def merge_single_item(values: dict[str, str]) -> dict[str, str]:
    """Merge definitions that are equal because users have one relevant item at most.

    With one truth row used, r is 1 or 0, so that users with relevant items have exactly one; weights of r are then
    equal; and if that item is listed once, no relevant item is ranked above it.
    """
    if not has_single_relevant(values):
        return values
    out = dict(values)
    if out.get("truth") == "first":
        out["users"] = {"one_relevant": "truth"}.get(out["users"], out["users"])
    seen = asks_for(out["users"], "relevant") or out["undefined"] in ("nan", "error")  # NaN of weight 0 is NaN
    if (out["pooling"], out["weight"]) == ("weighted", "relevant") and seen:
        out["pooling"], out["weight"] = "user", "none"
    if "positions" in out and lists_once(out):
        out["positions"] = "list"
    # Other users may raise without a hit, and have several relevant items.
    if lists_once(out) and (out.get("truth") == "first" or out.get("no_hit") != "error"):
        out = order_shared_ranks(out)
    return out


def order_shared_ranks(values: dict[str, str]) -> dict[str, str]:
    """Write shared ranks as ``ties:best`` if no two hits of one tie get different ranks there.

    A single hit, or the first of several, has then as many rows above as score higher; so has every hit if only
    irrelevant items are counted. Values that do not depend on the order of hits of one rank are then equal.
    """
    return {**values, "ties": "best"} if values.get("ties") == "shared" else values


def lists_once(values: Values) -> bool:
    """Return True if an item counts in one place of a list only."""
    return values.get("duplicates") in ("first_in_place", "first_closed_up", "last", "error")


def merge_listless(values: dict[str, str]) -> dict[str, str]:
    """Merge definitions that differ only in users without a list, in one ranking of which only listed items count.

    Such users add no row. They matter only if nobody else is in the ranking or has relevant items: the ranking is then
    at one edge with them and at another without them, which cannot be told apart if both raise or both give no number.
    """
    nothing, empty = values["undefined"], values["no_list"]
    match values["users"]:
        case "both" if nothing == "error":
            return {**values, "users": "truth", "no_list": "error"}
        case "truth" if nothing != "error" and empty == "skip":
            return {**values, "users": "both"}
        case "all" if nothing in ("error", "skip") and nothing == empty == values["no_hit"]:
            return {**values, "users": "predictions"}
    return values


def pool_weighted_ratio(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """Write the mean of x / r weighted by r as the ratio of sums, sum x / sum r, if no edge changes a value."""
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


def merge_at_cutoff_zero(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """Merge policies that differ only at a cut-off of k - 1 = 0, the one cut-off at which users are at ``no_hit``.

    There all users are at that edge: whether it ends all or counts as 0, all values are 0; 1/k is 1; and whether all
    are left out or NaN, there is no number, provided that users without a list do not change the mean and that it is
    NaN if nobody is left.
    """
    if values.get("cutoff") != "k_minus_1" or not metric.has_denominator(values) or metric.zero_by_convention(values):
        return values
    all_divide = metric.reads_k(values) and metric.k_divides and asks_for(values["users"], "relevant")
    match values.get("no_hit"):
        case "1/k":
            return {**values, "no_hit": "1"}
        case "ends_all" if all_divide and values["no_list"] in ("0", "skip", "error", "previous", "ends_all"):
            return {**values, "no_hit": "0"}
        case "skip" | "nan" if all_divide and values["nobody"] == "nan" and _listless_unseen(metric, values):
            return {**values, "no_hit": "nan", "no_list": "error" if values["no_list"] == "error" else "0"}
    return values


def _listless_unseen(metric: Metric, values: Values) -> bool:
    """Return True if users without a list have weight 0, and a number at every cut-off above 0."""
    number = (*FINITE, "skip", "error", *(("formula",) if metric.empty_list_policy(values) in FINITE else ()))
    return (values["pooling"], values["weight"]) == ("weighted", "list_length") and values["no_list"] in number


def merge_ends_all(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """Write the policy ``ends_all`` as ``0`` under a mean that is 0 as soon as one value is.

    That holds for the harmonic mean, and for the geometric one of values that are never below 0, unless a NaN can
    occur beside it or a user can have weight 0.
    """
    zero = values["mean"] == "harmonic" or (values["mean"] == "geometric" and metric.unsigned(values))
    if not zero or values["pooling"] == "pooled" or carries_over(values):
        return values
    edges = [edge for edge in ("undefined", "no_hit", "no_negatives", "no_list") if edge in values]
    if any(values[edge] in ("nan", "formula") for edge in edges) or values["weight"] in ("list_length", "listed"):
        return values
    if "no_hit" in values and not (
        metric.has_denominator(values) or metric.zero_by_convention(values) or values["no_hit"] != "0"
    ):
        return values
    if values.get("ties") == "average":  # "ends_all" may hold in some of the orders only; an empty list has no ties
        edges = ["undefined", "no_list"]
    return {**values, **{edge: "0" for edge in edges if values[edge] == "ends_all"}}


def merge_zero_one_means(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """Write the harmonic mean of zeros and ones as the geometric one: 1 if all are 1, else 0.

    Weights change nothing in that as long as all weights of averaged users are above 0.
    """
    edges = [values[edge] for edge in ("undefined", "no_hit", "no_negatives", "no_list") if edge in values]
    other = {*FINITE, "1/k", "formula"}.difference(("0", "1")).intersection(edges) or values.get("ties") == "average"
    if other or values["mean"] not in ("harmonic", "geometric") or not metric.zero_one(values):
        return values
    defined = asks_for(values["users"], "relevant")
    listed = (defined and asks_for(values["users"], "listed")) or values["no_list"] in ("error", "previous")
    weighed = values["weight"] in ("relevant", "rated") or (values["weight"] == "list_length" and listed)
    if values["pooling"] == "weighted" and defined and weighed:
        return {**values, "mean": "geometric", "pooling": "user", "weight": "none"}
    return {**values, "mean": "geometric"}
