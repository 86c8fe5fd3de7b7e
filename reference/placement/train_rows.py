"""From train rows to who has each item, what each user has, and how popular each item is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from reference.input.case import Case, Ids
from reference.input.distinct import distinct
from reference.placement.placement import Placement
from reference.space.lists import Ints
from reference.space.train_items import TrainItems


def train_items(cases: Sequence[Case], placement: Placement, ids: Sequence[Ids]) -> TrainItems:
    """Return the train data of some cases, given the distinct train items of each."""
    first = np.cumsum([0, *map(len, ids)])
    item = np.concatenate([np.searchsorted(own, case.train.item) for own, case in zip(ids, cases, strict=True)])
    item += np.repeat(first[:-1], [len(case.train.item) for case in cases])
    user = np.concatenate([case.train.user for case in cases])
    known, owner = np.unique(user, return_inverse=True)
    held = distinct(item * (len(known) + 1) + owner.reshape(-1))
    start = np.searchsorted(held // (len(known) + 1), np.arange(first[-1] + 1))
    popular = [_popularity(np.bincount(item, minlength=first[-1])[low:high]) for low, high in pairwise(first)]
    of_items = (np.concatenate(column) for column in zip(*popular, strict=True))
    return TrainItems(start, held % (len(known) + 1), *_histories(cases, placement, ids, first), *of_items)


def _histories(cases: Sequence[Case], placement: Placement, ids: Sequence[Ids], first: Ints) -> tuple[Ints, Ints]:
    """Return where the train items of each user of the placement begin, and these items."""
    held = []
    for number, (case, own) in enumerate(zip(cases, ids, strict=True)):
        users = placement.users[placement.case == number]
        keep = np.isin(case.train.user, users)
        user = np.searchsorted(users, case.train.user[keep]) + np.searchsorted(placement.case, number)
        held.append(user * (first[-1] + 1) + np.searchsorted(own, case.train.item[keep]) + first[number])
    pairs = distinct(np.concatenate(held))
    return np.searchsorted(pairs // (first[-1] + 1), np.arange(len(placement) + 1)), pairs % (first[-1] + 1)


def _popularity(rows: Ints) -> tuple[Ints, ...]:
    """Return of each item the columns ``place`` to ``behind`` of the train items.

    Args:
        rows: The train rows of each item, in the order of ids.
    """
    numbers = distinct(rows)
    ascending = np.sort(rows)
    before, behind = np.empty_like(rows), np.empty_like(rows)
    best_first, worst_first = np.argsort(-rows, kind="stable"), np.argsort(rows, kind="stable")
    before[best_first] = np.cumsum(rows[best_first]) - rows[best_first]
    behind[worst_first] = np.arange(len(rows))
    place, fewer = len(numbers) - np.searchsorted(numbers, rows), np.searchsorted(ascending, rows)
    return place, len(rows) - np.searchsorted(ascending, rows, "right"), fewer, before, behind
