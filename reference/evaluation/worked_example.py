"""Worked examples: a definition on one user's list, with every term of its sums and what comes out.

The formula itself is run, on lists whose sums are overheard: what is shown is what is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate, formula_values, takes_one_ranking
from reference.formula_text import template_of
from reference.input.case import Case, Predictions, Truth
from reference.placement.row_selection import Inputs
from reference.space import edges
from reference.space.lists import Floats, Ints, Lists, Places

Label = Callable[[int], str]
_INPUT = {"relevance": "every_row", "counted_scores": "any", "truth": "all", "truth_duplicates": "counted",
          "positions": "list", "duplicates": "counted", "cutoff": "none"}  # fmt: skip


@dataclass(frozen=True)
class WorkedRow:
    """One line of a worked sum: a place of the list, or of the ideal list; ``cells`` stand under the columns."""

    rank: int
    item: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Worked:
    """A definition worked on one user: what stands in the sums, the sums written out, one equation a line, and the
    user's value (None where the definition leaves the user out or refuses the input)."""

    signature: str
    columns: tuple[str, ...]
    rows: tuple[WorkedRow, ...]
    lines: tuple[str, ...]
    value: float | None


@dataclass(frozen=True, eq=False)
class _Sum:
    """A sum that a formula took: over these places, these terms."""

    places: _Overheard
    terms: Floats


@dataclass(frozen=True, eq=False)
class _Overheard(Places):
    """Places that note which sums are taken over them; ``ideal`` tells the ideal list from the user's own, and
    ``index`` is the number of each place there."""

    ideal: bool
    index: Ints
    heard: list[_Sum] = field(repr=False)

    @staticmethod
    def of(places: Places, *, ideal: bool, heard: list[_Sum]) -> _Overheard:
        number = np.arange(len(places.list))
        return _Overheard(places.list, places.rank, places.gain, places.lists, ideal, number, heard)

    def sum(self, values: Floats | Ints | float) -> Floats:
        terms = np.array(np.broadcast_to(np.asarray(values, dtype=np.float64), self.list.shape))
        self.heard.append(_Sum(self, terms))
        return super().sum(values)

    def where(self, keep: NDArray[np.bool_]) -> _Overheard:
        kept = (self.list[keep], self.rank[keep], self.gain[keep], self.lists)
        return _Overheard(*kept, self.ideal, self.index[keep], self.heard)


def work(definition: Definition, case: Case, user: int | None = None, *, label: Label = str) -> Worked:
    """The definition worked by hand on one user of the case (the first one if none is named).

    ``definition.k`` is a number, or None. Where all rows of all users are one ranking, it is the whole case that is
    worked. ``label`` names items. Where ties are averaged, the rows show the first of their orders.

    Raises:
        ValueError: for a letter as cut-off, or a user who does not occur.
    """
    if isinstance(definition.k, str):
        raise ValueError(f"{definition}: a worked example needs a number for {definition.k}")
    stacked = takes_one_ranking(definition)
    own = case if stacked else _only(case, user)
    problem = Problem.of([own], _cut(definition))
    values, heard = definition.axes, list[_Sum]()
    whole = problem.lists(values, stacked=stacked, uncut=definition.k is None)
    lists = replace(
        whole,
        listed=_Overheard.of(whole.listed, ideal=False, heard=heard),
        ideal=_Overheard.of(whole.ideal, ideal=True, heard=heard),
    )
    ratio = formula_values(values, definition, lists)
    sums = [each for each in heard if (each.places.list == 0).any()]
    names = _names(definition, sums)
    view = _View(*_looked_at(definition, own, stacked), stacked, whole, label)
    value, lines = _value(definition, case, own, stacked), [_counts(definition, lists)]
    lines += [f"{name} = {_added(each)}" for name, each in zip(names, sums, strict=True)]
    lines.append(_quotient(float(ratio.numerator[0]), float(ratio.denominator[0]), root=ratio.root))
    lines += _orders(ratio.value) + _edge(definition, lists, float(ratio.denominator[0]))
    if value is None:
        lines.append("the user is left out of the mean")
    return Worked(definition.signature(), view.columns(names), view.rows(lists, sums), tuple(lines), value)


def _looked_at(definition: Definition, own: Case, stacked: bool) -> tuple[Definition, Case]:
    """The rows that the definition looks at as a case, and the definition that looks at all rows of it."""
    inputs = replace(Inputs.of(definition.axes, stacked=stacked), keep="", by_rows=False)
    if inputs == Inputs():
        return definition, own
    settled = {"candidates": "all", "pairs": "rated"} | ({"users": "all"} if stacked else {})
    if inputs.pairs != "rated":
        settled["relevance"] = "every_row"
    settled = {name: value for name, value in settled.items() if name in definition.axes}
    return definition.with_(**settled), inputs.made(own)


