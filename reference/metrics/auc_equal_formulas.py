"""Proves which values of AUC's own axes give equal formulas, each with its argument.

Formula and axes stand in :mod:`reference.metrics.auc`.
"""

from __future__ import annotations

from reference.space.equalities import merge_listless
from reference.space.metric import Values, has_single_relevant, merge_pair_sums

_NEVER_NONE = ("plus_one", "with_train_plus_one", "every_row", "k")
"""The values of ``negatives`` under which every user with a list is paired with an irrelevant item."""


def simplify(values: dict[str, str]) -> dict[str, str]:
    """Return the provably equal point that stands for all its equals.

    - Among the first k no relevant item is unlisted, and the irrelevant items are the shown ones.
    - LAUC orders its first k by rank, so its value does not depend on ``tied_scores``. In a list shorter than k every
      listed relevant item is a hit: if no other counts, an item that fills the list up loses to all of them, as it does
      under the straight line.
    - A tied pair is won in half of all orders of the tie, in the best order, and not in the worst; rows that share a
      rank have only those above them that score higher. Among the first k, too, half of the equally likely orders win
      it. (Half of all orders is not half of the pairs where only the k best irrelevant items count.)
    - Where equal scores count as such, the order of ties does not act, nor which of the relevant items in one tie are
      among the best.
    - Where one irrelevant item more than there are is counted, k of them, or all rows, nobody is without one.
    """
    out = dict(values)
    if out.get("order") == "rows":  # unread scores are never equal, except a row's to its own
        itself = {"ranked": "lose"}.get(out["tied_scores"], out["tied_scores"])
        out["tied_scores"] = itself if out["negatives"] == "every_row" else "half"
    if out["list"] == "topk":
        out["unlisted"], out["negatives"] = "lost", "exact"
    if out["negatives"] in _NEVER_NONE and "no_negatives" in out:
        out["no_negatives"] = "skip"
    if out["negatives"] == "exact" and out["scope"] == "user":
        out = merge_pair_sums(out)
    if out["list"] == "limited":
        out["tied_scores"] = "half"
        if out["unlisted"] == "dropped":
            out["short"] = "counted"
    if out["list"] == "limited_hits":
        out["unlisted"] = "lost"
    pairs = out["short"] == "counted" and out["list"] in ("full", "top_negatives", "top_both")
    if pairs and "users" in out and _of_one(out) and out["no_hit"] == "0":
        # The only relevant item wins nothing if it is not listed, and 0/0 counts as 0.
        out["unlisted"] = "lost"
    if out["list"] == "full" and (out.get("users"), out.get("weight")) == ("hits", "listed"):
        # A user without a relevant item in an uncut list has weight 0.
        out |= {"users": "truth", "undefined": "skip", "no_hit": "0", "no_list": "0"}
    if out["scope"] == "stacked" and "users" in out and _listed_only(out):
        out = merge_listless(out)
    rule = {"average": "half", "best": "win", "worst": "lose"}.get(out.get("ties", ""))
    whole = out["list"] == "full" or (out["list"] == "top_negatives" and out.get("users") != "hits")
    whole &= out["negatives"] != "every_row"  # there a row is tied with itself, which no order decides
    if out["tied_scores"] == "ranked" and rule is not None and whole and (rule != "half" or out["list"] == "full"):
        out["tied_scores"] = rule
    if (out["tied_scores"], out.get("ties")) == ("ranked", "shared") and out["negatives"] != "every_row":
        out["tied_scores"] = "win"
    if (out["list"], out["tied_scores"], out.get("ties")) == ("topk", "ranked", "average"):
        out["tied_scores"] = "half"
    level = whole or (out["list"] == "top_both" and out.get("users") != "hits") or out["negatives"] == "every_row"
    if out["tied_scores"] != "ranked" and level and "ties" in out:
        out["ties"] = "given"
    return out


def _listed_only(values: Values) -> bool:
    """Return True if unlisted relevant items, and users who have only such, do not change the value."""
    uncounted = values["short"] == "counted" and not reads_r(values) and values.get("truth") != "first"
    return uncounted and values["negatives"] in ("exact", "plus_one", "every_row", "k")


def _of_one(values: Values) -> bool:
    """Return True if every ranking holds one relevant item, or an edge policy replaces its value."""
    if "formula" in (values["undefined"], values["no_list"]):
        return False
    if values["scope"] == "stacked":
        return values.get("truth") == "first"
    return has_single_relevant(values) and values["pooling"] != "pooled"


def reads_r(values: Values) -> bool:
    """Return True if the number of relevant items acts: unlisted ones count, or the catalogue is read without them."""
    beyond = values["unlisted"] == "lost" or values["negatives"].startswith("catalogue")
    return values["list"] != "topk" and (beyond or values["list"] == "limited_hits")
