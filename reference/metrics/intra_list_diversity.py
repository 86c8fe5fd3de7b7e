"""Intra-list diversity: how unlike one another the items of a user's list are.

Diversity = the mean distance of two items of the list, over its n(n - 1)/2 pairs. Items are compared by the users who
have them: the vector of an item has a 1 for each user of the train data who has it. Ziegler et al. 2005 add up the
similarities of all pairs; Zhang et al. 2012 average 1 - cosine, as MS Recommenders cites them.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.item_axes import MEANS_ONLY
from recsys_metric_audit.reference.space.lists import Floats, Ratio
from recsys_metric_audit.reference.space.metric import Metric, Values
from recsys_metric_audit.reference.space.shown_items import ShownItems

# fmt: off
DISTANCE = axis("distance", "distance of two items, by the users who have them", {
    "cosine": "1 minus the cosine, 1 where nobody has one of them",
    "jaccard": "1 minus the share of users with both among users with either, 0 where nobody has any",
    "hamming": "the number of users who have one of them only",
    "euclidean": "the square root of the number of users who have one of them only",
}, slug="other-distance", sources={
    "cosine": "MS Recommenders, docstring of user_diversity: formula (3) of Zhang et al. 2012",
    "jaccard": "RecPack, docstring of recpack.metrics.IntraListDiversityK",
    "hamming": "RecTools, docstring of PairwiseHammingDistanceCalculator",
})
DIRECTION = axis("direction", "which way the number points",
    {"diversity": "the distance of two items", "similarity": "1 minus their distance"}, slug="complement",
    sources={"similarity": "recmetrics, docstring of recmetrics.intra_list_similarity"})
DENOMINATOR = axis("denominator", "what the sum over all pairs of a list is divided by", {
    "pairs": "the number of its pairs, n(n - 1)/2", "k": "k(k - 1)/2, also where fewer are shown",
    "one": "nothing: it is a sum",
}, slug="wrong-denominator", sources={
    "k": "RecTools, docstring of rectools.metrics.IntraListDiversity: / (k * (k-1)), over ordered pairs",
    "one": "Ziegler et al. 2005, intra-list similarity",
})
NO_PAIR = axis("no_pair", "a list without a pair, where the formula is 0/0",
    {"0": "counts as 0", "1": "counts as 1", "left_out": "is left out", "nan": "counts as NaN"},
    slug="lists-without-a-pair")
# fmt: on
_OF_A_LIST = {"0": 0.0, "1": 1.0, "nan": np.nan, "left_out": 0.0}


def intra_list_diversity(shown: ShownItems, *, distance: str, direction: str, denominator: str, no_pair: str) -> Ratio:
    """Return the mean distance of two items of each user's list. Ziegler et al. 2005; Zhang et al. 2012."""
    over = shown.of_user(distances_to_those_above(shown, distance=distance, direction=direction))
    if denominator == "one":
        return Ratio(over, np.ones(len(over)))
    size = (shown.shown if denominator == "pairs" else np.where(shown.shown > 0, shown.k, 0)).astype(np.float64)
    under = size * (size - 1) / 2
    none = under == 0
    kept = np.where(none & (no_pair != "left_out"), 1.0, under)
    return Ratio(np.where(none, _OF_A_LIST[no_pair], over), kept)


def distances_to_those_above(shown: ShownItems, *, distance: str, direction: str, **_: str) -> Floats:
    """Return the sum of the distances, or similarities, of each row and all rows above it in the list."""
    value = _distances(shown, distance)
    value = 1 - value if direction == "similarity" else value
    made = np.bincount(shown.pairs[1], weights=value, minlength=len(shown.user))
    return np.asarray(made, dtype=np.float64)


def _distances(shown: ShownItems, distance: str) -> Floats:
    """Return the distance of each pair of rows of a list."""
    one, other = (shown.train.users(shown.train_item[shown.item[rows]]) for rows in shown.pairs)
    common = shown.common_in_pairs
    only_one = (one + other - 2 * common).astype(np.float64)
    match distance:
        case "cosine":
            return np.asarray(1 - common / np.sqrt(np.maximum(one * other, 1)), dtype=np.float64)
        case "jaccard":
            return np.asarray(only_one / np.maximum(one + other - common, 1), dtype=np.float64)
        case _:
            return np.sqrt(only_one) if distance == "euclidean" else only_one


def _refuse(values: Values) -> str | None:
    if values["direction"] == "similarity" and values["distance"] in ("hamming", "euclidean"):
        return (
            f"direction:similarity is 1 minus a distance of 1 at most, and distance:{values['distance']} has no bound"
        )
    return None


INTRA_LIST_DIVERSITY = Metric(
    "intra_list_diversity", "Intra-list diversity", (DISTANCE, DIRECTION, DENOMINATOR, NO_PAIR), intra_list_diversity,
    "the mean over all pairs of a list of 1 minus the cosine of their vectors (Zhang et al. 2012)",
    inputs=MEANS_ONLY, reads="lists", terms=distances_to_those_above, refuse=_refuse,
)  # fmt: skip
