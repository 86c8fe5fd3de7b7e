"""Evaluation: the value of a definition on one case, or on many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reference import averaging, edges, order
from reference.case import Case
from reference.definition import Definition
from reference.lists import Lists, Ratio
from reference.placement import Placement, place

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Values = Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Problem:
    """Cases side by side with the cut-off of each, so that one call evaluates a definition on all of them.

    ``k`` holds one cut-off a case, -1 for the whole list. Resolved lists are kept: definitions that order the
    rows alike share them.
    """

    cases: tuple[Case, ...]
    k: tuple[int, ...]
    _lists: dict[tuple[bool, tuple[str, ...]], Lists] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(cases: Sequence[Case], k: int | Sequence[int | None] | None) -> Problem:
        """Cases at one cut-off, or at one each."""
        each = [k] * len(cases) if k is None or isinstance(k, int) else list(k)
        return Problem(tuple(cases), tuple(-1 if cut is None else cut for cut in each))

    def at(self, k: int | None) -> Problem:
        """The same cases at another cut-off, placements shared."""
        other = Problem(self.cases, tuple([-1 if k is None else k] * len(self.cases)))
        other.__dict__["placement"] = self.placement
        if "stacked" in self.__dict__:
            other.__dict__["stacked"] = self.stacked
        return other

    @cached_property
    def placement(self) -> Placement:
        """The placements of all cases."""
        return Placement.join([place(case) for case in self.cases])

    @cached_property
    def stacked(self) -> Placement:
        """The same with all rows of a case as one ranking."""
        return Placement.join([place(case, stacked=True) for case in self.cases])

    def lists(self, values: Values, *, stacked: bool = False) -> Lists:
        """Lists under the order axes in ``values``."""
        key = (stacked, tuple(values.get(axis.name, axis.canonical) for axis in order.AXES))
        if key not in self._lists:
            placement = self.stacked if stacked else self.placement
            self._lists[key] = order.resolve(placement, np.asarray(self.k)[placement.case], values)
        return self._lists[key]


@dataclass(frozen=True, eq=False)
class Evaluated:
    """``value`` and ``counted`` per user (in the order of the placement), ``mean`` and ``refused`` per case.

    A user who is left out has ``counted`` false; a refused case is one on which the library would raise.
    """

    value: Floats
    counted: Bools
    mean: Floats
    refused: Bools


def formula_values(definition_values: Values, definition: Definition, lists: Lists) -> Ratio:
    """The formula's ratio per list."""
    metric = definition.family
    return metric.formula(lists, **{axis.name: definition_values[axis.name] for axis in metric.axes})


def evaluate(definition: Definition, problem: Problem) -> Evaluated:
    """The definition on every case of the problem.

    Raises:
        TooManyOrdersError: with ``ties:average`` where a user's ties have too many orders.
    """
    metric, values = definition.family, definition.axes
    stacked = metric.stacked is not None and values[metric.stacked[0]] == metric.stacked[1]
    placement = problem.stacked if stacked else problem.placement
    lists = problem.lists(values, stacked=stacked)
    crowd = _crowd(placement, lists, len(problem.cases))
    if values.get("of") == "means" and metric.operands is not None and metric.combine is not None:
        pair = metric.operands(lists, **{axis.name: values[axis.name] for axis in metric.axes})
        settled = [
            _settle(_per_user(ratio, lists, len(placement)), definition, lists, crowd, placement) for ratio in pair
        ]
        users = settled[0]
        first, second = (averaging.mean(each, None, crowd, values) for each in settled)
        combined = metric.combine(_as_ratio(first), _as_ratio(second), values)
        mean = np.where(np.isnan(first) | np.isnan(second), np.nan, np.nan_to_num(combined.value))
    else:
        ratio = _per_user(formula_values(values, definition, lists), lists, len(placement))
        users = _settle(ratio, definition, lists, crowd, placement)
        mean = averaging.mean(users, ratio, crowd, values)
    refused = averaging.refused(users, crowd, values) | _refused_input(placement, values, len(problem.cases))
    return Evaluated(users.value, averaging.selected(crowd, values["users"]) & users.counted, mean, refused)


def _as_ratio(values: Floats) -> Ratio:
    return Ratio(values, np.ones_like(values))


def _per_user(ratio: Ratio, lists: Lists, users: int) -> Ratio:
    """One ratio a user: the mean over the orders of the ties where there are several."""
    if len(lists) == users:
        return ratio
    times = np.bincount(lists.owner, minlength=users)
    value = np.bincount(lists.owner, weights=np.nan_to_num(ratio.value), minlength=users) / times
    undefined = np.bincount(lists.owner, weights=ratio.denominator == 0, minlength=users) > 0
    over = np.bincount(lists.owner, weights=ratio.denominator, minlength=users) / times
    return Ratio(np.where(undefined, 0.0, value * over), np.where(undefined, 0.0, over))


def _first_lists(lists: Lists, users: int) -> Ints:
    """For each user, the first of its lists."""
    return np.arange(users) if len(lists) == users else np.searchsorted(lists.owner, np.arange(users))


def _settle(
    ratio: Ratio, definition: Definition, lists: Lists, crowd: averaging.Crowd, placement: Placement
) -> edges.Users:
    metric, values = definition.family, definition.axes
    one = _first_lists(lists, len(placement))
    negatives = None
    if metric.negatives is not None:
        own = {axis.name: values[axis.name] for axis in metric.axes}
        negatives = metric.negatives(lists, **own)[one]
    state = edges.states(crowd.relevant, crowd.length, negatives, ratio.denominator != 0)
    return edges.settle(ratio.value, state, lists.k[one], values, placement.case)


def _crowd(placement: Placement, lists: Lists, cases: int) -> averaging.Crowd:
    one = _first_lists(lists, len(placement))
    return averaging.Crowd(
        lists.relevant[one],
        lists.length[one],
        placement.truth_rows,
        lists.hits.count[one],
        placement.case,
        cases,
    )


def _refused_input(placement: Placement, values: Values, cases: int) -> Bools:
    out = np.zeros(cases, dtype=bool)
    if values.get("duplicates") == "error":
        out |= np.bincount(placement.case, weights=placement.repeats, minlength=cases) > 0
    if values.get("truth_duplicates") == "error":
        copies = placement.case[placement.user[placement.copy > 0]]
        out |= np.bincount(copies, minlength=cases) > 0
    return out
