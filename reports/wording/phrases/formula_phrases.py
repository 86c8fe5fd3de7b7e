"""Phrases of formulas: what each value of the formula's axes does, in words, and what the canonical one does instead.

The meanings in :mod:`reference.metrics` define; these phrases are short enough for the key of a table.
"""

from __future__ import annotations

from collections.abc import Mapping

from recsys_metric_audit.reports.wording.axis_words import AxisPhrases

_GAINS = {
    "linear": "g",
    "exp2": "2^g - 1",
    "exp2_threshold": "2^(g - t + 1) - 1 (t: threshold)",
    "exp2_plus1": "2^(g + 1) - 1",
    "square_minus_1": "g^2 - 1",
}
_CUT_GAINS = {"linear_whole": "g cut to a whole number", "exp2_whole": "2^g - 1 of g cut to a whole number"}
_DISCOUNTS = {
    "ln": "1 / ln(j + 1)",
    "log10": "1 / log10(j + 1)",
    "log2_clipped": "1 / log2(max(j, 2))",
    "log2_off_by_one": "1 / log2(j + 2)",
    "reciprocal": "1 / j",
}
_ONE_RANKING = AxisPhrases("not user by user", {"stacked": "ranks the rows of all users together"})
_AVERAGED_PRECISION = {
    "denominator": AxisPhrases(
        "not by min(k, r)",
        {
            "r": "divides by r",
            "k": "divides by k",
            "hits": "divides by the number of hits",
            "shown": "divides by min(k, list length)",
            "min_shown": "divides by min(r, k, list length)",
            "cumulative": "divides by min(1, r) + ... + min(k, r)",
        },
    ),
    "indicator": AxisPhrases(
        "not at hits only",
        {
            "dropped": "sums precision at every rank of the list",
            "every": "sums precision at all k ranks",
            "first_r": "sums precision at hits among the first r",
        },
        own_instead={"first_r": "not the first k"},
    ),
    "over": _ONE_RANKING,
}
_AVERAGED_RECALL = {
    **_AVERAGED_PRECISION,
    "indicator": AxisPhrases(
        "not at hits only",
        {"dropped": "sums recall at every rank of the list", "every": "sums recall at all k ranks"},
    ),
}
_CANDIDATES = AxisPhrases(
    "not those in the list alone",
    {"catalogue": "takes every item as a candidate", "with_train": "takes train items as candidates too"},
)

_SATISFACTION = {"exp2": "(2^g - 1) / 2^g_max", "linear": "g / g_max", "binary": "1/2", "gain": "g, whatever the scale"}
_GOES_ON, _LOOKS_AT = "goes on with probability {}", "{} of the readers look at rank j"
_KEEPS = "keeps probabilities {} from 0 and 1"
_DECISION = AxisPhrases("not the first k", {"at_half": "takes scores of 0.5 and more as recommended"})


def _satisfaction(canonical: str) -> AxisPhrases:
    others = {name: f"satisfies with probability {text}" for name, text in _SATISFACTION.items() if name != canonical}
    return AxisPhrases(f"not {_SATISFACTION[canonical]}", others)


SHARED: Mapping[str, AxisPhrases] = {
    "pooling": AxisPhrases(
        "not the mean over users", {"pooled": "takes one ratio of sums over users", "weighted": "weights users"}
    ),
    "weight": AxisPhrases(
        "not all alike",
        {
            "relevant": "weights users by their relevant items",
            "listed": "weights users by their listed relevant items",
            "rated": "weights users by their truth rows",
            "list_length": "weights users by the length of their lists",
        },
    ),
    "mean": AxisPhrases(
        "not the arithmetic one",
        {name: f"takes the {name} mean over users" for name in ("geometric", "harmonic", "quadratic")},
    ),
    "cutoff": AxisPhrases(
        "not at the first k",
        {
            "none": "looks at the whole list",
            "hits_uncut": "looks for hits in the whole list, but divides as at k",
            "hits_k_plus_1": "looks for hits in k + 1 rows, but divides as at k",
            "k_plus_1": "looks at k + 1 rows",
            "k_minus_1": "looks at k - 1 rows",
        },
        "looks at {} rows",
    ),
    "truth": AxisPhrases(
        "not at all of them",
        {"first": "looks at the first relevant item only", "listed": "looks at ranked relevant items only"},
    ),
    "positions": AxisPhrases("not all items above", {"negatives_only": "ranks count the irrelevant items above only"}),
    "numerator": AxisPhrases("not 1", {"gains": "a hit counts its gain"}),
    "missing": AxisPhrases(
        "not left out",
        {
            "zero_error": "a rating without a score counts as no error",
            "lowest": "a rating without a score counts as the lowest",
        },
    ),
    "clipped": AxisPhrases("not as they are", {"yes": "clips scores to the rating scale"}),
    "pairs": AxisPhrases(
        "not ratings",
        {
            "rated_0_1": "compares scores of rated pairs with labels 0 and 1",
            "all_0_1": "compares scores of all rows with labels 0 and 1",
        },
    ),
}
"""Phrases of axes that mean one thing in every metric, by axis."""

