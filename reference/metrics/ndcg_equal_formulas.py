"""Proves which values of NDCG's own axes give equal formulas, each with its argument.

Formula and axes stand in :mod:`reference.metrics.ndcg`.
"""

from __future__ import annotations

from reference.space.axis import is_number
from reference.space.equalities import lists_once
from reference.space.input_axes import only_positive_gains
from reference.space.metric import has_single_relevant, is_single_formula, is_single_mean, refuse_all_relevant

WITHOUT_GAINS = ("none", "ones", "ones_shown")
"""Lists the ideals that do not read the gains of relevant items."""
_ONE_AT_THE_TOP = ("log2", "log2_clipped", "reciprocal")
"""Lists the discounts that are 1 at rank 1."""


def simplify(values: dict[str, str]) -> dict[str, str]:
    """Return the provably equal point that stands for all its equals.

    - Without an ideal its discount and gain do not act; an ideal of ones has no gain.
    - An axis of the ideal with the value that DCG has is ``same``.
    - log_b(x) = log2(x) / log2(b): with one base in DCG and in the ideal the constant cancels, so that ln and log10
      are log2.
    - If no gain is below 0, no relevant row stands behind an irrelevant one in the ideal.
    - The ideal of one item holds rank 1 only, where 1 / j, log2 and its clipped form all give 1.
    """
    out = dict(values)
    if out.get("relevance") == "equal_1":
        one = dict.fromkeys(("linear", "exp2", "linear_whole", "exp2_whole"), "binary")  # all give 1 for a gain of 1
        out["gain"], out["ideal_gain"] = (one.get(out[name], out[name]) for name in ("gain", "ideal_gain"))
        cancels = out["ideal_gain"] in ("same", out["gain"]) and out["ideal"] not in WITHOUT_GAINS
        if out["gain"] == "exp2_plus1" and cancels and out["miss_gain"] == "0":
            out["gain"], out["ideal_gain"] = "binary", "same"  # 2^2 - 1 = 3 in both, which cancels
    if "users" in out and refuse_all_relevant(out) and out["miss_gain"] != "0":
        out["miss_gain"] = "0"  # no ranked row is a miss
    if out["ideal"] == "none":
        out["ideal_discount"] = out["ideal_gain"] = "same"
    if out["ideal"] in WITHOUT_GAINS:
        out["ideal_gain"] = "same"
    if out["ideal_discount"] == out["discount"]:
        out["ideal_discount"] = "same"
    if out["ideal_gain"] == out["gain"]:
        out["ideal_gain"] = "same"
    if out["ideal"] == "rows" and (out["ideal_gain"] if out["ideal_gain"] != "same" else out["gain"]) == "binary":
        out["ideal"] = "listed"
    if out["ideal"] == "rows" and only_positive_gains(out):
        out["ideal"] = "listed"
    shape = out["discount"] in ("ln", "log10") or is_number(out["discount"])
    if out.get("cutoff") == "none" and out["ideal"] in ("shown", "ones_shown"):
        out["ideal"] = {"shown": "k", "ones_shown": "ones"}[out["ideal"]]  # k is the list's length, and all is shown
    users = "users" in out and out["over"] == "user"  # in one ranking of all rows users have no r of their own
    if users and is_single_formula(out) and out["pooling"] != "pooled":
        # With one relevant item, the best k, all, and the best n of a list that is not empty are that item.
        same = {"all": "k", "shown": "k"}
        if out["no_hit"] == "0" and lists_once(out) and out["miss_gain"] == "0":
            same |= {"listed": "k", "retrieved": "k"}
        out["ideal"] = same.get(out["ideal"], out["ideal"])
    first_only = out["ideal"] in ("k", "all", "shown") or (out["ideal"] in ("listed", "retrieved") and lists_once(out))
    if users and has_single_relevant(out) and first_only:
        first = out["discount"] if out["ideal_discount"] == "same" else out["ideal_discount"]
        if first in _ONE_AT_THE_TOP:
            out["ideal_discount"] = "same" if out["discount"] in _ONE_AT_THE_TOP else "log2"
    if users and is_single_mean(out) and out["gain"] == "binary" and out["discount"] in _ONE_AT_THE_TOP:
        out["ideal"] = "k" if out["ideal"] == "none" else out["ideal"]  # the ideal of one item at the top is 1
    if shape and out["ideal_discount"] == "same" and out["ideal"] != "none":
        out["discount"] = "log2"
    return out
