"""Hit rate: whether anything relevant is shown.

hit_rate@k = 1 if H > 0 else 0. Tamm et al. 2021, §4.2.
"""

from __future__ import annotations

import numpy as np

from reference.space.axis import axis
from reference.space.equalities import lists_once, order_shared_ranks
from reference.space.input_axes import first_copy_leads
from reference.space.lists import Lists, Ratio
from reference.space.metric import (
    SET_AXES,
    Metric,
    Values,
    averaging_ignores_r,
    is_cut,
    is_single_formula,
    merge_uncut_sets,
    refuse_all_relevant,
)

COUNTS = axis(
    "counts", "what is counted",
    {
        "any": "1 if there is a hit",
        "hits": "the number of hits",
        "recall": "hits over r",
        "precision": "hits over k",
        "only": "1 if the only relevant item is hit, 0 where there are several",
    },
    slug="hit-rate-as-count",
    slugs={"recall": "hit-rate-as-recall", "precision": "hit-rate-as-precision"},
)  # fmt: skip


def hit_rate(lists: Lists, *, counts: str) -> Ratio:
    """Return 1[H > 0], or what libraries report in its place: H, H / r, H / k, or 1[H > 0 and r = 1].

    Tamm et al. 2021, §4.2 (H / r: on CoupledCF and TriRank).
    """
    hits = lists.hits.sum(1.0)
    over = {"recall": lists.relevant.astype(float), "precision": lists.k.astype(float)}
    counted = {"any": np.minimum(hits, 1.0), "only": np.minimum(hits, 1.0) * (lists.relevant == 1)}
    return Ratio(counted.get(counts, hits), over.get(counts, np.ones(len(lists))))


def _same_denominator(values: Values) -> bool:
    """Return True if every user has the same denominator: 1 or k."""
    return values["counts"] in ("any", "hits", "only") or (
        values["counts"] == "precision" and values.get("cutoff") != "none"
    )


def simplify(values: dict[str, str]) -> dict[str, str]:
    """Return the provably equal point that stands for all its equals.

    Whether there is a hit does not change if a hit counts twice or its copy keeps its place. The copy with the best
    score comes first, so that its score is above 0 if any copy's is.
    """
    out = dict(merge_uncut_sets(values))
    if "users" in out and is_single_formula(out) and (out["pooling"] != "pooled" or out["counts"] == "hits"):
        # With one relevant item there is one hit or none, and r is 1.
        out["counts"] = {"recall": "hits", "only": "any"}.get(out["counts"], out["counts"])
        if out["counts"] == "hits" and lists_once(out):
            out["counts"] = "any"
    if out["counts"] == "only" and out.get("truth_duplicates") == "r_only":
        out["truth_duplicates"] = "counted"  # r is 2 either way, and one hit is as good as two
    if out["counts"] in ("any", "only"):
        out = order_shared_ranks(out)
        by_score = out.get("order") == "score" and out.get("counted_scores") == "positive"
        if not is_cut(out) and out.get("duplicates") == "first_in_place" and by_score:
            out["duplicates"] = "counted"
        if out.get("duplicates") == "first_in_place" and first_copy_leads(out):
            out["duplicates"] = "counted"
        if out.get("truth_duplicates") == "once" and averaging_ignores_r(out) and out["counts"] == "any":
            out["truth_duplicates"] = "counted"
        any_copy = not is_cut(out) and out.get("counted_scores") == "any" and out.get("weight") != "list_length"
        if any_copy and out.get("duplicates") in ("first_in_place", "first_closed_up", "last"):
            # In the whole list one copy of an item is as good as another.
            out["duplicates"] = "counted"
        whole = out["counts"] == "any" and out.get("ties") != "average"
        if out.get("users") == "hits" and out["undefined"] == "skip" and whole:
            # All users in the mean have 1, whatever their weights are and whichever mean it is.
            out |= {"pooling": "user", "weight": "none", "mean": "arithmetic"}
    return out


HIT_RATE = Metric(
    "hit_rate", "Hit rate", (COUNTS,), hit_rate,
    "whether there is a hit: the definition that Tamm et al. 2021 (§4.2) start from",
    inert=SET_AXES | {"no_hit"},
    simplify=simplify, refuse=refuse_all_relevant, empty_list_policy=lambda values: "0",
    unsigned=lambda values: True, same_denominator=_same_denominator,
    vanishes=lambda values: values["counts"] == "recall",
    reads_r=lambda values: values["counts"] in ("recall", "only"),
    reads_k=lambda values: values["counts"] == "precision",
    no_relevant_policy=lambda values: None if values["counts"] == "recall" else "0", k_divides=True,
    over_r=lambda values: values["counts"] == "recall",
    zero_one=lambda values: values["counts"] in ("any", "only"),
)  # fmt: skip
