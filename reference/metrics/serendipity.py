"""Serendipity: items of a user's list that are both useful to the user and unexpected.

Serendipity = the mean over the items shown of how unexpected an item is, times 1 if it is useful and 0 if not. Ge,
Delgado-Battenfeld & Jannach 2010: what a primitive recommender would recommend is expected. Zhang et al. 2012: what is
like the items that the user has.
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.item_axes import MEANS_ONLY, TRUTH_COPIES
from recsys_metric_audit.reference.space.lists import Floats, Ratio
from recsys_metric_audit.reference.space.metric import Metric
from recsys_metric_audit.reference.space.shown_items import ShownItems

# fmt: off
UNEXPECTED = axis("unexpected", "how unexpected an item is", {
    "history": "1 minus the mean cosine with the items that the user has, vectors being the users who have them",
    "popularity": "how much higher it stands than by popularity: max(0, popularity rank - rank) / items that exist;"
    " 1 - (rank - 1) / items that exist where nobody has it",
    "not_popular": "1, and 0 where fewer than k items have more train rows",
}, slug="other-expectation", sources={
    "history": "MS Recommenders, docstring of user_item_serendipity, after Zhang et al. 2012",
    "popularity": "RecTools, docstring of rectools.metrics.Serendipity",
    "not_popular": "Ge et al. 2010, with the most popular items as the primitive recommender",
})
USEFUL = axis("useful", "which items are useful", {
    "judged": "those with a truth row of the user", "relevant": "those with a relevant truth row of the user",
    "all": "all",
}, slug="other-usefulness",
    sources={"all": "MS Recommenders, python_evaluation: relevance term, default is 1 (relevant) for all"})
DENOMINATOR = axis("denominator", "what the sum over the items shown is divided by",
    {"shown": "the number of items shown", "k": "k, also where fewer are shown"}, slug="wrong-denominator",
    sources={"k": "RecTools, docstring of rectools.metrics.Serendipity: / k"})
NO_HISTORY = axis("no_history", "a user without train rows, to whom nothing is like what the user has",
    {"left_out": "is left out", "unexpected": "expects nothing: every item counts as 1"}, slug="users-without-history")
# fmt: on


def serendipity(shown: ShownItems, *, unexpected: str, useful: str, denominator: str, no_history: str) -> Ratio:
    """Return the mean unexpectedness of the useful items that each user is shown. Ge et al. 2010; Zhang et al. 2012."""
    added = useful_surprise(shown, unexpected=unexpected, useful=useful, no_history=no_history)
    counts = ~np.isnan(added)
    kept = shown.of_user(counts)
    over = np.where(kept > 0, shown.k, 0).astype(np.float64) if denominator == "k" else kept
    return Ratio(shown.of_user(np.where(counts, added, 0.0)), over)


def useful_surprise(shown: ShownItems, *, unexpected: str, useful: str, no_history: str, **_: str) -> Floats:
    """Return how unexpected the item of each row is, 0 if it is not useful; NaN where the user is left out."""
    surprise = _unexpectedness(shown, unexpected)
    if no_history == "unexpected":
        surprise = np.where(np.isnan(surprise), 1.0, surprise)
    liked = {"judged": shown.judged, "relevant": shown.relevant}.get(useful, np.ones(len(shown.user), dtype=np.bool_))
    return np.where(liked | np.isnan(surprise), surprise, 0.0)


def _unexpectedness(shown: ShownItems, unexpected: str) -> Floats:
    """Return how unexpected the item of each row is; NaN where the user has no history that says so."""
    if unexpected == "history":
        return 1 - shown.likeness_to_history
    train = shown.train_item[shown.item]
    place, above = (np.append(column, 0)[train] for column in (shown.train.place, shown.train.above))
    if unexpected == "not_popular":
        return np.asarray((train < 0) | (above >= shown.k[shown.user]), dtype=np.float64)
    items = shown.sizes.catalogue[shown.case_of_item[shown.item]]
    ahead = np.where(train < 0, items + 1, place) - shown.rank
    return np.asarray(np.maximum(ahead, 0) / np.maximum(items, 1), dtype=np.float64)


SERENDIPITY = Metric(
    "serendipity", "Serendipity", (UNEXPECTED, USEFUL, DENOMINATOR, NO_HISTORY), serendipity,
    "the mean over the items shown that the user's truth has of 1 minus their mean cosine with what the user has"
    " (Zhang et al. 2012)",
    inputs=(*MEANS_ONLY, TRUTH_COPIES), reads="lists", terms=useful_surprise,
)  # fmt: skip
