"""A dataset: one case, the labels that its integer ids stand for, and facts about it.

What is legal but unusual in a case is counted and reported, never repaired. (user, item) pairs become single integers,
so that duplicates and overlaps are found on one column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, SupportsInt

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Case, Ids
from recsys_metric_audit.reference.input.case import rows_of as rows_of
from recsys_metric_audit.reference.input.distinct import distinct

if TYPE_CHECKING:
    from hashlib import _Hash as Hash


@dataclass(frozen=True)
class Fact:
    """A property of the data that is legal but worth reporting, and how often it occurs.

    ``slug`` names the property; ``text`` is a whole sentence, the count included.
    """

    slug: str
    count: int
    text: str


@dataclass(frozen=True, eq=False)
class Labels:
    """The labels of integer ids: ``names[id]``, or the id itself if ``names`` is None.

    ``names`` are sorted (text by code point, numbers by value), so the order of ids is the order of labels.
    """

    names: NDArray[np.object_] | None = None

    def of(self, ids: Ids | Sequence[int]) -> list[Any]:
        """Return the labels of ``ids`` as the user wrote them: text or whole numbers."""
        ids = np.asarray(ids, dtype=np.int64)
        labels: list[Any] = (ids if self.names is None else self.names[ids]).tolist()
        return labels


@dataclass(frozen=True)
class Shape:
    """The sizes of a dataset: users and pairs of the truth, items of the catalogue, rows of the predictions."""

    users: int
    items: int
    pairs: int
    rows: int


@dataclass(frozen=True, eq=False)
class Dataset:
    """A case with the labels of its ids.

    ``facts`` lists what is legal but unusual in it; ``choices`` says what was decided (split, candidates, threshold),
    in one sentence each. Rows of the predictions are grouped by user, best first.
    """

    name: str
    case: Case
    users: Labels
    items: Labels
    facts: tuple[Fact, ...] = ()
    choices: tuple[str, ...] = ()

    @cached_property
    def shape(self) -> Shape:
        """Return the sizes that a report shows."""
        case = self.case
        return Shape(
            users=len(distinct(case.truth.user)),
            items=len(case.catalogue),
            pairs=len(case.truth.user),
            rows=len(case.predictions.user),
        )

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 (hex) of everything that libraries are given: columns in row order, labels, threshold.

        It depends on the content of the user's files, not on their names or formats.
        """
        state = sha256()
        _feed_columns(state, self.case)
        for name, labels in (("users", self.users), ("items", self.items)):
            if labels.names is not None:
                state.update(f"{name} {labels.names.tolist()!r}\n".encode())
        _feed_settings(state, self.case)
        return state.hexdigest()


def input_digest(case: Case) -> str:
    """Return the SHA-256 (hex) of what an adapter is handed for ``case``: all but its name and description."""
    state = sha256()
    _feed_columns(state, case)
    _feed_settings(state, case)
    return state.hexdigest()


def _feed_columns(state: Hash, case: Case) -> None:
    tables = {"predictions": case.predictions, "truth": case.truth, "train": case.train}
    columns = {f"{table}.{name}": column for table, rows in tables.items() for name, column in vars(rows).items()}
    for name, column in {**columns, "catalogue": case.catalogue}.items():
        state.update(f"{name} {len(column)} {column.dtype.str}\n".encode())
        state.update(np.ascontiguousarray(column).data)


def _feed_settings(state: Hash, case: Case) -> None:
    state.update(f"threshold {float(case.threshold)!r} scale {tuple(map(float, case.scale))!r}".encode())


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


def are_among(ids: Ids, others: Ids) -> NDArray[np.bool_]:
    """Tell for each id whether it is one of `others`, like ``np.isin`` but without a hash table."""
    known = distinct(others)
    if not len(known):
        return np.zeros(len(ids), dtype=np.bool_)
    place = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    found: NDArray[np.bool_] = known[place] == ids
    return found


def _dense(columns: Sequence[Ids]) -> list[Ids]:
    codes = np.unique(np.concatenate(columns), return_inverse=True)[1].astype(np.int64)
    return np.split(codes, np.cumsum([len(column) for column in columns])[:-1])


def first_repeated_pair(user: Ids, item: Ids) -> tuple[int, int] | None:
    """Return the positions ``(earlier, later)`` of the first row that repeats a pair, or None if all differ."""
    for (block,) in key_blocks((user, item)):
        block.sort()
        if (block[1:] == block[:-1]).any():
            break
    else:
        return None
    (keys,) = pair_keys([(user, item)])
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


