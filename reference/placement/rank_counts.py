"""Counts the rows that score higher than a given row, the rows that tie with it, and the tied rows that come first.

The counts are needed for few rows (``targets``) among many: lists whose scores descend already are never sorted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Ids
from recsys_metric_audit.reference.input.distinct import BLOCK, distinct
from recsys_metric_audit.reference.input.grouped_rows import GroupedRows, earlier_copies, expand_ranges
from recsys_metric_audit.reference.input.item_numbers import IdIndex, text_key
from recsys_metric_audit.reference.input.rows_error import RowsError
from recsys_metric_audit.reference.space.lists import Ints

Scores = NDArray[np.floating]

_COUNTED = 600
"""Rows for each target from which counting the rows that score higher takes less time than sorting the list."""


@dataclass(frozen=True, eq=False)
class RankCounts:
    """Counts that decide the rank of each target row; all arrays have one entry for each.

    ``above``: rows that score strictly higher; ``tied``: rows that score the same, itself included; ``before``,
    ``before_item``, ``before_text``: of the tied rows, the rows that come earlier as given, by item id as a number, by
    item id as text.
    """

    above: Ints
    tied: Ints
    before: Ints
    before_item: Ints
    before_text: Ints

    @staticmethod
    def untied(rows: int) -> RankCounts:
        """Return counts of rows that tie with nothing, with ``above`` still 0."""
        above, before, item, text = np.zeros((4, rows), dtype=np.int64)
        return RankCounts(above, np.ones(rows, dtype=np.int64), before, item, text)


def counts_per_list(rows: GroupedRows, items: IdIndex, targets: Ints) -> RankCounts:
    """Count for each row of ``targets`` (ascending) within its own list."""
    out = RankCounts.untied(len(targets))
    for first, last in rows.blocks(8 * BLOCK):
        low, high = rows.start[first], rows.start[last]
        here = slice(*np.searchsorted(targets, [low, high]))
        if here.start == here.stop:
            continue
        start = rows.start[first : last + 1] - low
        block = _Block.of(rows.score[low:high], start, rows.unsorted[first:last], targets[here] - low)
        part = block.counts(items, rows.item[low:high])
        for entry in fields(RankCounts):
            getattr(out, entry.name)[here] = getattr(part, entry.name)
    return out


@dataclass(frozen=True, eq=False)
class _Block:
    """Some lists and the target rows in them.

    ``ranked`` are the scores, best first in every list that holds a target, but for the ``counted`` ones: unsorted
    lists with so few targets that counting is quicker. Other ``unsorted`` lists with targets are sorted.
    """

    score: Scores
    ranked: Scores
    start: Ints
    unsorted: NDArray[np.bool_]
    counted: NDArray[np.bool_]
    targets: Ints
    list_of: Ints

    @staticmethod
    def of(score: Scores, start: Ints, unsorted: NDArray[np.bool_], targets: Ints) -> _Block:
        list_of = np.searchsorted(start, targets, side="right") - 1
        sought = np.bincount(list_of, minlength=len(unsorted))
        counted = unsorted & (sought * _COUNTED <= np.diff(start))
        ranked = score
        if len(lists := np.flatnonzero(unsorted & ~counted & (sought > 0))):
            ranked = -score
            for number in lists:
                ranked[start[number] : start[number + 1]].sort()
            np.negative(ranked, out=ranked)
        return _Block(score, ranked, start, unsorted, counted, targets, list_of)

    def counts(self, items: IdIndex, item: Ids) -> RankCounts:
        first, last = self.targets.copy(), self.targets + 1
        low, high, score = self.start[self.list_of], self.start[self.list_of + 1], self.score[self.targets]
        ranked, end = self.ranked, len(self.ranked) - 1
        search = self.unsorted[self.list_of]
        search |= (first > low) & (ranked[np.maximum(first - 1, 0)] == score)
        search |= (last < high) & (ranked[np.minimum(last, end)] == score)
        search &= ~self.counted[self.list_of]
        look = np.flatnonzero(search)
        first[look] = first_place(ranked, low[look], high[look], score[look], past=False)
        last[look] = first_place(ranked, first[look], high[look], score[look], past=True)
        seen = np.empty(len(self.score), dtype=np.bool_)
        for number in np.flatnonzero(self.counted[self.list_of]):
            own, mask = self.score[low[number] : high[number]], seen[low[number] : high[number]]
            first[number] = low[number] + np.count_nonzero(np.greater(own, score[number], out=mask))
            last[number] = low[number] + np.count_nonzero(np.greater_equal(own, score[number], out=mask))
        out = RankCounts.untied(len(self.targets))
        out.above[:], out.tied[:] = first - low, last - first
        tied = np.flatnonzero(out.tied > 1)
        if len(tied):
            order = self._order(distinct(self.list_of[tied]))
            place = np.empty(len(order), dtype=np.int64)
            place[order] = np.arange(len(order))
            heads, group = np.unique(first[tied], return_inverse=True)
            size = np.zeros(len(heads), dtype=np.int64)
            size[group] = out.tied[tied]
            of, spot = expand_ranges(heads, size)
            inside = place[self.targets[tied]] - first[tied]
            code = items.code(item[order[spot]])
            _fill(out, tied, inside, of, code, items.text_rank[code], (np.cumsum(size) - size)[group] + inside)
        return out

    def _order(self, lists: Ints) -> Ints:
        """Return the rows best first, equal scores as given; only ``lists`` are in that order."""
        order = np.arange(len(self.score))
        for number in lists[self.unsorted[lists]]:
            here = slice(self.start[number], self.start[number + 1])
            order[here] = self.start[number] + np.argsort(-self.score[here], kind="stable")
        return order


def first_place(ranked: Scores, low: Ints, high: Ints, score: Scores, *, past: bool) -> Ints:
    """Return the first place in each descending ``ranked[low:high]`` not above the score (``past``: below it)."""
    low, high = low.copy(), high.copy()
    while (low < high).any():
        middle = (low + high) // 2
        seen = ranked[np.minimum(middle, len(ranked) - 1)]
        on = (low < high) & ((seen >= score) if past else (seen > score))
        low, high = np.where(on, middle + 1, low), np.where(on, high, np.minimum(middle, high))
    return low


def _fill(out: RankCounts, targets: Ints, before: Ints, group: Ints, item: Ints, text: Ints, spot: Ints) -> None:
    """Fill in how many tied rows come before each target.

    ``group``, ``item`` and ``text`` (sorting keys) belong to all members of the tie groups, in the order given;
    ``spot`` says which members are targets.
    """
    out.before[targets] = before
    out.before_item[targets] = _earlier(group, item, spot)
    out.before_text[targets] = _earlier(group, text, spot)


def _earlier(group: Ints, key: Ints, spot: Ints) -> Ints:
    """Count the members of each target's group with a smaller key, or with an equal key and given earlier.

    Members with equal group and key must all be targets, as all rows of a repeated pair are.
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
    again[by_given] = earlier_copies(own[by_given])
    out: Ints = smaller - np.searchsorted(ordered, group[spot] * width) + again
    return out