def _cut(definition: Definition) -> int | None:
    return definition.k if isinstance(definition.k, int) else None


def _only(case: Case, user: int | None) -> Case:
    known = np.union1d(case.predictions.user, case.truth.user)
    if user is None and len(known):
        user = int(known[0])
    if user not in known:
        raise ValueError(f"case {case.name} has no user {user}")
    rec, rel, seen = (table.user == user for table in (case.predictions, case.truth, case.train))
    rows, truth, train = case.predictions, case.truth, case.train
    items = case.catalogue if len(case.catalogue) else np.union1d(rows.item, truth.item)
    return replace(
        case,
        catalogue=items,
        predictions=Predictions(rows.user[rec], rows.item[rec], rows.score[rec]),
        truth=Truth(truth.user[rel], truth.item[rel], truth.gain[rel]),
        train=type(train)(train.user[seen], train.item[seen]),
    )


def _value(definition: Definition, case: Case, own: Case, stacked: bool) -> float | None:
    """The user's value, of the whole case: a policy may carry over another user's."""
    problem = Problem.of([case], _cut(definition))
    made = evaluate(definition, problem)
    if made.refused[0]:
        return None
    user = 0 if stacked else int(np.union1d(own.predictions.user, own.truth.user)[0])
    place = 0 if stacked else int(np.searchsorted(problem.placement.users, user))
    return float(made.value[place]) if made.counted[place] else None


def _names(definition: Definition, sums: list[_Sum]) -> tuple[str, ...]:
    """Names of the sums: those of the formula, in the order in which it takes them."""
    told, out, own = template_of(definition), list[str](), 0
    for each in sums:
        if each.places.ideal:
            out.append(told.ideal_sum)
        else:
            out.append(told.sums[own] if own < len(told.sums) else f"sum {own + 1}")
            own += 1
    return tuple(out)


