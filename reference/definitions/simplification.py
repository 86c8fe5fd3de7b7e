"""Simplification: from a definition to the provably equal one that is written with the least.

Shared rules (here and in :mod:`reference.space.equalities`), rules of the metric and the normal form of averaging and
edges are applied until nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping

from reference.definitions.normal_form import normal_form
from reference.space.averaged_users import also_asking, asks_for, where_rated_is_relevant
from reference.space.averaging import NOBODY
from reference.space.edges import CONSTANTS
from reference.space.equalities import (
    drop_copies_of_one_row,
    merge_at_cutoff_zero,
    merge_ends_all,
    merge_single_item,
    merge_weightless_users,
    merge_zero_one_means,
    order_shared_ranks,
    pool_weighted_ratio,
    resolve_formula_policies,
)
from reference.space.metric import Metric, averaging_ignores_r, is_stacked


def simplified(metric: Metric, values: Mapping[str, str], *, edges_known: bool) -> dict[str, str]:
    """Return provably equal values that are written with the least.

    Args:
        metric: The metric.
        values: A value for each of its axes.
        edges_known: False if the policies ``no_hit`` and ``no_list`` are still to be chosen: only what is equal
            whatever they are is merged.
    """
    if metric.reads != "relevance":
        return metric.simplify(dict(values))
    values, before = dict(values), None
    while values != before:
        before = values
        values = _simplify_shared(metric, values, edges_known=edges_known)
        edges = {edge: values[edge] for edge in ("no_hit", "no_list") if edge in values and not edges_known}
        values = metric.simplify({**values, **{edge: f"open {edge}" for edge in edges}}) | edges
        if edges_known and values == before and not is_stacked(metric, values):
            values = normal_form(metric, values)
    return values


def _simplify_shared(metric: Metric, values: dict[str, str], *, edges_known: bool) -> dict[str, str]:
    """Apply the rules that hold whatever the formula.

    * If every truth row is relevant, who has truth rows has relevant items.
    * Without scores there are no ties; the only value of 0/0 is NaN.
    * A copy that counts in r only does not count if r is not read; the first truth row has no copy before it.
    * If the denominator is never 0, no policy for that acts.
    * If only irrelevant items are counted above, rows that share a rank are ranked as if their hits came first.
    * If k is not read, hits in the uncut list are those without a cut-off, and hits within k + 1 rows those of a
      cut-off of k + 1.
    """
    if values.get("relevance", "every_row") == "every_row":
        values = {**values, "users": where_rated_is_relevant(values["users"])}
    out = _simplify_one_ranking(values) if is_stacked(metric, values) else _simplify_users(dict(values))
    if out.get("no_hit") == "formula":
        out["no_hit"] = "0" if metric.zero_by_convention(out) else "nan"
    # A cut-off of k - 1 may be 0, and with it a denominator that contains it.
    above = out.get("cutoff") != "k_minus_1" or not (metric.reads_k(out) and metric.k_divides)
    if metric.has_denominator(out) and not metric.zero_by_convention(out) and above and "no_hit" in out:
        out["no_hit"] = "0"
    out = resolve_formula_policies(metric, out)
    if not metric.reads_k(out) and out.get("no_hit") != "1/k" and "cutoff" in out:
        out["cutoff"] = {"hits_uncut": "none", "hits_k_plus_1": "k_plus_1"}.get(out["cutoff"], out["cutoff"])
    if out.get("order") == "rows" and "ties" in out:
        out["ties"] = "given"
    if out.get("positions") == "negatives_only":
        out = order_shared_ranks(out)
    if out.get("truth") == "first" and out.get("truth_duplicates") in ("once", "r_only"):
        out["truth_duplicates"] = "counted"
    unread = not metric.reads_r(out) and averaging_ignores_r(out)
    if out.get("truth_duplicates") == "r_only" and unread:
        out["truth_duplicates"] = "once"
    out = drop_copies_of_one_row(out, stacked=is_stacked(metric, out))
    if is_stacked(metric, out):
        return out
    out = merge_single_item(merge_weightless_users(out))
    if not edges_known:
        return _simplify_pooling(metric, out)
    out = merge_at_cutoff_zero(metric, pool_weighted_ratio(metric, out))
    return merge_zero_one_means(metric, merge_ends_all(metric, _simplify_pooling(metric, out)))


def _simplify_pooling(metric: Metric, values: dict[str, str]) -> dict[str, str]:
    """Apply the rules about weights and ratios of sums.

    * Weights act only on a weighted mean, and a mean weighted by nothing is the plain one.
    * If every truth row is used and relevant, the number of truth rows is r (copies count in r, but are no hits).
    * A user who adds 0 to both sums does not change their ratio.
    * If all users have the same denominator and edges give what the formula gives, a ratio of sums is the mean of
      ratios.
    """
    out = dict(values)
    if out["pooling"] != "weighted":
        out["weight"] = "none"
    elif out["weight"] == "none":
        out["pooling"] = "user"
    every = (out.get("relevance"), out.get("truth", "all")) == ("every_row", "all")
    if out["weight"] == "rated" and every and out.get("truth_duplicates") in ("counted", "r_only", "error"):
        out["weight"] = "relevant"
    copies = (out["weight"], out.get("relevance"), out.get("truth_duplicates"), out.get("truth", "all"))
    unread = out["users"] != "one_relevant" and not metric.reads_r(out)
    if unread and copies == ("relevant", "every_row", "r_only", "all"):
        out["weight"], out["truth_duplicates"] = "rated", "once"
    if out["pooling"] == "pooled":
        out["mean"] = "arithmetic"
        adds_zero = metric.proportional(out) or metric.vanishes(out)  # a user without relevant items
        # A ratio of sums adds terms, not values: a policy's number is never used, only who is left out matters.
        if out["undefined"] in (*CONSTANTS, "formula"):
            out["undefined"] = "0" if adds_zero else "formula"
        if out["no_list"] in (*CONSTANTS, "formula", "ends_all"):
            out["no_list"] = "0"
        carried = "previous" in (out.get("no_hit"), out["no_list"])  # whether it raises depends on who comes before
        if metric.vanishes(out) and out["undefined"] == "0" and not carried:
            out["users"] = also_asking(out["users"], "relevant")
            out["undefined"] = "skip"
        for edge in {"no_hit", "no_negatives"} & set(out):
            if out[edge] not in ("skip", "error", "previous"):
                out[edge] = "0"
        plain = {"skip", "formula", "error"} | ({"0"} if adds_zero else set())
        conventional = out.get("no_hit", "0") in ("0", "skip", "error") or not metric.zero_by_convention(out)
        settled = conventional and out["undefined"] in plain and out["no_list"] in plain | {"0"}
        if metric.same_denominator(out) and settled:
            out["pooling"] = "user"
    return out


def _simplify_one_ranking(values: Mapping[str, str]) -> dict[str, str]:
    """Apply the rules for one ranking of all rows, which is averaged like one user.

    If only users with relevant items are in it, it is defined; if only users with recommendations are, it has a list.
    Where nobody is left, it is at an edge, which decides.
    """
    out = {**values, "weight": "none", "mean": "arithmetic", "nobody": NOBODY.canonical}
    if "scope" in out or "over" in out:
        out["pooling"] = "user"
    if asks_for(out["users"], "relevant") and out["undefined"] != "error":
        out["undefined"] = "skip"
    if asks_for(out["users"], "listed"):
        out["no_list"] = "0"
    # One user has nobody to end the result for or to carry a value over from; the mean over nobody is NaN. If ties are
    # averaged, some of their orders may be at ``no_hit`` or ``no_negatives`` and others not.
    alone = {"ends_all": "0", "previous": "error", "nan": "skip"}
    by_order = ("no_hit", "no_negatives") if out.get("ties") == "average" else ()
    policies = (edge for edge in ("undefined", "no_hit", "no_list", "no_negatives") if edge not in by_order)
    return out | {edge: alone.get(out[edge], out[edge]) for edge in policies if edge in out}


def _simplify_users(values: dict[str, str]) -> dict[str, str]:
    """Apply the rules about which users are averaged over and the policies for them.

    A user who is never averaged over needs no policy, and a policy ``skip`` is equal to not averaging over that user.
    ``error`` stays, since the library raises whoever is averaged over, which also hides who else would be. A user with
    neither relevant items nor a list is at ``undefined``, so that ``all`` is ``predictions`` only if those do not act.
    """
    out = dict(values)
    if out.get("pairs", "rated") != "rated":  # every target counts as a relevant row
        out["users"] = where_rated_is_relevant(out["users"])
    if out["undefined"] in ("skip", "error"):
        out["users"] = also_asking(out["users"], "relevant")
    if out["no_list"] == "skip":
        out["users"] = {"truth": "both"}.get(out["users"], out["users"])
    if out["no_list"] == "error":
        out["users"] = {"both": "truth"}.get(out["users"], out["users"])
    if asks_for(out["users"], "relevant") and out["undefined"] != "error":
        out["undefined"] = "skip"
    if asks_for(out["users"], "listed") and out["no_list"] != "error":
        out["no_list"] = "0"
    return out
