"""(user, item) pairs as single integers, so that duplicates and overlaps are found on one column."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reference.input.case import Ids
from reference.input.distinct import distinct as distinct_by_sorting

Columns = tuple[Ids, Ids]


def pair_keys(tables: Sequence[Columns]) -> list[Ids]:
    """Return one int64 key per row of each ``(user, item)`` table; equal keys mean equal pairs, across tables too.

    Ids must not be negative. If user × item would exceed int64, ids are replaced by their ranks first.
    """
    width = 1 + max((int(item.max()) for _, item in tables if len(item)), default=0)
    height = 1 + max((int(user.max()) for user, _ in tables if len(user)), default=0)
    if width * height < 2**63:
        return [user * np.int64(width) + item for user, item in tables]
    users = _dense([user for user, _ in tables])
    items = _dense([item for _, item in tables])
    width = 1 + max((int(item.max()) for item in items if len(item)), default=0)
    return [user * np.int64(width) + item for user, item in zip(users, items, strict=True)]


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
    step = np.diff(user)
    if not (step < 0).any() and not ((step == 0) & (np.diff(score) > 0)).any():
        return None
    return np.lexsort((-score, user)).astype(np.int64)
