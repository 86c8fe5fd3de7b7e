"""Recommended rows grouped by user, and the search for (user, item) pairs in them, in blocks that fit the cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reference.input.case import Ids, Predictions
from reference.input.item_numbers import BLOCK, IdIndex
from reference.input.rows_error import RowsError

Ints = NDArray[np.int64]

_DIRECT = 1 << 20
_LEAST_BITS, _MOST_BITS = 16, 20
"""Bits of the place of a row among those that are sorted at a time."""
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
    given: NDArray[np.integer] | None = None

    @staticmethod
    def of(predictions: Predictions) -> GroupedRows:
        """Group the rows by user; columns that are grouped already are not copied."""
        user = predictions.user
        bound = _run_bounds(user)
        runs = user if bound is None else user[bound[:-1]]
        users = IdIndex.of(runs)
        if len(users) == len(runs):
            start = np.arange(len(user) + 1) if bound is None else bound
            return GroupedRows(runs, start, predictions.item, predictions.score)
        del bound, runs
        code = users.code_as(np.uint32, user)
        start = np.concatenate([[0], np.cumsum(np.bincount(code, minlength=len(users)))])
        item, score, given = _grouped(code, start, predictions.item, predictions.score)
        return GroupedRows(users.distinct, start, item, score, given)

    @cached_property
    def unsorted(self) -> NDArray[np.bool_]:
        """Tell for each list whether a score is higher than the one before, so that its rows are not its ranking.

        Raises:
            RowsError: if a score is NaN.
        """
        out = np.zeros(len(self.user), dtype=np.bool_)
        for first, last in self.blocks(2 * BLOCK):
            bound = self.start[first : last + 1]
            score = self.score[bound[0] : bound[-1]]
            if np.isnan(score.min()):
                raise RowsError("a NaN score has no place in a ranking")
            rises = np.zeros(len(score), dtype=np.bool_)
            np.greater(score[1:], score[:-1], out=rises[1:])
            rises[bound[:-1] - bound[0]] = False
            if rises.any():
                out[first:last] = np.logical_or.reduceat(rises, bound[:-1] - bound[0])
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
        return row if self.given is None else self.given[row].astype(np.int64)


def _grouped(
    code: NDArray[np.uint32], start: Ints, item: Ids, score: NDArray[np.floating]
) -> tuple[Ids, NDArray[np.floating], NDArray[np.integer]]:
    """Return items, scores and numbers of the rows, grouped by code, in the order given within each.

    Rows are sorted a block at a time, which stays in the cache, and each block is dealt out to the groups. Code and
    place in the block are sorted as one number: the vectorised sort of numbers is far faster than a stable one.
    """
    # As many places as leave room for the code in 32 bits; runs of one code are longer in a larger block.
    bits = min(_MOST_BITS, 32 - (len(start) - 1).bit_length())
    bits, width = (bits, np.dtype(np.uint32)) if bits >= _LEAST_BITS else (_MOST_BITS, np.dtype(np.uint64))
    items, scores, given = np.empty_like(item), np.empty_like(score), np.empty(len(code), dtype=_row_type(len(code)))
    size, free = 1 << bits, start[:-1].copy()
    for first in range(0, len(code), size):
        here = slice(first, first + size)
        key = np.left_shift(code[here], bits, dtype=width)
        key |= np.arange(len(key), dtype=width)
        key.sort()
        order, own = (key & (size - 1)).astype(np.int64), (key >> bits).astype(np.int64)
        run = np.flatnonzero(np.concatenate([[True], own[1:] != own[:-1]]))
        length, runs = np.diff(run, append=len(own)), own[run]
        to = np.repeat(free[runs] - run, length) + np.arange(len(own))
        free[runs] += length
        items[to], scores[to], given[to] = item[here].take(order), score[here].take(order), order + first
    return items, scores, given


def _row_type(rows: int) -> type[np.integer]:
    return np.uint32 if rows < 1 << 32 else np.int64


def _run_bounds(user: Ids) -> Ints | None:
    """Return where each run of rows of one user begins, and the end; None if the rows are runs of one or two mostly."""
    parts, found = [np.zeros(min(1, len(user)), dtype=np.int64)], 1
    for start in range(1, len(user), BLOCK):
        here = user[start : start + BLOCK]
        parts.append(np.flatnonzero(here != user[start - 1 : start - 1 + len(here)]) + start)
        found += len(parts[-1])
        if 2 * found > len(user) + BLOCK:
            return None
    return np.append(np.concatenate(parts), len(user))


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
        found = None
        if keys <= _DIRECT:
            if len(table) < keys:
                table = np.zeros(keys, dtype=np.int32)
            found = _find_without_repeats(key, sought, table[:keys])
        which, row, again = found if found is not None else _find_with_repeats(key, sought, keys)
        parts.append((by_list[here][which], row + low, again + low))
    empty = np.empty(0, dtype=np.int64)
    return PairMatches(*(np.concatenate([empty, *(part[column] for part in parts)]) for column in range(3)))


def _find_without_repeats(key: Ints, sought: Ints, table: NDArray[np.int32]) -> tuple[Ints, Ints, Ints] | None:
    """Return all (i, row) with ``sought[i] == key[row]``, and no rows; None if a key is in two rows.

    Each row writes its number into its slot of the table, which has one for every key.
    """
    table.fill(-1)
    table[key] = np.arange(len(key), dtype=np.int32)
    if np.count_nonzero(table >= 0) < len(key):
        return None
    spot = table[sought].astype(np.int64)
    which = np.flatnonzero(spot >= 0)
    return which, spot[which], np.empty(0, dtype=np.int64)


def _find_with_repeats(key: Ints, sought: Ints, keys: int) -> tuple[Ints, Ints, Ints]:
    """Return all (i, row) with ``sought[i] == key[row]``, and the rows whose key is in another row too.

    A bitmap of hashes of what is looked for discards nearly all rows; only the others are compared. Keys are below
    ``keys``.
    """
    ordered = np.sort(key.astype(np.uint32) if keys <= 1 << 32 else key)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]].astype(np.int64)
    bits = max(10, (8 * (len(sought) + len(repeated))).bit_length())
    marked = np.zeros(1 << bits, dtype=np.bool_)
    marked[_slots(sought, bits)] = True
    marked[_slots(repeated, bits)] = True
    near = np.flatnonzero(marked[_slots(key, bits)])
    close = key[near]
    which, at = match_keys(sought, close)
    return which, near[at], near[np.isin(close, repeated)] if len(repeated) else np.empty(0, dtype=np.int64)


def _slots(key: Ints, bits: int) -> Ints:
    """Return ``bits`` bits of the hash of each key."""
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