OWN: Mapping[str, Mapping[str, AxisPhrases]] = {
    "hit_rate": {
        "counts": AxisPhrases(
            "not 1 for any hit",
            {
                "hits": "counts the hits",
                "recall": "divides the hits by r",
                "precision": "divides the hits by k",
                "only": "counts 1 if the sole relevant item is hit",
            },
        ),
    },
    "precision": {
        "denominator": AxisPhrases(
            "not by k",
            {
                "shown": "divides by min(k, list length)",
                "min": "divides by min(k, r)",
                "min_shown": "divides by min(r, k, list length)",
            },
        ),
    },
    "recall": {
        "denominator": AxisPhrases(
            "not by r", {"min": "divides by min(k, r)", "k": "divides by k", "hits": "divides by the number of hits"}
        ),
    },
    "f_score": {
        "of": AxisPhrases("not of each user's", {"means": "is of mean precision and mean recall"}),
        "beta": AxisPhrases(
            "not 1", {b: f"weighs recall with beta = {b}" for b in ("2", "0.5")}, "weighs recall with beta = {}"
        ),
        "operands": AxisPhrases(
            "not precision and recall", {"average_precision_recall": "takes average precision and average recall"}
        ),
        "precision": AxisPhrases(
            "not by k", {"shown": "divides precision by min(k, list length)", "min": "divides precision by min(k, r)"}
        ),
        "recall": AxisPhrases("not by r", {"min": "divides recall by min(k, r)", "k": "divides recall by k"}),
        "decision": _DECISION,
    },
    "reciprocal_rank": {
        "ranks": AxisPhrases(
            "not 1 / rank of the first hit",
            {
                "sum": "sums 1 / rank of all hits",
                "mean_hits": "takes the mean 1 / rank of all hits",
                "mean_relevant": "divides the sum of 1 / rank of all hits by r",
                "normalised": "divides the sum of 1 / rank of all hits by its maximum",
                "normalised_shown": "divides the sum of 1 / rank by its maximum in the list",
                "top_only": "counts 1 if the first item is a hit",
                "last": "takes 1 / rank of the last hit",
                "best_gain": "takes 1 / rank of the hit with the best gain",
            },
        ),
    },
    "average_precision": _AVERAGED_PRECISION,
    "average_recall": _AVERAGED_RECALL,
    "ndcg": {
        "gain": AxisPhrases("not 1", {name: f"gain {of}" for name, of in (_GAINS | _CUT_GAINS).items()}),
        "miss_gain": AxisPhrases("not 0", {"-1": "an irrelevant item adds -1"}),
        "over": _ONE_RANKING,
        "discount": AxisPhrases(
            "not 1 / log2(j + 1)", {name: f"discount {of}" for name, of in _DISCOUNTS.items()},
            "discount 1 / log_b(j + 1) with b = {}",
        ),
        "ideal": AxisPhrases(
            "not by the ideal DCG at k",
            {
                "all": "divides by the DCG of all relevant items",
                "ones": "divides by the DCG of k items of gain 1",
                "ones_shown": "divides by the DCG of as many items of gain 1 as are shown",
                "listed": "divides by the DCG of the k best in the whole list",
                "rows": "divides by the DCG of the k best rows, negative gains last",
                "retrieved": "divides by the DCG of the hits",
                "shown": "divides by the DCG of the min(r, k, list length) best",
                "none": "divides by 1 (plain DCG)",
            },
        ),
        "ideal_discount": AxisPhrases(
            "not that of DCG",
            {name: f"discount of the ideal {of}" for name, of in ({"log2": "1 / log2(j + 1)"} | _DISCOUNTS).items()},
            "discount of the ideal 1 / log_b(j + 1) with b = {}",
        ),
        "ideal_gain": AxisPhrases(
            "not that of DCG", {name: f"gain in the ideal {of}" for name, of in ({"binary": "1"} | _GAINS).items()}
        ),
    },
    "auc": {
        "scope": _ONE_RANKING,
        "list": AxisPhrases(
            "not of the whole list",
            {
                "topk": "takes pairs of the first k rows",
                "limited": "is exact for the first k, spreads the rest evenly",
                "limited_hits": "takes hits of the first k against all others, over min(k, r)",
                "top_negatives": "takes pairs with the k best irrelevant items",
                "top_both": "takes the min(k, r) best relevant and k best irrelevant items",
            },
        ),
        "negatives": AxisPhrases(
            "not those in the list",
            {
                "plus_one": "counts one irrelevant item more",
                "minus_one": "counts one irrelevant item less",
                "with_train": "counts train items as irrelevant too",
                "with_train_plus_one": "counts train items as irrelevant too, and one more",
                "catalogue": "counts all unseen items as irrelevant",
                "catalogue_with_train": "counts all other items as irrelevant",
                "catalogue_plus_one": "counts all unseen items as irrelevant, and one more",
                "every_row": "divides by all rows of the list",
                "k": "counts k irrelevant items",
            },
        ),
        "short": AxisPhrases("not like any other", {
            "undefined": "counts lists too short for the k best as 0/0",
            "filled": "fills lists shorter than k with irrelevant items",
        }),
        "unlisted": AxisPhrases("not ranked last", {"dropped": "leaves out unlisted relevant items"}),
    },
    "r_precision": {
        "cut": AxisPhrases("not at r", {
            "min": "cuts at min(k, r)", "min_over_r": "cuts at min(k, r), but divides by r",
        }),
    },
    "rbp": {
        "persistence": AxisPhrases("not 0.8", {p: _GOES_ON.format(p) for p in ("0.5", "0.85", "0.95")}, _GOES_ON),
        "normalised": AxisPhrases("not by 1 / (1 - p)", {
            "yes": "divides by the best value at min(k, r)",
            "shown": "divides by the best value at min(r, k, list length)",
        }),
        "gain": AxisPhrases("not 1", {"linear": "gain g"}),
    },
    "err": {"satisfaction": _satisfaction("exp2")},
    "pfound": {
        "satisfaction": _satisfaction("linear"), "decay": AxisPhrases("not 0.85", {}, _GOES_ON),
    },
    "nerr": {
        "satisfaction": _satisfaction("linear"),
        "patience": AxisPhrases(
            "not all readers", {"rank": _LOOKS_AT.format("1 / j"), "0.9": _LOOKS_AT.format("0.9^(j - 1)")},
            _LOOKS_AT.format("{}^(j - 1)"),
        ),
    },
    "interpolated_precision": {
        "at": AxisPhrases("not over eleven points", {"0.5": "at recall 0.5"}, "at recall {}"),
        "needed": AxisPhrases("not rounded up", {
            "nearest": "rounds x · r to the nearest", "plus_0.9": "rounds x · r + 0.9 down, in floating point",
        }),
    },
    "bpref": {
        "bound": AxisPhrases("not by min(r, N)", {"r": "divides by r", "r_plus_10": "divides by r + 10 (bpref-10)"}),
    },
    **{
        metric: {"negatives": _CANDIDATES} | ({} if metric == "mean_average_markedness" else {"decision": _DECISION})
        for metric in (
            "fallout", "inverse_precision", "inverse_recall", "accuracy", "informedness", "markedness",
            "matthews_correlation", "mean_average_markedness",
        )
    },
    "kendall_tau": {
        "compared": AxisPhrases("not the whole ranking", {
            "limited": "compares the first k, all others level", "recommended_or_not": "compares recommended or not",
        }),
    },
    "fcp": {"of": AxisPhrases("not of all pairs", {"means": "is of mean numbers of pairs of users"})},
    "log_loss": {
        "clip": AxisPhrases(
            "not by one double-precision step", {step: _KEEPS.format(step) for step in ("1e-15", "1e-11")}, _KEEPS
        ),
    },
}  # fmt: skip
"""Phrases of the axes of single metrics, by metric and axis; they go before those of ``SHARED``."""
