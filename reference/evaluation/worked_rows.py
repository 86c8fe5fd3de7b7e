"""The rows of a worked example: the places of the list and of the ideal list, with their terms in each sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.evaluation.readable_number import readable
from recsys_metric_audit.reference.evaluation.recorded_sums import RecordedSum
from recsys_metric_audit.reference.formula_text import template_of
from recsys_metric_audit.reference.input.case import Case, Truth
from recsys_metric_audit.reference.space.input_axes import TIES
from recsys_metric_audit.reference.space.lists import Ints, Lists, Places

Label = Callable[[int], str]

_NO_TERM = "–"
_EVERY_ROW_A_HIT = {
    "relevance": "every_row", "counted_scores": "any", "truth": "all", "truth_duplicates": "counted",
    "positions": "list", "duplicates": "counted", "cutoff": "none",
}  # fmt: skip
"""Values under which a truth that lists all rows makes every row a hit at its own rank."""
_RANKS_SHARED = ("shared", "middle")
"""Rules of ties that give several rows one rank: these stand in their places as given."""


@dataclass(frozen=True)
class WorkedRow:
    """One row of a worked example: a place of the list, or of the ideal list, with one cell for each column."""

    rank: int
    item: str
    cells: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class WorkedTable:
    """The table of a worked list: its items by rank, and what a formula summed over them.

    ``lists`` are those of ``case`` under ``definition``; ``stacked`` tells whether all rows are one ranking;
    ``label`` names items.
    """

    definition: Definition
    case: Case
    stacked: bool
    lists: Lists
    label: Label

    def columns(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the columns: the gain, the factors of the terms, the sums."""
        return ("gain", *template_of(self.definition).factors, *names)

    def rows(self, lists: Lists, sums: list[RecordedSum]) -> tuple[WorkedRow, ...]:
        """Return the list down to the last place shown or summed, then the places of the ideal that were summed."""
        own = [each for each in sums if not each.places.ideal]
        reach = [int(each.places.index[each.places.list == 0].max(initial=-1)) for each in own]
        ranking, hits = self._ranking(), self._hit_ranks()
        last = max([int(min(lists.depth[0], lists.length[0])), *(hits[i] for i in reach if i >= 0)], default=0)
        first = {rank: index for index, rank in reversed(list(enumerate(hits)))}
        rows = [
            self._row(rank, self._item(ranking[rank - 1], first.get(rank)), lists, first.get(rank), sums)
            for rank in range(1, min(last, len(ranking)) + 1)
        ]
        again = [index for index, rank in enumerate(hits) if first[rank] != index and rank <= last]
        rows += [self._row(hits[i], self._item(ranking[hits[i] - 1], i), lists, i, sums) for i in again]
        return (*sorted(rows, key=lambda row: row.rank), *self._ideal_rows(sums))

    def _row(self, rank: int, item: str, lists: Lists, index: int | None, sums: list[RecordedSum]) -> WorkedRow:
        """Make the row of a rank; ``index`` is its number among the hits, None if it is none."""
        factors = template_of(self.definition).factors
        if index is None:
            return WorkedRow(rank, item, (_NO_TERM,) * (1 + len(factors) + len(sums)))
        place = lists.listed.where(np.arange(len(lists.listed.list)) == index)
        numbered = _NumberedPlace(place, lists.listed.ordinal[index : index + 1])
        shown = [readable(float(make(lists, numbered, self.definition.axes)[0])) for make in factors.values()]
        cells = [_term(each, index, ideal=False) for each in sums]
        gain = readable(float(place.gain[0]))
        return WorkedRow(rank, item, (gain, *(shown if any(cells) else [""] * len(shown)), *cells))

    def _ideal_rows(self, sums: list[RecordedSum]) -> list[WorkedRow]:
        ideal = self.lists.ideal
        summed = sorted({int(i) for each in sums if each.places.ideal for i in each.places.index})
        blank = ("",) * len(template_of(self.definition).factors)
        names, rows = self._ideal_items(), []
        for index in summed:
            if ideal.list[index] == 0:
                cells = [_term(each, index, ideal=True) for each in sums]
                gain = readable(float(ideal.gain[index]))
                rows.append(WorkedRow(int(ideal.rank[index]), f"ideal: {names[index]}", (gain, *blank, *cells)))
        return rows

    def _item(self, row: int, index: int | None = None) -> str:
        """Return the name of the item on a row; of a hit that shares its rank, ``index`` among the hits, with that."""
        rec = self.case.predictions
        name = self.label(int(rec.item[row]))
        if index is not None and self.definition.axes.get("ties") in _RANKS_SHARED and self.lists.tied[index] > 1:
            name = f"{name} (rank {readable(float(self.lists.listed.rank[index]))})"
        several = self.stacked and len(np.unique(rec.user)) > 1
        return f"{name} of {int(rec.user[row])}" if several else name

    def _hit_ranks(self) -> list[int]:
        """Return the place of each relevant item of the first list."""
        values = {**self.definition.axes, "positions": "list"}
        if values.get("ties") in _RANKS_SHARED:
            values["ties"] = TIES.canonical
        k = self.definition.k if isinstance(self.definition.k, int) else None
        where = Problem.of([self.case], k).lists(values, stacked=self.stacked).listed
        return [int(rank) for rank in where.rank[where.list == 0]]

    def _ranking(self) -> list[int]:
        """Return the row of the predictions at each rank, found by ranking all items as if they were relevant.

        Gains serve as codes that name the row; they order the items as their own gains do.
        """
        rec, true = self.case.predictions, self.case.truth
        _, rows = np.unique(np.stack([rec.user, rec.item]), axis=1, return_index=True)
        gains = [float(true.gain[(true.user == rec.user[i]) & (true.item == rec.item[i])].sum()) for i in rows]
        hit = [bool(((true.user == rec.user[i]) & (true.item == rec.item[i])).any()) for i in rows]
        by_gain = sorted(range(len(rows)), key=lambda n: (hit[n], gains[n], -rows[n]))
        code = np.empty(len(rows))
        code[by_gain] = np.arange(1, len(rows) + 1)
        all_relevant = replace(self.case, truth=Truth(rec.user[rows], rec.item[rows], code))
        values = {**self.definition.axes, **_EVERY_ROW_A_HIT}
        if values.get("ties") in _RANKS_SHARED:
            values["ties"] = TIES.canonical
        if (repeats := self.definition.axes.get("duplicates")) in ("first_closed_up", "last"):
            values["duplicates"] = repeats
        listed = Problem.of([all_relevant], None).lists(values, stacked=self.stacked, uncut=True).listed
        row_of = dict(zip(code.tolist(), rows.tolist(), strict=True))
        return [row_of[gain] for gain in listed.gain[listed.list == 0].tolist()]

    def _ideal_items(self) -> list[str]:
        """Name a relevant item for each place of the ideal, found by its gain."""
        true, taken, out = self.case.truth, set[int](), []
        for gain in self.lists.ideal.gain[self.lists.ideal.list == 0].tolist():
            row = next(i for i in range(len(true.gain)) if i not in taken and true.gain[i] == gain)
            taken.add(row)
            out.append(self.label(int(true.item[row])))
        return out


@dataclass(frozen=True, eq=False)
class _NumberedPlace(Places):
    """One place that keeps its number among the hits."""

    def __init__(self, place: Places, ordinal: Ints) -> None:
        for name in ("list", "rank", "gain", "lists"):
            object.__setattr__(self, name, getattr(place, name))
        self.__dict__["ordinal"] = ordinal


def _term(each: RecordedSum, index: int, *, ideal: bool) -> str:
    """Format the term of one place in a sum; empty if the sum leaves it out."""
    at = np.flatnonzero(each.places.index == index)
    return readable(float(each.terms[at[0]])) if each.places.ideal == ideal and len(at) else ""
