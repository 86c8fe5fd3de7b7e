"""Phrases of the metrics beyond accuracy: what each value of their formula's axes does, in words."""

from __future__ import annotations

from collections.abc import Mapping

from recsys_metric_audit.reports.wording.axis_words import AxisPhrases

_POOLING = AxisPhrases("not the mean over users", {"pooled": "takes one ratio of sums over users"})
_CUTOFF = AxisPhrases("not at the first k", {"none": "looks at the whole list"})
_LOG = AxisPhrases("not to base 2", {"ln": "takes natural logarithms", "log10": "takes logarithms to base 10"})
_OVER_K = AxisPhrases("not by the items shown", {"k": "divides by k"})
_TAIL = AxisPhrases("not all but the popular ones", {"tenth": "takes the least popular tenth as the tail"})
_PER_USER = {"pooling": _POOLING, "cutoff": _CUTOFF, "denominator": _OVER_K}

ITEM_PHRASES: Mapping[str, Mapping[str, AxisPhrases]] = {
    "catalogue_coverage": {
        "denominator": AxisPhrases(
            "not by the items that exist",
            {
                "train": "divides by the train items",
                "truth": "divides by the items of the truth",
                "known": "divides by the items trained on or recommended",
                "catalogue_plus_1": "divides by the items that exist and one more",
                "one": "counts items, divided by nothing",
            },
        ),
        "counted": AxisPhrases("not all", {"denominator": "counts only items among those it divides by"}),
        "unit": AxisPhrases("not a share", {"percent": "is in percent"}),
        "cutoff": _CUTOFF,
    },
    "gini": {
        "over": AxisPhrases(
            "not the items that exist",
            {
                "shown": "compares the items shown only",
                "train": "compares the train items",
                "catalogue_plus_1": "compares the items that exist and one more",
            },
        ),
        "denominator": AxisPhrases("not by n - 1", {"n": "divides by n", "n_plus_1": "divides by n + 1"}),
        "direction": AxisPhrases("not concentration", {"diversity": "is 1 minus the index"}),
        "cutoff": _CUTOFF,
    },
    "shannon_entropy": {
        "log": _LOG,
        "probability": AxisPhrases(
            "not of the rows shown",
            {"places": "takes shares of k places a user", "users": "takes shares of the lists"},
        ),
        "mean_over": AxisPhrases("not items by probability", {"lists": "averages logarithms over lists, then users"}),
        "divided": AxisPhrases(
            "not by nothing",
            {
                "shown": "divides by the number of items shown",
                "log_shown": "divides by the entropy of the items shown alike",
                "log_catalogue": "divides by the entropy of all items alike",
            },
        ),
        "cutoff": _CUTOFF,
    },
    "novelty": {
        **_PER_USER,
        "denominator": AxisPhrases(
            "not by the items shown", {"k": "divides by k", "items": "divides by the items that exist"}
        ),
        "popularity": AxisPhrases("not of the train users", {"rows": "takes shares of the train rows"}),
        "log": _LOG,
        "scale": AxisPhrases("not by nothing", {"log_users": "divides by the most that an item can have"}),
        "unseen": AxisPhrases(
            "not as if one user had it",
            {
                "zero": "counts items of nobody as 0",
                "left_out": "leaves out items of nobody",
                "error": "refuses items of nobody",
            },
        ),
    },
    "average_popularity": {
        **_PER_USER,
        "scale": AxisPhrases(
            "not by nothing",
            {
                "rows": "divides by the train rows",
                "users": "divides by the train users",
                "most": "divides by the rows of the most popular item",
                "quantile": "takes places by popularity, over the train items",
            },
        ),
        "unseen": AxisPhrases("not as 0", {"left_out": "leaves out items of nobody"}),
        "counted": AxisPhrases("not all", {"judged": "counts only items that the truth has"}),
        "denominator": AxisPhrases(
            "not by the items shown", {"k": "divides by k", "truth": "divides by the user's truth rows"}
        ),
    },
    "tail_share": {
        **_PER_USER,
        "tail": _TAIL,
        "unseen": AxisPhrases(
            "not as tail items",
            {"zero": "counts items of nobody as popular", "left_out": "leaves out items of nobody"},
        ),
        "denominator": AxisPhrases(
            "not by the items shown", {"k": "divides by k", "one": "counts items, divided by nothing"}
        ),
    },
    "popularity_bias": {
        "counted": AxisPhrases("not all items", {"relevant": "counts relevant items only"}),
        "chances": AxisPhrases(
            "not of the items new to a user", {"all": "divides by all items of a group, also those that a user has"}
        ),
        "tail": _TAIL,
        "unseen": AxisPhrases("not in the tail", {"left_out": "leaves out items of nobody"}),
        "spread": AxisPhrases("not of the population", {"sample": "takes the standard deviation of a sample"}),
        "cutoff": _CUTOFF,
    },
    "expected_novelty": {
        "novelty": AxisPhrases(
            "not 1 minus the share of users", {"self_information": "takes self-information, in bits"}
        ),
        "counted": AxisPhrases("not relevant items only", {"all": "counts all items, relevant or not"}),
        "discount": AxisPhrases("not discounted", {"none": "weighs all places alike"}),
        "denominator": AxisPhrases("not by the places shown", {"k": "divides by the weights of k places"}),
        "unseen": AxisPhrases(
            "not as the most novel",
            {"one_row": "counts items of nobody as if one user had them", "zero": "counts items of nobody as 0"},
        ),
        "cutoff": _CUTOFF,
    },
    "new_share": {"denominator": _OVER_K, "cutoff": _CUTOFF},
    "user_coverage": {
        "denominator": AxisPhrases(
            "not by users with truth rows",
            {
                "train": "divides by the train users",
                "all": "divides by all users",
                "one": "counts users, divided by nothing",
            },
        ),
        "counted": AxisPhrases("not only those it divides by", {"all": "counts all users with recommendations"}),
    },
    "intra_list_diversity": {
        "distance": AxisPhrases(
            "not 1 - cosine",
            {
                "jaccard": "takes Jaccard distances",
                "hamming": "takes Hamming distances, which are counts",
                "euclidean": "takes Euclidean distances",
            },
        ),
        "direction": AxisPhrases("not the distance", {"similarity": "takes similarities, 1 minus the distance"}),
        "denominator": AxisPhrases(
            "not by the pairs of the list", {"k": "divides by the pairs of k items", "one": "sums up all pairs"}
        ),
        "cutoff": _CUTOFF,
    },
    "serendipity": {
        "unexpected": AxisPhrases(
            "not by the user's history",
            {
                "popularity": "takes ranks above the popularity ranks as unexpected",
                "not_popular": "takes all but the k most popular items as unexpected",
            },
        ),
        "useful": AxisPhrases(
            "not those in the truth", {"relevant": "counts relevant items only", "all": "counts all items as useful"}
        ),
        "denominator": _OVER_K,
        "cutoff": _CUTOFF,
    },
}
"""The phrases of each metric beyond accuracy, by axis."""
