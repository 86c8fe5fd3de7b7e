"""Expected novelty: how novel the relevant items of a user's list are, discounted by rank.

Expected novelty = the mean over the places shown, weighted by a discount, of how novel an item is, times 1 if it is
relevant and 0 if not. Vargas & Castells 2011: EPC, in which the novelty of an item is the complement of its
popularity, and EFD, in which it is the self-information of its popularity.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.item_axes import MEANS_ONLY
from recsys_metric_audit.reference.space.lists import Bools, Floats, Ints, Ratio
from recsys_metric_audit.reference.space.metric import Metric
from recsys_metric_audit.reference.space.shown_items import ShownItems

# fmt: off
NOVELTY = axis("novelty", "how novel an item is", {
    "complement": "1 minus the share of train users who have it",
    "self_information": "log2(train rows / train rows of the item)",
}, slug="other-novelty", sources={
    "complement": "Vargas & Castells 2011, expected popularity complement",
    "self_information": "Vargas & Castells 2011, expected free discovery",
})
COUNTED = axis("counted", "which of the items shown count",
    {"relevant": "those with a relevant truth row of the user; others add 0", "all": "all"}, slug="relevance-ignored",
    sources={"all": "Vargas & Castells 2011: relevance may be left out"})
DISCOUNT = axis("discount", "what a place weighs", {"log2": "1 / log2(rank + 1)", "none": "1, whatever its rank"},
    slug="missing-discount")
DENOMINATOR = axis("denominator", "what the weighted sum is divided by",
    {"shown": "the weights of the places shown", "k": "the weights of k places, also where fewer are shown"},
    slug="wrong-denominator")
UNSEEN = axis("unseen", "an item without train rows", {
    "most": "is as novel as can be: its complement is 1, its self-information the largest of the train items",
    "one_row": "counts as if one row held it", "zero": "adds 0",
}, slug="unseen-items")
UNDEFINED = axis("undefined", "a user with recommendations and without relevant items, where only these count",
    {"skip": "is left out", "0": "counts as 0"}, slug="undefined-user", part="edges")
# fmt: on


def expected_novelty(
    shown: ShownItems, *, novelty: str, counted: str, discount: str, denominator: str, unseen: str, undefined: str
) -> Ratio:
    """Return the mean novelty of the relevant items that each user is shown. Vargas & Castells 2011, EPC and EFD."""
    added = discounted_novelty(shown, novelty=novelty, counted=counted, discount=discount, unseen=unseen)
    if denominator == "k":
        deepest = int(shown.k.max(initial=0))
        over = np.append(0.0, np.cumsum(_weights(np.arange(1, deepest + 1), discount)))[np.maximum(shown.k, 0)]
    else:
        over = shown.of_user(_weights(shown.rank, discount))
    out = counted == "relevant" and undefined == "skip"
    kept = (shown.shown > 0) & ((shown.liked > 0) | (not out))
    return Ratio(shown.of_user(added), np.where(kept, over, 0.0))


def discounted_novelty(
    shown: ShownItems, *, novelty: str, counted: str, discount: str, unseen: str, **_: str
) -> Floats:
    """Return how novel the item of each row is times the weight of its place, 0 if it does not count."""
    sizes, case = shown.sizes, shown.case_of_item
    whole, fewest = np.maximum(sizes.train_rows, 1)[case], np.maximum(sizes.fewest, 1)[case]
    if novelty == "complement":
        rows = np.where(shown.had > 0, shown.had, 0 if unseen == "most" else 1)
        of_item = 1 - rows / np.maximum(sizes.train_users, 1)[case]
    else:
        of_item = np.log2(whole / np.where(shown.had > 0, shown.had, fewest if unseen == "most" else 1))
    of_item = np.where((shown.had == 0) & (unseen == "zero"), 0.0, of_item)
    counts: Bools | bool = shown.relevant if counted == "relevant" else True
    return np.asarray(of_item[shown.item] * _weights(shown.rank, discount) * counts, dtype=np.float64)


def _weights(rank: Ints, discount: str) -> Floats:
    """Return what places weigh, by their ranks."""
    return 1 / np.log2(rank + 1) if discount == "log2" else np.ones(len(rank))


EXPECTED_NOVELTY = Metric(
    "expected_novelty", "Expected novelty", (NOVELTY, COUNTED, DISCOUNT, DENOMINATOR, UNSEEN, UNDEFINED),
    expected_novelty,
    "the mean over the places shown, weighted by 1 / log2(rank + 1), of 1 minus the share of users who have the item,"
    " if it is relevant (Vargas & Castells 2011, EPC)",
    inputs=MEANS_ONLY, reads="lists", terms=discounted_novelty,
)  # fmt: skip
