"""Popularity bias between groups of items: how unequal the chances of popular and of unpopular items are to be shown.

Bias = standard deviation / mean of the chances of the two groups, the short head and the long tail; it is 0 where both
have one chance. The chance of a group is the number of its items that the lists show, over the number that they could
show. Zhu, Wang & Caverlee 2020: ranking-based statistical parity (all items) and equal opportunity (relevant items).
"""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.metrics.novelty import TAIL, tail_items
from recsys_metric_audit.reference.space.axis import axis
from recsys_metric_audit.reference.space.item_axes import WHOLE
from recsys_metric_audit.reference.space.lists import Bools, Floats, Ints, Ratio
from recsys_metric_audit.reference.space.metric import Metric
from recsys_metric_audit.reference.space.shown_items import ShownItems

# fmt: off
COUNTED = axis("counted", "which items of a group count, in the lists and beside them",
    {"all": "all (statistical parity)", "relevant": "those that are relevant to the user (equal opportunity)"},
    slug="hits-only",
    sources={"relevant": "Zhu et al. 2020, REO; Elliot, docstring of elliot.evaluation.metrics.PopREO"})
CHANCES = axis("chances", "which items of a group the lists could show",
    {"new": "those that the user does not have in the train data", "all": "all"}, slug="wrong-denominator",
    sources={"new": "Zhu et al. 2020, RSP and REO: the items outside of the user's train data"})
UNSEEN = axis("unseen", "an item without train rows", {"tail": "is in the long tail", "left_out": "is in no group"},
    slug="unseen-items")
SPREAD = axis("spread", "which standard deviation of the two chances is taken",
    {"population": "divided by their number", "sample": "divided by their number less one"}, slug="wrong-denominator")
# fmt: on


def popularity_bias(shown: ShownItems, *, counted: str, chances: str, tail: str, unseen: str, spread: str) -> Ratio:
    """Return the spread of the chances of head and tail over their mean, for each case. Zhu et al. 2020."""
    in_tail = np.append(tail_items(shown, tail), True)  # the last one stands for all items without train rows
    new_only, relevant = chances == "new", counted == "relevant"
    row_counts = shown.relevant if relevant else np.ones(len(shown.user), dtype=np.bool_)
    case, train_item = shown.case_of_item[shown.item], shown.train_item[shown.item]
    grouped = row_counts & ((train_item >= 0) | (unseen == "tail"))
    chance = []
    for group in (~in_tail, in_tail):
        over = _count(case[grouped & group[train_item]], shown.cases)
        under = _relevant_items(shown, group, unseen, new_only) if relevant else _items(shown, group, unseen, new_only)
        chance.append(np.divide(over, under, out=np.full(shown.cases, np.nan), where=under > 0))
    head, rest = chance
    undefined = np.isnan(head) | np.isnan(rest)
    apart = np.abs(head - rest) * (np.sqrt(2) if spread == "sample" else 1.0)
    return Ratio(np.where(undefined, 0.0, apart), np.where(undefined, 0.0, head + rest))


def _items(shown: ShownItems, group: Bools, unseen: str, new_only: bool) -> Floats:
    """Count the items of a group that the lists of each case could show, over all users with a list."""
    listed = shown.shown > 0
    size = _count(shown.train_case[group[:-1]], shown.cases)
    if unseen == "tail" and group[-1]:
        size = size + shown.sizes.catalogue - shown.sizes.train
    every = size * shown.sum_of_users(listed)
    if not new_only:
        return every
    owner, item = shown.held
    known = listed[owner] & group[item]
    return every - _count(shown.case_of_user[owner[known]], shown.cases)


def _relevant_items(shown: ShownItems, group: Bools, unseen: str, new_only: bool) -> Floats:
    """Count the relevant items of a group that the lists of each case could show, over all users with a list."""
    user, item = shown.liked_user, shown.liked_item
    kept = (shown.shown > 0)[user] & group[item] & ((item >= 0) | (unseen == "tail"))
    if new_only:
        kept &= ~shown.has(user, item)
    return _count(shown.case_of_user[user[kept]], shown.cases)


def _count(case: Ints, cases: int) -> Floats:
    return np.bincount(case, minlength=cases).astype(np.float64)


POPULARITY_BIAS = Metric(
    "popularity_bias", "Popularity bias between groups", (COUNTED, CHANCES, TAIL, UNSEEN, SPREAD), popularity_bias,
    "of the items that a user does not have, head and tail being those of Abdollahpouri et al. 2019 (Zhu et al. 2020,"
    " RSP)",
    inputs=WHOLE, reads="items",
)  # fmt: skip
