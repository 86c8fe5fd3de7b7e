"""Standing: how many rows score higher than a given row, how many tie with it, and which of those come first.

Asked for few rows among many, so it counts: no list is sorted that descends as given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from reference.input.case import Ids
from reference.input.grouped_rows import Rows, expand, occurrence
from reference.input.item_numbers import BLOCK, Items, text_key
from reference.placement.tally import Tally

Ints = NDArray[np.int64]
Scores = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Standing:
    """Per row asked for: rows that score strictly higher, rows that score the same (itself included), and of
    those the ones before it as given, by item id as a number, by item id as text."""

    above: Ints
    tied: Ints
    before: Ints
    before_item: Ints
    before_text: Ints

    @staticmethod
    def alone(rows: int) -> Standing:
        """Rows that tie with nothing; ``above`` still to be filled in."""
        above, before, item, text = np.zeros((4, rows), dtype=np.int64)
        return Standing(above, np.ones(rows, dtype=np.int64), before, item, text)


def per_list(rows: Rows, items: Items, asked: Ints) -> Standing:
    """The standing of each row of ``asked`` (ascending) in its own list."""
    out = Standing.alone(len(asked))
    for first, last in rows.blocks(8 * BLOCK):
        low, high = rows.start[first], rows.start[last]
        here = slice(*np.searchsorted(asked, [low, high]))
        if here.start == here.stop:
            continue
        start = rows.start[first : last + 1] - low
        block = _Block.of(rows.score[low:high], start, rows.rising[first:last], asked[here] - low)
        part = block.standing(items, rows.item[low:high])
        for entry in fields(Standing):
            getattr(out, entry.name)[here] = getattr(part, entry.name)
    return out


@dataclass(frozen=True, eq=False)
class _Block:
    """Some lists and the rows asked for. ``ranked`` are the scores, sorted in those lists that are ``rising`` and
    in which a row is asked for."""

    score: Scores
    ranked: Scores
    start: Ints
    rising: NDArray[np.bool_]
    asked: Ints
    list_of: Ints

    @staticmethod
    def of(score: Scores, start: Ints, rising: NDArray[np.bool_], asked: Ints) -> _Block:
        list_of = np.searchsorted(start, asked, side="right") - 1
        ranked = score
        if len(lists := np.unique(list_of[rising[list_of]])):
            ranked = -score
            for number in lists:
                ranked[start[number] : start[number + 1]].sort()
            np.negative(ranked, out=ranked)
        return _Block(score, ranked, start, rising, asked, list_of)

    def standing(self, items: Items, item: Ids) -> Standing:
        first, last = self.asked.copy(), self.asked + 1
        low, high, score = self.start[self.list_of], self.start[self.list_of + 1], self.score[self.asked]
        ranked, end = self.ranked, len(self.ranked) - 1
        search = self.rising[self.list_of]
        search |= (first > low) & (ranked[np.maximum(first - 1, 0)] == score)
        search |= (last < high) & (ranked[np.minimum(last, end)] == score)
        look = np.flatnonzero(search)
        first[look] = _descend(ranked, low[look], high[look], score[look], past=False)
        last[look] = _descend(ranked, first[look], high[look], score[look], past=True)
        out = Standing.alone(len(self.asked))
        out.above[:], out.tied[:] = first - low, last - first
        tied = np.flatnonzero(out.tied > 1)
        if len(tied):
            order = self._order(np.unique(self.list_of[tied]))
            place = np.empty(len(order), dtype=np.int64)
            place[order] = np.arange(len(order))
            heads, group = np.unique(first[tied], return_inverse=True)
            size = np.zeros(len(heads), dtype=np.int64)
            size[group] = out.tied[tied]
            of, spot = expand(heads, size)
            inside = place[self.asked[tied]] - first[tied]
            code = items.code(item[order[spot]])
            _fill(out, tied, inside, of, code, items.text_rank[code], (np.cumsum(size) - size)[group] + inside)
        return out

    def _order(self, lists: Ints) -> Ints:
        """Ranked order of the rows, equal scores as given, right for ``lists``."""
        order = np.arange(len(self.score))
        for number in lists[self.rising[lists]]:
            here = slice(self.start[number], self.start[number + 1])
            order[here] = self.start[number] + np.argsort(-self.score[here], kind="stable")
        return order


def _descend(ranked: Scores, low: Ints, high: Ints, score: Scores, *, past: bool) -> Ints:
    """In each descending ``ranked[low:high]``, the first place that is not above the score (or is below it)."""
    low, high = low.copy(), high.copy()
    while (low < high).any():
        middle = (low + high) // 2
        seen = ranked[np.minimum(middle, len(ranked) - 1)]
        on = (low < high) & ((seen >= score) if past else (seen > score))
        low, high = np.where(on, middle + 1, low), np.where(on, high, np.minimum(middle, high))
    return low


def _fill(out: Standing, asked: Ints, before: Ints, group: Ints, item: Ints, text: Ints, spot: Ints) -> None:
    """Put in what comes first among tied rows. ``group``, ``item`` and ``text`` (keys of order) are those of all
    members of the tie groups, each group's as given; ``spot`` says which members are asked for."""
    out.before[asked] = before
    out.before_item[asked] = _earlier(group, item, spot)
    out.before_text[asked] = _earlier(group, text, spot)