def counted(slug: str, count: SupportsInt, what: str) -> Fact:
    """Return the fact that ``what`` occurs ``count`` times, as a sentence that is right for any number."""
    return Fact(slug, int(count), f"{what}: {int(count):,}.")


def facts_of(case: Case) -> tuple[Fact, ...]:
    """Return every fact whose count is not zero; predictions must be grouped by user, best first."""
    found = (*_users(case), *_lists(case), *_pairs(case), *_items(case), *_gains(case))
    return tuple(fact for fact in found if fact.count)


def _users(case: Case) -> Iterator[Fact]:
    predicted = distinct(case.predictions.user)
    relevant, true = distinct(case.truth.user[case.truth.gain >= case.threshold]), distinct(case.truth.user)
    no_list = np.count_nonzero(~are_among(true, predicted))
    yield counted("users-without-recommendations", no_list, "Users in the truth without recommendations")
    no_truth = np.count_nonzero(~are_among(predicted, true))
    yield counted("users-without-truth", no_truth, "Users with recommendations who are not in the truth")
    none = np.count_nonzero(~are_among(true, relevant))
    what = f"Users in the truth without a relevant item (gain of {case.threshold:g} or more)"
    yield counted("users-without-relevant-items", none, what)
    if len(case.train.user):
        new = np.count_nonzero(~are_among(distinct(np.concatenate([true, predicted])), case.train.user))
        yield counted("users-not-in-train", new, "Users of predictions or truth who have no train data")


def _lists(case: Case) -> Iterator[Fact]:
    user, score = case.predictions.user, case.predictions.score
    starts = np.flatnonzero(np.r_[len(user) > 0, user[1:] != user[:-1]])
    users, lengths = user[starts], np.diff(np.r_[starts, len(user)])
    trained = np.sort(case.train.user)
    seen = np.searchsorted(trained, users, side="right") - np.searchsorted(trained, users)
    longest = int(lengths.max(initial=0))
    # a list of all items that the user has not in train cannot be longer, so it is not short
    short = np.count_nonzero((lengths < longest) & (lengths + seen < len(case.catalogue)))
    span = f"Lists shorter than the longest, which has {longest:,} items (shortest: {lengths.min(initial=longest):,})"
    yield counted("short-lists", short, span)
    level = (user[1:] == user[:-1]) & (score[1:] == score[:-1])
    tied = np.count_nonzero(np.r_[level, False] | np.r_[False, level])
    yield counted("tied-scores", tied, "Predicted rows that share their score with another row of the user")


def _pairs(case: Case) -> Iterator[Fact]:
    shown, true, seen = ((table.user, table.item) for table in (case.predictions, case.truth, case.train))
    relevant = (case.truth.gain >= case.threshold) & are_among(case.truth.user, distinct(case.predictions.user))
    missed = known = 0
    for listed, own_relevant, own_seen in key_blocks(shown, (true[0][relevant], true[1][relevant]), seen):
        missed += int(np.count_nonzero(~are_among(own_relevant, listed)))
        known += int(np.count_nonzero(are_among(listed, own_seen)))
    yield counted("relevant-not-recommended", missed, "Pairs from the threshold up that are not in their user's list")
    true_keys, seen_keys = pair_keys([true, seen])
    repeated = len(seen_keys) - len(distinct(seen_keys))
    yield counted("train-duplicates", repeated, "Train rows that repeat an earlier (user, item) pair")
    yield counted("train-items-recommended", known, "Predicted rows that are in the user's train data")
    leaked = np.count_nonzero(are_among(true_keys, seen_keys))
    yield counted("truth-in-train", leaked, "Rows of the truth that are in the train data as well")


def _items(case: Case) -> Iterator[Fact]:
    if not len(case.train.item):
        yield Fact("no-train", 1, "There is no train data.")
        return
    items = distinct(np.concatenate([distinct(case.predictions.item), distinct(case.truth.item)]))
    new = np.count_nonzero(~are_among(items, case.train.item))
    yield counted("items-not-in-train", new, "Items of predictions or truth that are not in the train data")


def _gains(case: Case) -> Iterator[Fact]:
    below = np.count_nonzero(case.truth.gain < case.threshold)
    what = f"Rows of the truth below the threshold that libraries are told, {case.threshold:g}"
    yield counted("truth-below-threshold", below, what)
    yield counted("negative-gains", np.count_nonzero(case.truth.gain < 0), "Rows of the truth with negative gain")