def counts_over_all(rows: GroupedRows, pair: Callable[[Ints], Ints], pairs: int, targets: Ints) -> RankCounts:
    """Count for each row of ``targets`` among all rows of all lists.

    ``pair`` gives the (user, item) pair of each row as a number below ``pairs``.

    Raises:
        ValueError: if scores tie and ``pairs`` has more than 17 digits.
    """
    out, own = RankCounts.untied(len(targets)), rows.score[targets]
    ordered = np.sort(rows.score)
    first, last = np.searchsorted(ordered, own), np.searchsorted(ordered, own, side="right")
    out.above[:], out.tied[:] = len(ordered) - last, last - first
    del ordered
    tied = np.flatnonzero(out.tied > 1)
    if len(tied):
        if (digits := len(str(pairs))) > 17:
            raise RowsError("users × items has more than 17 digits")
        members, group = _tied_with(rows, distinct(own[tied]))
        spot = np.empty(len(rows.score), dtype=np.int64)
        spot[members] = np.arange(len(members))
        spot = spot[targets[tied]]
        before = earlier_copies(group)[spot]
        numbers = pair(members)
        _fill(out, tied, before, group, numbers, text_key(numbers, digits), spot)
    return out


def _tied_with(rows: GroupedRows, levels: Scores) -> tuple[Ints, Ints]:
    """Return the rows with one of some scores, ascending, in the order given, and the number of each row's score."""
    parts = []
    for start in range(0, len(rows.score), BLOCK):
        parts.append(np.flatnonzero(np.isin(rows.score[start : start + BLOCK], levels)) + start)
    members = np.concatenate(parts)
    members = members[np.argsort(rows.given_number(members), kind="stable")]
    return members, np.searchsorted(levels, rows.score[members])