def _earlier(group: Ints, key: Ints, spot: Ints) -> Ints:
    """Members of the own group that have a smaller key, or the same one and stand earlier as given.

    Members that share group and key must all be asked for, as rows of one and the same pair are.
    """
    width = int(key.max()) + 1
    if width * (int(group.max()) + 1) >= 1 << 63:
        distinct, key = np.unique(key, return_inverse=True)
        width = len(distinct)
    pair = group * width + key
    ordered, own = np.sort(pair), pair[spot]
    smaller = np.searchsorted(ordered, own)
    by_given = np.argsort(spot, kind="stable")
    again = np.empty(len(spot), dtype=np.int64)
    again[by_given] = occurrence(own[by_given])
    out: Ints = smaller - np.searchsorted(ordered, group[spot] * width) + again
    return out


def over_all(rows: Rows, pair: Callable[[Ints], Ints], pairs: int, asked: Ints) -> Standing:
    """The standing of each row of ``asked`` among all rows of all lists.

    ``pair`` numbers the pairs of rows, below ``pairs``.

    Raises:
        ValueError: if scores tie and ``pairs`` has more than 17 digits.
    """
    out = Standing.alone(len(asked))
    if not len(asked):
        return out
    scores = Tally.of(rows.score[asked])
    for start in range(0, len(rows.score), BLOCK):
        scores.add(rows.score[start : start + BLOCK])
    level = np.searchsorted(scores.pivots, rows.score[asked])
    out.above[:], out.tied[:] = scores.above()[level], scores.on[level]
    tied = np.flatnonzero(out.tied > 1)
    if len(tied):
        keys = _Keys(rows, pair, len(str(pairs)))
        for column, before in zip((out.before, out.before_item, out.before_text),
                                  _before(scores, keys, level[tied], asked[tied]), strict=True):  # fmt: skip
            column[tied] = before
    return out


@dataclass(frozen=True, eq=False)
class _Keys:
    """What orders tied rows: their number as given, their pair as a number, their pair as text."""

    rows: Rows
    pair: Callable[[Ints], Ints]
    digits: int

    def of(self, row: Ints) -> tuple[Ints, Ints, Ints]:
        if self.digits > 17:
            raise ValueError("users × items has more than 17 digits")
        pair = self.pair(row)
        return self.rows.number(row), pair, text_key(pair, self.digits)


def _before(scores: Tally, keys: _Keys, level: Ints, asked: Ints) -> list[Ints]:
    """For each order, how many rows of the same score come before each row asked for: a second count, of the
    rows that tie with some row asked for."""
    own = keys.of(asked)
    kinds = [Tally.of(key) for key in own]
    places = [2 * np.searchsorted(kind.pivots, key) + 1 for kind, key in zip(kinds, own, strict=True)]
    width = 2 * len(asked) + 2
    tallies = [Tally.of(level * width + place) for place in places]
    for start in range(0, len(keys.rows.score), BLOCK):
        slot = scores.slot(keys.rows.score[start : start + BLOCK])
        tied = np.flatnonzero((slot & 1 == 1) & (scores.on[np.minimum(slot // 2, len(scores.on) - 1)] > 1))
        for kind, tally, key in zip(kinds, tallies, keys.of(tied + start), strict=True):
            tally.add(slot[tied] // 2 * width + kind.slot(key))
    by_given = np.argsort(own[0], kind="stable")
    lower = (np.cumsum(np.where(scores.on > 1, scores.on, 0)) - scores.on)[level]
    out = []
    for place, tally in zip(places, tallies, strict=True):
        pivot = level * width + place
        # Rows of one pair are all asked for: their own order as given tells which of them come first.
        again = np.empty(len(asked), dtype=np.int64)
        again[by_given] = occurrence(pivot[by_given])
        out.append(tally.below()[np.searchsorted(tally.pivots, pivot)] - lower + again)
    return out
