"""Recommended rows grouped by user, and the search for (user, item) pairs in them, in blocks that fit the cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Ids, Ints, Predictions
from recsys_metric_audit.reference.input.distinct import BLOCK, distinct, first_of_runs
from recsys_metric_audit.reference.input.item_numbers import IdIndex
from recsys_metric_audit.reference.input.rows_error import RowsError

_DIRECT = 1 << 20
_SPREAD = 8
"""Slots of a hash table for each row."""
_SORTED = 1 << 18
"""Rows that are grouped at a time."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """Recommended rows grouped by user; each user's rows keep the order in which they were given.

    List i belongs to ``user[i]`` and is ``start[i]:start[i + 1]`` of ``item`` and ``score``. ``list_as_given`` is the
    list of each row in the order before grouping, or None if the rows came grouped.
    """

    user: Ids
    start: Ints
    item: Ids
    score: NDArray[np.floating]
    list_as_given: NDArray[np.uint32] | None = None

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
        size = np.zeros(len(users), dtype=np.int64)
        for first in range(0, len(code), BLOCK):
            size += np.bincount(code[first : first + BLOCK], minlength=len(users))
        start = np.concatenate([[0], np.cumsum(size)])
        item, score = np.empty_like(predictions.item), np.empty_like(predictions.score)
        for here, order, to in _dealt(code, start):
            item[to], score[to] = predictions.item[here].take(order), predictions.score[here].take(order)
        return GroupedRows(users.distinct, start, item, score, code)

    @cached_property
    def unsorted(self) -> NDArray[np.bool_]:
        """Tell for each list whether a score is higher than the one before, so that its rows are not its ranking.

        Raises:
            RowsError: if a score is NaN.
        """
        out = np.zeros(len(self.user), dtype=np.bool_)
        for first, last in self.blocks(BLOCK):
            bound = self.start[first : last + 1]
            score = self.score[bound[0] : bound[-1]]
            # A NaN is not at most the score before, nor is any score at most a NaN: one pass looks for both.
            falls = np.ones(len(score), dtype=np.bool_)
            np.less_equal(score[1:], score[:-1], out=falls[1:])
            heads = bound[:-1] - bound[0]
            falls[heads] = True
            every = bool(falls.all())
            if np.isnan((score[heads] if every else score).min()):
                raise RowsError("a NaN score has no place in a ranking")
            if not every:
                out[first:last] = ~np.logical_and.reduceat(falls, heads)
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
        return row if self.list_as_given is None else self._given[row].astype(np.int64)

    @cached_property
    def _given(self) -> NDArray[np.integer]:
        """Find the position of each row before grouping, which few definitions ask for."""
        assert self.list_as_given is not None
        out = np.empty(len(self.item), dtype=_row_type(len(self.item)))
        for here, order, to in _dealt(self.list_as_given, self.start):
            order += here.start
            out[to] = order
        return out


def _dealt(code: NDArray[np.uint32], start: Ints) -> Iterator[tuple[slice, Ints, Ints]]:
    """Yield some rows at a time, their stable order by code, and where each goes in the order of all rows.

    Rows are sorted a block at a time, which stays in the cache, and each block is dealt out to the groups.
    """
    free = start[:-1].copy()
    for first in range(0, len(code), _SORTED):
        here = slice(first, first + _SORTED)
        order = _order_by_code(code[here], len(free))
        own = code[here].take(order)
        run = np.flatnonzero(first_of_runs(own))
        length, runs = np.diff(run, append=len(own)), own[run]
        to = np.repeat(free[runs] - run, length)
        to += np.arange(len(own))
        free[runs] += length
        yield here, order, to


def _order_by_code(code: NDArray[np.uint32], codes: int) -> Ints:
    """Return the stable order of numbers below ``codes``, by half their bits at a time.

    Of numbers of 16 bits numpy counts how many there are of each (radix sort): a sixth of the time of comparing them.
    """
    order = np.argsort(code.astype(np.uint16), kind="stable")
    if codes > 1 << 16:
        order = order.take(np.argsort((code >> 16).astype(np.uint16).take(order), kind="stable"))
    return order


def _row_type(rows: int) -> type[np.integer]:
    return np.uint32 if rows < 1 << 32 else np.int64


def _run_bounds(user: Ids) -> Ints | None:
    """Return where each run of rows of one user begins, and the end; None once rows are runs of one or two mostly."""
    parts, found = [np.zeros(min(1, len(user)), dtype=np.int64)], 1
    for start in range(1, len(user), BLOCK):
        here = user[start : start + BLOCK]
        parts.append(np.flatnonzero(here != user[start - 1 : start - 1 + len(here)]) + start)
        found += len(parts[-1])
        if 2 * found > start + BLOCK:
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
    parts: list[tuple[Ints, Ints, Ints]] = []
    for first, last in rows.blocks(BLOCK):
        low, base = rows.start[first], np.arange(last - first) * items.span
        here = slice(*np.searchsorted(ordered, [first, last]))
        sought, keys = offset[here] + base[ordered[here] - first], (last - first) * items.span
        key = _keys(rows, items, first, last)
        found = _find_in_table(key, sought, keys) if keys <= _DIRECT else _find_by_hash(key, sought)
        if found is None:
            found = _find_with_repeats(key, sought, keys)
        which, row, again = found
        parts.append((by_list[here][which], row + low, again + low))
    empty = np.empty(0, dtype=np.int64)
    return PairMatches(*(np.concatenate([empty, *(part[column] for part in parts)]) for column in range(3)))


def _keys(rows: GroupedRows, items: IdIndex, first: int, last: int) -> Ints:
    """Return a number for the (list, item) of each row of the lists ``first`` to ``last``."""
    bound = rows.start[first : last + 1]
    base = np.arange(last - first) * items.span
    return items.keys(base, np.diff(bound), rows.item[bound[0] : bound[-1]])


def _find_in_table(key: Ints, sought: Ints, keys: int) -> tuple[Ints, Ints, Ints] | None:
    """Return all (i, row) with ``sought[i] == key[row]``, and no rows; None if a key is in two rows.

    Each row writes its number into a table with a slot for every key; keys are below ``keys``.
    """
    slots = np.full(keys, -1, dtype=np.int32)
    slots[key] = np.arange(len(key), dtype=np.int32)
    if np.count_nonzero(slots >= 0) < len(key):
        return None
    spot = slots[sought].astype(np.int64)
    which = np.flatnonzero(spot >= 0)
    return which, spot[which], np.empty(0, dtype=np.int64)


def _find_by_hash(key: Ints, sought: Ints) -> tuple[Ints, Ints, Ints] | None:
    """Return all (i, row) with ``sought[i] == key[row]``, and no rows; None if a key is in two rows.

    Each row writes its number into the slot of its key's hash. The few rows that another one overwrites are compared.
    """
    bits = (_SPREAD * len(key)).bit_length()
    slot, number = _slots(key, bits), np.arange(len(key), dtype=np.int32)
    table = np.full(1 << bits, -1, dtype=np.int32)
    table[slot] = number
    winner = table.take(slot)
    lost = np.flatnonzero(winner != number)
    lost_key = key[lost]
    if (key[winner[lost]] == lost_key).any() or len(distinct(lost_key)) < len(lost):
        return None
    row = table[_slots(sought, bits)].astype(np.int64)
    others = np.flatnonzero((row >= 0) & (key[row] != sought))
    row[others] = -1
    which, spot = match_keys(sought[others], lost_key)
    row[others[which]] = lost[spot]
    found = np.flatnonzero(row >= 0)
    return found, row[found], np.empty(0, dtype=np.int64)


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
    place, out = np.arange(len(keys)), np.empty(len(keys), dtype=np.int64)
    out[by_key] = place - np.maximum.accumulate(np.where(first_of_runs(keys[by_key]), place, 0))
    return out
