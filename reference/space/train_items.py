"""Holds the train data of some cases: who has each item, what each user has, and how popular each item is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from recsys_metric_audit.reference.space.lists import Ints

_AT_ONCE = 2**22
"""So many rows of owners are looked up at once, which bounds the memory."""


@dataclass(frozen=True, eq=False)
class TrainItems:
    """Holds the items of the train data; a row that stands there twice counts once, but for popularity.

    ``start`` (items + 1,) says where the users who have an item begin in ``owner``, in which they ascend.
    ``history_start`` (users + 1,) says where the items that a user has begin in ``history``. Per item: ``place`` among
    the numbers of train rows, 1 for the largest (items with equally many share one), ``above``, the number of items
    with more, ``fewer``, the number of items with fewer, ``before``, the sum of the train rows of all items with more
    rows, or as many and a lower id, and ``behind``, the number of items with fewer rows, or as many and a lower id.
    Items of different cases are different items; item -1 is one that nobody has.
    """

    start: Ints
    owner: Ints
    history_start: Ints
    history: Ints
    place: Ints
    above: Ints
    fewer: Ints
    before: Ints
    behind: Ints

    @cached_property
    def _users(self) -> Ints:
        """Count the users who have each item; the 0 at the end is for item -1."""
        return np.append(np.diff(self.start), 0)

    def users(self, item: Ints) -> Ints:
        """Return how many users have each of some items."""
        return self._users[item]

    def common(self, first: Ints, second: Ints) -> Ints:
        """Count the users who have both items of each pair."""
        low, high = np.minimum(first, second), np.maximum(first, second)
        pairs, back = np.unique(np.where(low < 0, -1, low * len(self.start) + high), return_inverse=True)
        out = np.zeros(len(pairs), dtype=np.int64)
        known = np.flatnonzero(pairs >= 0)
        one, other = np.divmod(pairs[known], len(self.start))
        swap = self._users[one] > self._users[other]
        fewer, more = np.where(swap, other, one), np.where(swap, one, other)
        work = np.cumsum(self._users[fewer])
        ends = np.searchsorted(work, np.arange(_AT_ONCE, work.max(initial=0), _AT_ONCE))
        for block in np.split(np.arange(len(known)), ends):
            out[known[block]] = self._common(fewer[block], more[block])
        return out[back.reshape(-1)]

    @cached_property
    def _holdings(self) -> Ints:
        """Return an ascending number for each pair of an item and a user who has it."""
        return self._numbers(np.repeat(np.arange(len(self.start) - 1), np.diff(self.start)), self.owner)

    def _numbers(self, item: Ints, owner: Ints) -> Ints:
        return item * (int(self.owner.max(initial=0)) + 1) + owner

    def _common(self, fewer: Ints, more: Ints) -> Ints:
        sizes = self._users[fewer]
        pair, owner = np.repeat(np.arange(len(fewer)), sizes), self.owner[spans(self.start[fewer], sizes)]
        wanted = self._numbers(more[pair], owner)
        place = np.minimum(np.searchsorted(self._holdings, wanted), len(self._holdings) - 1)
        both = self._holdings[place] == wanted if len(wanted) else np.zeros(0, dtype=np.bool_)
        return np.bincount(pair[both], minlength=len(fewer)).astype(np.int64)


def spans(start: Ints, sizes: Ints) -> Ints:
    """Return start, start + 1, ... for each span, one span after the other."""
    ends = np.cumsum(sizes)
    made: Ints = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(start - (ends - sizes), sizes)
    return made
