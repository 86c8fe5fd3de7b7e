"""(user, item) pairs as single integers, so that duplicates and overlaps are found on one column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Ids
from recsys_metric_audit.reference.input.distinct import distinct as distinct_by_sorting

Columns = tuple[Ids, Ids]
_BLOCK = 1 << 20
"""Rows that are looked at together: they stay in the cache of the processor, and in little memory."""


def pair_keys(tables: Sequence[Columns]) -> list[Ids]:
    """Return one int64 key per row of each ``(user, item)`` table; equal keys mean equal pairs, across tables too.

    Ids must not be negative. If user × item would exceed int64, ids are replaced by their ranks first.
    """
    width = _key_width(tables)
    if width is not None:
        return [user * np.int64(width) + item for user, item in tables]
    users = _dense([user for user, _ in tables])
    items = _dense([item for _, item in tables])
    width = 1 + max((int(item.max()) for item in items if len(item)), default=0)
    return [user * np.int64(width) + item for user, item in zip(users, items, strict=True)]


def _key_width(tables: Sequence[Columns]) -> int | None:
    """Return the number by which users are multiplied to make keys; None if keys would exceed int64."""
    width = 1 + max((int(item.max()) for _, item in tables if len(item)), default=0)
    height = 1 + max((int(user.max()) for user, _ in tables if len(user)), default=0)
    return width if width * height < 2**63 else None


def key_blocks(table: Columns, *others: Columns) -> Iterator[tuple[Ids, ...]]:
    """Yield the keys of all pairs of some users at a time: those of the table, then those of each other table.

    Every user of the table is in one block. Rows of users who are in the other tables alone may be in none. The keys of
    other tables are sorted; all keys are made in one block if the rows of the table are not sorted by user.
    """
    width = _key_width([table, *others])
    user, item = table
    if width is None or (user[1:] < user[:-1]).any():
        first, *rest = pair_keys([table, *others])
        yield (first, *map(np.sort, rest))
        return
    keys = [np.sort(each[0] * np.int64(width) + each[1]) for each in others]
    start = 0
    while start < len(user):
        stop = min(start + _BLOCK, len(user))
        stop = int(np.searchsorted(user, user[stop - 1], side="right"))
        ends = np.array([int(user[start]), int(user[stop - 1]) + 1], dtype=np.int64) * width
        own = (slice(*np.searchsorted(each, ends).tolist()) for each in keys)
        here = user[start:stop] * np.int64(width) + item[start:stop]
        yield (here, *(each[rows] for each, rows in zip(keys, own, strict=True)))
        start = stop


def distinct(ids: Ids) -> Ids:
    """Return the distinct ids, ascending, like ``np.unique`` but without sorting if ids are dense."""
    if not _is_dense(ids):
        return distinct_by_sorting(ids)  # ten times faster than the hash table of np.unique
    present = np.zeros(int(ids.max()) + 1, dtype=np.bool_)
    present[ids] = True
    return np.flatnonzero(present).astype(np.int64, copy=False)


def are_among(ids: Ids, others: Ids) -> NDArray[np.bool_]:
    """Tell for each id whether it is one of `others`, like ``np.isin`` but without a hash table."""
    known = distinct_by_sorting(others)
    if not len(known):
        return np.zeros(len(ids), dtype=np.bool_)
    place = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    found: NDArray[np.bool_] = known[place] == ids
    return found


def _is_dense(ids: Ids) -> bool:
    """Return True if a table over all ids from 0 takes no more memory than the ids; they must not be negative."""
    return len(ids) > 0 and int(ids.max()) < 8 * len(ids)


def _dense(columns: Sequence[Ids]) -> list[Ids]:
    codes = np.unique(np.concatenate(columns), return_inverse=True)[1].astype(np.int64)
    return np.split(codes, np.cumsum([len(column) for column in columns])[:-1])


def first_repeated_pair(user: Ids, item: Ids) -> tuple[int, int] | None:
    """Return the positions ``(earlier, later)`` of the first row that repeats a pair, or None if all differ."""
    for (keys,) in key_blocks((user, item)):
        keys.sort()
        if (keys[1:] == keys[:-1]).any():
            return first_duplicate(*pair_keys([(user, item)]))
    return None


def first_duplicate(keys: Ids) -> tuple[int, int] | None:
    """Return the positions ``(earlier, later)`` of the first row that repeats a key, or None if all differ."""
    if len(distinct(keys)) == len(keys):
        return None
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    first = again[np.argmin(order[again + 1])]
    return int(order[first]), int(order[first + 1])


def by_user_best_first(user: Ids, score: NDArray[np.float64]) -> Ids | None:
    """Return the order of rows by user id, then best first, ties as given; None if rows have that order."""
    out_of_order = user[1:] < user[:-1]
    out_of_order |= (user[1:] == user[:-1]) & (score[1:] > score[:-1])
    if not out_of_order.any():
        return None
    return np.lexsort((-score, user)).astype(np.int64)
