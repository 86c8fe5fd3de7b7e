"""Standing: how many rows score higher than a given row, how many tie with it, and which of those come first.

Asked for few rows among many, so it counts: no list is sorted that descends as given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from reference.case import Ids
from reference.items import BLOCK, Items, text_rank
from reference.rows import Rows, expand, occurrence

Ints = NDArray[np.int64]
Scores = NDArray[np.floating]

_CELLS = 1 << 20


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


def over_all(rows: Rows, pair: Callable[[Ints], Ints], asked: Ints) -> Standing:
    """The standing of each row of ``asked`` among all rows of all lists. ``pair`` numbers the pairs of rows."""
    if not len(asked):
        return Standing.alone(0)
    pivots, level = np.unique(rows.score[asked], return_inverse=True)
    count, tied_row, tied_level = _histogram(rows.score, pivots)
    above = np.cumsum(count[::-1])[::-1]
    out = Standing.alone(len(asked))
    out.above[:], out.tied[:] = above[2 * level + 2], count[2 * level + 1]
    tied = np.flatnonzero(out.tied > 1)
    if len(tied):
        keep = count[2 * tied_level + 1] > 1
        tied_row, tied_level = tied_row[keep], tied_level[keep]
        given = tied_level * len(rows.item) + rows.number(tied_row)
        by_given = np.argsort(given)
        given, tied_row, tied_level = given[by_given], tied_row[by_given], tied_level[by_given]
        spot = np.searchsorted(given, level[tied] * len(rows.item) + rows.number(asked[tied]))
        before = spot - np.searchsorted(tied_level, level[tied])
        distinct, item = np.unique(pair(tied_row), return_inverse=True)
        _fill(out, tied, before, tied_level, item, text_rank(distinct)[item], spot)
    return out


def _histogram(score: Scores, pivots: Scores) -> tuple[Ints, Ints, Ints]:
    """How many scores fall between the ascending pivots (even entries) and on them (odd entries), with the rows
    that fall on one and its number.

    A monotone map puts scores into cells. A score in a cell without a pivot is placed by its cell; only the
    others are compared.
    """
    grid = _Grid.of(pivots)
    count = np.zeros(2 * len(pivots) + 2, dtype=np.int64)
    on: list[tuple[Ints, Ints]] = []
    for start in range(0, len(score), BLOCK):
        block = score[start : start + BLOCK]
        slot = grid.slot.take(grid.cell(block))
        close = np.flatnonzero(slot < 0)
        value = block[close]
        low = ~slot[close].astype(np.int64)
        low += pivots[low] < value
        far = np.flatnonzero(pivots.take(low, mode="clip") < value)
        low[far] = np.searchsorted(pivots, value[far])
        equal = pivots.take(low, mode="clip") == value
        slot[close] = 2 * low + equal
        count += np.bincount(slot, minlength=len(count))
        on.append((close[equal] + start, low[equal]))
    empty = np.empty(0, dtype=np.int64)
    row, level = (np.concatenate([empty, *(part[column] for part in on)]) for column in range(2))
    return count, row, level


@dataclass(frozen=True, eq=False)
class _Grid:
    """``slot`` of each cell: twice the number of pivots in lower cells; ~number where the cell holds one itself."""

    low: float
    scale: float
    cells: int
    slot: NDArray[np.int32]

    @staticmethod
    def of(pivots: Scores) -> _Grid:
        finite = pivots[np.isfinite(pivots)].astype(np.float64)
        low, high = (finite[0] / 2, finite[-1] / 2) if len(finite) else (0.0, 0.0)
        cells = min(32 * max(len(pivots), 1), _CELLS)
        with np.errstate(over="ignore", divide="ignore"):
            scale = float(min(np.float64(cells) / np.float64(high - low), np.finfo(np.float64).max))
        grid = _Grid(float(low), scale, cells, np.empty(0, dtype=np.int32))
        taken = grid.cell(pivots)
        lower = np.searchsorted(taken, np.arange(cells + 2)).astype(np.int32)
        slot = 2 * lower
        slot[taken] = ~lower[taken]
        return _Grid(grid.low, scale, cells, slot)

    def cell(self, score: Scores) -> Ints:
        """Monotone: no step of it ever puts a lower score into a higher cell (halved, nothing overflows)."""
        with np.errstate(over="ignore"):
            place = np.multiply(score, 0.5, dtype=np.float64)
            place -= self.low
            place *= self.scale
        place += 1.0
        np.maximum(place, 0.0, out=place)
        np.minimum(place, self.cells + 1.0, out=place)
        return place.astype(np.int64)
