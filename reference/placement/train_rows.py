"""From train rows to who has each item, what each user has, and how popular each item is."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.placement.joined_ids import JoinedIds, index_in
from recsys_metric_audit.reference.space.lists import Ints
from recsys_metric_audit.reference.space.train_items import TrainItems


def train_items(items: JoinedIds, users: JoinedIds, known_items: Ints, known_users: Ints) -> TrainItems:
    """Return the train data of some cases.

    Args:
        items: The items of the cases.
        users: Their users.
        known_items: The distinct numbers of the train items, ascending.
        known_users: The numbers of the users whose histories are wanted, ascending.
    """
    item, count = np.searchsorted(known_items, items.train), len(known_items)
    owners, owner = np.unique(users.train, return_inverse=True)
    held = distinct(item * (len(owners) + 1) + owner.reshape(-1))
    start = np.searchsorted(held // (len(owners) + 1), np.arange(count + 1))
    user = index_in(known_users, users.train)
    pairs = distinct((user * (count + 1) + item)[user >= 0])
    history_start = np.searchsorted(pairs // (count + 1), np.arange(len(known_users) + 1))
    popularity = _popularity(np.bincount(item, minlength=count), items.case(known_items))
    return TrainItems(start, held % (len(owners) + 1), history_start, pairs % (count + 1), *popularity)


def _popularity(rows: Ints, case: Ints) -> tuple[Ints, ...]:
    """Return of each item the columns ``place`` to ``behind`` of the train items.

    Args:
        rows: The train rows of each item, in the order of ids.
        case: The case of each item, ascending.
    """
    step = int(rows.max(initial=0)) + 1
    key = case * step + rows  # items of a case lie together, those with few rows first
    ascending, numbers = np.sort(key), distinct(key)
    first, last = np.searchsorted(case, case), np.searchsorted(case, case, "right")
    before, behind = np.empty_like(rows), np.empty_like(rows)
    best_first, worst_first = np.argsort(case * step - rows, kind="stable"), np.argsort(key, kind="stable")
    above = np.cumsum(rows[best_first]) - rows[best_first]
    before[best_first] = above - above[first]
    behind[worst_first] = np.arange(len(rows)) - first
    place = np.searchsorted(numbers // step, case, "right") - np.searchsorted(numbers, key)
    return (
        place,
        last - np.searchsorted(ascending, key, "right"),
        np.searchsorted(ascending, key) - first,
        before,
        behind,
    )
