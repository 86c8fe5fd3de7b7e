"""Recommended rows grouped by user, and the search for (user, item) pairs in them, in blocks that fit the cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reference.input.case import Ids, Predictions
from reference.input.item_numbers import BLOCK, IdIndex

Ints = NDArray[np.int64]

_DIRECT = 1 << 20
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """Recommended rows grouped by user; each user's rows keep the order in which they were given.

    List i belongs to ``user[i]`` and is ``start[i]:start[i + 1]`` of ``item`` and ``score``. ``given``
    holds the position of each row before grouping, or is None if the rows came grouped.
    """

    user: Ids
    start: Ints
    item: Ids
    score: NDArray[np.floating]
    given: Ints | None = None

    @staticmethod
    def of(predictions: Predictions) -> GroupedRows:
        """Group the rows by user; columns that are grouped already are not copied."""
        user, rows = predictions.user, len(predictions.user)
        bound = np.concatenate([[0], _changes(user), [rows]])[: rows + 1]
        runs = user[bound[:-1]]
        users = IdIndex.of(runs)
        if len(users) == len(runs):
            return GroupedRows(runs, bound, predictions.item, predictions.score)
        del bound, runs
        # A stable sort of 16-bit numbers is a radix sort.
        code = users.code_as(np.uint16 if len(users) < 1 << 16 else np.int64, user)
        start = np.concatenate([[0], np.cumsum(np.bincount(code, minlength=len(users)))])
        order = np.argsort(code, kind="stable")
        return GroupedRows(users.distinct, start, predictions.item[order], predictions.score[order], order)

    @cached_property
    def unsorted(self) -> NDArray[np.bool_]:
        """Tell for each list whether a score is higher than the one before, so that its rows are not its ranking.

        Raises:
            ValueError: if a score is NaN.
        """
        out = np.zeros(len(self.user), dtype=np.bool_)
        for first, last in self.blocks(2 * BLOCK):
            bound = self.start[first : last + 1]
            score = self.score[bound[0] : bound[-1]]
            if np.isnan(score.min()):
                raise ValueError("a NaN score has no place in a ranking")
            rises = score[1:] > score[:-1]
            rises[bound[1:-1] - bound[0] - 1] = False
            if rises.any():
                out[self.list_of(np.flatnonzero(rises) + bound[0])] = True
        return out

    def blocks(self, size: int) -> Iterator[tuple[int, int]]:
        """Yield ranges (first, last + 1) of whole lists that hold about ``size`` rows together."""
        first = 0
        while first < len(self.user):
            last = int(np.searchsorted(self.start, self.start[first] + size, side="right")) - 1
            last = max(last, first + 1)
            yield first, last
            first = last

    def list_of(self, row: Ints) -> Ints:
        """Return the index of the list that holds each row."""
        return np.searchsorted(self.start, row, side="right").astype(np.int64) - 1

    def given_number(self, row: Ints) -> Ints:
        """Return the position of each row before grouping."""
        return row if self.given is None else self.given[row]


def _changes(user: Ids) -> Ints:
    """Return the rows whose user differs from the user of the row before."""
    parts = [np.empty(0, dtype=np.int64)]
    for start in range(1, len(user), BLOCK):
        here = user[start : start + BLOCK]
        parts.append(np.flatnonzero(here != user[start - 1 : start - 1 + len(here)]) + start)
    return np.concatenate(parts)


@dataclass(frozen=True, eq=False)
class PairMatches:
    """Holds the rows of pairs: pair ``sought[i]`` is in row ``row[i]``, with one entry for each row that holds it.

    ``repeated`` lists every row whose pair, sought or not, is in another row too.
    """

    sought: Ints
    row: Ints
    repeated: Ints


def find_pairs(rows: GroupedRows, items: IdIndex, number: Ints, item: Ids) -> PairMatches:
    """Find the rows that hold the pairs of list ``number`` (-1 for no list) and ``item``."""
    by_list = np.argsort(number, kind="stable")
    ordered, offset = number[by_list], items.offset(item)[by_list]
    table = np.zeros(0, dtype=np.int32)
    parts: list[tuple[Ints, Ints, Ints]] = []
    for first, last in rows.blocks(BLOCK):
        low, high = rows.start[first], rows.start[last]
        base = np.arange(last - first) * items.span
        key = items.keys(base, np.diff(rows.start[first : last + 1]), rows.item[low:high])
        here = slice(*np.searchsorted(ordered, [first, last]))
        sought = offset[here] + base[ordered[here] - first]
        keys = (last - first) * items.span
        bits = (4 * len(key) - 1).bit_length() if keys > _DIRECT else None
        slots = keys if bits is None else 1 << bits
        if len(table) < slots:
            table = np.zeros(slots, dtype=np.int32)
        which, row, again = _find_in_block(key, sought, table[:slots], bits)
        parts.append((by_list[here][which], row + low, again + low))
    empty = np.empty(0, dtype=np.int64)
    return PairMatches(*(np.concatenate([empty, *(part[column] for part in parts)]) for column in range(3)))


def _find_in_block(key: Ints, sought: Ints, table: NDArray[np.int32], bits: int | None) -> tuple[Ints, Ints, Ints]:
    """Return all (i, row) with ``sought[i] == key[row]``, and the rows whose key is in another row too.

    Each row writes its number into its slot of the table. A row that finds another number there shares its
    slot, and only such rows are compared: about one in eight where slots are hashes, none in most cases where
    every key has its own slot, and then it is enough to count the slots that were written to.
    """
    row = np.arange(len(key), dtype=np.int32)
    slot = _slots(key, bits)
    if bits is None:
        table.fill(-1)
    table[slot] = row
    spot = table[_slots(sought, bits)].astype(np.int64)
    if bits is None and np.count_nonzero(table >= 0) == len(key):
        which = np.flatnonzero(spot >= 0)
        return which, spot[which], np.empty(0, dtype=np.int64)
    back = table[slot]
    lost = np.flatnonzero(back != row)
    shared = np.union1d(lost, back[lost]).astype(np.int64)
    by_key = shared[np.argsort(key[shared], kind="stable")]
    same = key[by_key][1:] == key[by_key][:-1]
    # A slot that nothing wrote to holds -1, or a number of an earlier block: any row of this one, or none.
    near = np.union1d(spot[(spot >= 0) & (spot < len(key))], shared)
    which, at = match_keys(sought, key[near])
    return which, near[at], np.union1d(by_key[1:][same], by_key[:-1][same])


def _slots(key: Ints, bits: int | None) -> Ints:
    """Return the key itself, or ``bits`` bits of its hash if there are too many keys for a table."""
    if bits is None:
        return key
    return ((key.view(np.uint64) * _GOLDEN) >> np.uint64(64 - bits)).view(np.int64)


def match_keys(sought: Ints, keys: Ints) -> tuple[Ints, Ints]:
    """Return all (i, j) with ``sought[i] == keys[j]``, ascending by i, then j."""
    by_key = np.argsort(keys, kind="stable")
    ordered = keys[by_key]
    low, high = np.searchsorted(ordered, sought), np.searchsorted(ordered, sought, side="right")
    which, spot = expand_ranges(low, high - low)
    return which, by_key[spot]


def expand_ranges(first: Ints, size: Ints) -> tuple[Ints, Ints]:
    """Return the ranges ``first[i] : first[i] + size[i]`` one after another, as (i, members)."""
    which = np.repeat(np.arange(len(first)), size)
    inside = np.arange(len(which)) - np.repeat(np.cumsum(size) - size, size)
    return which, first[which] + inside


def earlier_copies(keys: Ints) -> Ints:
    """Count, for each entry, the equal entries before it."""
    by_key = np.argsort(keys, kind="stable")
    ordered = keys[by_key]
    out = np.empty(len(keys), dtype=np.int64)
    out[by_key] = np.arange(len(keys)) - np.searchsorted(ordered, ordered)
    return out