@dataclass(frozen=True, eq=False)
class _View:
    """What names the places of one worked list."""

    definition: Definition
    case: Case
    stacked: bool
    lists: Lists
    label: Label

    def columns(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return ("gain", *template_of(self.definition).factors, *names)

    def rows(self, lists: Lists, sums: list[_Sum]) -> tuple[WorkedRow, ...]:
        """The list down to what is shown or summed, then the places of the ideal that were summed over."""
        own = [each for each in sums if not each.places.ideal]
        reach = [int(each.places.index[each.places.list == 0].max(initial=-1)) for each in own]
        ranking, hits = self._ranking(), self._hits()
        last = max([int(min(lists.depth[0], lists.length[0])), *(hits[i] for i in reach if i >= 0)], default=0)
        first = {rank: index for index, rank in reversed(list(enumerate(hits)))}
        rows = [
            self._row(rank, self._item(ranking[rank - 1]), lists, first.get(rank), sums)
            for rank in range(1, min(last, len(ranking)) + 1)
        ]
        again = [index for index, rank in enumerate(hits) if first[rank] != index and rank <= last]
        rows += [self._row(hits[i], self._item(ranking[hits[i] - 1]), lists, i, sums) for i in again]
        return (*sorted(rows, key=lambda row: row.rank), *self._ideal_rows(sums))

    def _row(self, rank: int, item: str, lists: Lists, index: int | None, sums: list[_Sum]) -> WorkedRow:
        factors = template_of(self.definition).factors
        if index is None:
            return WorkedRow(rank, item, ("–",) * (1 + len(factors) + len(sums)))
        place = lists.listed.where(np.arange(len(lists.listed.list)) == index)
        ordinal = lists.listed.ordinal[index : index + 1]
        shown = [_short(make(lists, _Numbered(place, ordinal), self.definition.axes)) for make in factors.values()]
        cells = [_term(each, index, ideal=False) for each in sums]
        inside = any(cells)
        return WorkedRow(
            rank, item, (readable(float(place.gain[0])), *(shown if inside else [""] * len(shown)), *cells)
        )

    def _ideal_rows(self, sums: list[_Sum]) -> list[WorkedRow]:
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

    def _item(self, row: int) -> str:
        rec = self.case.predictions
        name = self.label(int(rec.item[row]))
        several = self.stacked and len(np.unique(rec.user)) > 1
        return f"{name} of {int(rec.user[row])}" if several else name

    def _hits(self) -> list[int]:
        """The place in the list of each relevant item of the first list."""
        values = {**self.definition.axes, "positions": "list"}
        where = Problem.of([self.case], _cut(self.definition)).lists(values, stacked=self.stacked).listed
        return [int(rank) for rank in where.rank[where.list == 0]]

    def _ranking(self) -> list[int]:
        """The row of the predictions that stands at each rank: found by asking where every item stands, were all
        of them relevant. Gains are codes that name the row and order items as their own gains do."""
        rec, true = self.case.predictions, self.case.truth
        _, rows = np.unique(np.stack([rec.user, rec.item]), axis=1, return_index=True)
        gains = [float(true.gain[(true.user == rec.user[i]) & (true.item == rec.item[i])].sum()) for i in rows]
        hit = [bool(((true.user == rec.user[i]) & (true.item == rec.item[i])).any()) for i in rows]
        by_gain = sorted(range(len(rows)), key=lambda n: (hit[n], gains[n], -rows[n]))
        code = np.empty(len(rows))
        code[by_gain] = np.arange(1, len(rows) + 1)
        all_relevant = replace(self.case, truth=Truth(rec.user[rows], rec.item[rows], code))
        values = {**self.definition.axes, **_INPUT}
        if (repeats := self.definition.axes.get("duplicates")) in ("first_closed_up", "last"):
            values["duplicates"] = repeats
        listed = Problem.of([all_relevant], None).lists(values, stacked=self.stacked, uncut=True).listed
        row_of = dict(zip(code.tolist(), rows.tolist(), strict=True))
        return [row_of[gain] for gain in listed.gain[listed.list == 0].tolist()]

    def _ideal_items(self) -> list[str]:
        """A relevant item for each place of the ideal, by its gain."""
        true, taken, out = self.case.truth, set[int](), []
        for gain in self.lists.ideal.gain[self.lists.ideal.list == 0].tolist():
            row = next(i for i in range(len(true.gain)) if i not in taken and true.gain[i] == gain)
            taken.add(row)
            out.append(self.label(int(true.item[row])))
        return out


@dataclass(frozen=True, eq=False)
class _Numbered(Places):
    """One place that keeps its number among the hits."""

    def __init__(self, place: Places, ordinal: Ints) -> None:
        for name in ("list", "rank", "gain", "lists"):
            object.__setattr__(self, name, getattr(place, name))
        self.__dict__["ordinal"] = ordinal


def _term(each: _Sum, index: int, *, ideal: bool) -> str:
    """The term of one place in a sum; empty where the sum leaves it out."""
    at = np.flatnonzero(each.places.index == index)
    return readable(float(each.terms[at[0]])) if each.places.ideal == ideal and len(at) else ""


def _counts(definition: Definition, lists: Lists) -> str:
    named = {"n": lists.shown, "r": lists.relevant, "H": lists.hits.count}
    cut = {"k": lists.k} if definition.k is not None else {}
    more = template_of(definition).counts(lists, definition.axes)
    return ", ".join(f"{name} = {readable(float(of[0]))}" for name, of in {**cut, **named, **more}.items())


def _added(each: _Sum) -> str:
    terms = [float(term) for term in each.terms[each.places.list == 0]]
    total = readable(sum(terms))
    return total if len(terms) < 2 else f"{' + '.join(map(readable, terms))} = {total}"


def _quotient(over: float, under: float, *, root: bool) -> str:
    if under == 0:
        return f"{readable(over)} / 0: the formula says nothing"
    value = over / under
    shown = " / ".join(f"({term})" if "/" in term else term for term in (readable(over), readable(under)))
    line = f"value = sqrt({shown}) = {value**0.5:.6g}" if root else f"value = {shown} = {value:.6g}"
    return line.replace("-", "−")


def _orders(values: Floats) -> list[str]:
    """With ties averaged: the value in each order, and that they are averaged."""
    if len(values) < 2:
        return []
    some = ", ".join(readable(float(value)) for value in values[:6]) + (", ..." if len(values) > 6 else "")
    return [f"that is one order of the tied items; over all {len(values)}: {some}"]


def _edge(definition: Definition, lists: Lists, denominator: float) -> list[str]:
    """Which policy decides, where the user is in an unusual state."""
    metric, values = definition.family, definition.axes
    own = {axis.name: values[axis.name] for axis in metric.axes}
    negatives = metric.negatives(lists, **own)[:1] if metric.negatives is not None else None
    found = edges.edge_states(lists.relevant[:1], lists.length[:1], negatives, np.array([denominator != 0]))
    return [
        f"{name}:{values[name]}: {metric.axis(name).meaning}: {metric.axis(name).value(values[name]).meaning}"
        for name, where in found.items()
        if where[0] and name in values
    ]


def _short(values: Floats) -> str:
    return readable(float(values[0]))


def readable(number: float) -> str:
    """A number for people: whole, a fraction with a small denominator, or four decimals."""
    if not np.isfinite(number):
        return str(number)
    near = Fraction(number).limit_denominator(60)
    if abs(float(near) - number) < 1e-12:
        return str(near).replace("-", "−")
    return f"{number:.4f}".replace("-", "−")
