"""Evaluation: the value of a definition on one case, or on many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reference.definitions.definition import Definition
from reference.evaluation.resolve import resolve
from reference.input.case import Case
from reference.placement.batch import Alone, Together, together
from reference.placement.placement import Placement
from reference.placement.row_selection import Inputs
from reference.space import averaging, edges, input_axes
from reference.space.lists import Lists, Ratio
from reference.space.metric import Metric, is_stacked

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
    _lists: dict[tuple[bool, bool, Inputs, tuple[str, ...]], Lists] = field(default_factory=dict, repr=False)
    _made: dict[tuple[Inputs, bool], Placement] = field(default_factory=dict, repr=False)
    _acts: dict[Inputs, Inputs] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(cases: Sequence[Case], k: int | Sequence[int | None] | None) -> Problem:
        """Cases at one cut-off, or at one each."""
        each = [k] * len(cases) if k is None or isinstance(k, int) else list(k)
        return Problem(tuple(cases), tuple(-1 if cut is None else cut for cut in each))

    def at(self, k: int | None) -> Problem:
        """The same cases at another cut-off, placements shared."""
        cut = tuple([-1 if k is None else k] * len(self.cases))
        other = Problem(self.cases, cut, _made=self._made, _acts=self._acts)
        other.__dict__["placement"] = self.placement
        for shared in ("_rows", "stacked"):
            if shared in self.__dict__:
                other.__dict__[shared] = self.__dict__[shared]
        return other

    @cached_property
    def placement(self) -> Placement:
        """The placements of all cases."""
        return self._rows.placement(Inputs(), stacked=False)

    @cached_property
    def stacked(self) -> Placement:
        """The same with all rows of a case as one ranking."""
        return self._rows.placement(Inputs(), stacked=True)

    @cached_property
    def _rows(self) -> Alone | Together:
        return together(self.cases)

    def lists(self, values: Values, *, stacked: bool = False, uncut: bool = False) -> Lists:
        """Lists under the order axes in ``values``; ``uncut`` ones where no cut-off acts."""
        inputs = self._acting(Inputs.of(values, stacked=stacked))
        chosen = {axis.name: values.get(axis.name, axis.canonical) for axis in input_axes.AXES}
        if inputs.pairs != "rated":
            chosen["relevance"] = "every_row"  # the targets say already what is relevant
        key = (stacked, uncut, inputs, tuple(chosen.values()))
        if key not in self._lists:
            placement = self.placed(values, stacked=stacked)
            cut = None if uncut else np.asarray(self.k)[placement.case]
            self._lists[key] = resolve(placement, cut, chosen)
        return self._lists[key]

    def placed(self, values: Values, *, stacked: bool = False) -> Placement:
        """The placement of the rows that a definition with these values looks at."""
        inputs = self._acting(Inputs.of(values, stacked=stacked))
        if inputs == Inputs():
            return self.stacked if stacked else self.placement
        if (inputs, stacked) not in self._made:
            self._made[inputs, stacked] = self._rows.placement(inputs, stacked=stacked)
        return self._made[inputs, stacked]

    def _acting(self, inputs: Inputs) -> Inputs:
        """The inputs without what changes nothing on these cases."""
        if inputs not in self._acts:
            acting = inputs if self.placement.repeats.any() else replace(inputs, keep="", by_rows=False)
            if not self._rows.drops_users(inputs):
                acting = replace(acting, users="", relevance=inputs.relevance if inputs.pairs != "rated" else "")
            self._acts[inputs] = acting
        return self._acts[inputs]


@dataclass(frozen=True, eq=False)
class Evaluated:
    """``value`` and ``counted`` per user (in the order of the placement), ``mean`` and ``refused`` per case.

    A user who is left out has ``counted`` false; a refused case is one on which the library would raise.
    ``regular`` tells the users whose value is the formula's own, not that of an edge policy; ``conventional`` those
    of them whose 0 is the formula's by convention only, for want of a hit (``Metric.zero_by_convention``): another
    number
    there contradicts the definition, but NaN may only mean another policy. ``mixed`` tells users of whose orders of
    ties some are such ones, so that with another policy any number may be theirs.
    """

    value: Floats
    counted: Bools
    mean: Floats
    refused: Bools
    regular: Bools
    conventional: Bools
    mixed: Bools


def formula_values(definition_values: Values, definition: Definition, lists: Lists) -> Ratio:
    """The formula's ratio per list."""
    metric = definition.family
    return metric.formula(lists, **{axis.name: definition_values[axis.name] for axis in metric.axes})


def takes_one_ranking(definition: Definition) -> bool:
    """Whether all rows of all users are one ranking."""
    return is_stacked(definition.family, definition.axes)


def evaluate(definition: Definition, problem: Problem) -> Evaluated:
    """The definition on every case of the problem.

    Raises:
        TooManyOrdersError: with ``ties:average`` where a user's ties have too many orders.
    """
    metric, values = definition.family, dict(definition.axes)
    stacked = takes_one_ranking(definition)
    placement, cases = problem.placed(values, stacked=stacked), len(problem.cases)
    lists = problem.lists(values, stacked=stacked, uncut=definition.k is None)
    if stacked:
        values = _as_one(values)
    crowd = _crowd(placement, lists, metric.hit_count(lists, values), cases)
    asked = averaging.averaged_users(crowd, values["users"])

    def settled(ratio: Ratio) -> tuple[edges.UserValues, Floats]:
        users = _settle(ratio, metric, values, lists, placement, asked)
        return users, averaging.mean(users, _per_user(ratio, lists, len(placement)), crowd, values)

    refused = _refused_input(problem, values)
    if values.get("of") == "means" and metric.operands is not None and metric.combine is not None:
        pair = metric.operands(lists, **{axis.name: values[axis.name] for axis in metric.axes})
        (users, first), (other, second) = (settled(ratio) for ratio in pair)
        mean = metric.combine(first, second, values)
        # What the definition gives for the user alone: the first operand by itself is another metric.
        users = replace(users, value=metric.combine(users.value, other.value, values))
        refused |= averaging.refused(other, crowd, values)
    else:
        users, mean = settled(formula_values(values, definition, lists))
    refused |= averaging.refused(users, crowd, values)
    convention = metric.zero_by_convention(values) and values.get("no_hit", "0") == "0"
    without = np.bincount(lists.owner, weights=lists.hits.count == 0, minlength=len(placement)) > 0
    hitless, mixed = (crowd.hits == 0) & convention, (crowd.hits > 0) & without & convention
    return Evaluated(users.value, asked & users.counted, mean, refused, users.regular, hitless, mixed)


def _as_one(values: Values) -> dict[str, str]:
    """One ranking of all rows is one user: whose rows are in it is settled, and there is nobody to average with."""
    users = "truth" if values["users"] == "one_relevant" else values["users"]
    return {**values, "users": users, "pooling": "user", "weight": "none", "mean": "arithmetic"}


def _per_user(ratio: Ratio, lists: Lists, users: int) -> Ratio:
    """One ratio a user, for pooling: the means of both terms over the orders of the ties where there are several."""
    if len(lists) == users:
        return ratio
    times = np.bincount(lists.owner, minlength=users)
    top = np.bincount(lists.owner, weights=ratio.numerator, minlength=users) / times
    return Ratio(top, np.bincount(lists.owner, weights=ratio.denominator, minlength=users) / times, ratio.root)


def _first_lists(lists: Lists, users: int) -> Ints:
    """For each user, the first of its lists."""
    return np.arange(users) if len(lists) == users else np.searchsorted(lists.owner, np.arange(users))


def _settle(
    ratio: Ratio, metric: Metric, values: Values, lists: Lists, placement: Placement, asked: Bools
) -> edges.UserValues:
    """Users with their policies applied, to each order of their ties where those are averaged."""
    own = {axis.name: values[axis.name] for axis in metric.axes}
    negatives = metric.negatives(lists, **own) if metric.negatives is not None else None
    defined = ratio.denominator != 0
    if metric.zero_by_convention(values) and values.get("no_hit", "0") != "0":
        defined &= lists.hits.count > 0
    state = edges.edge_states(lists.relevant, lists.length, negatives, defined)
    users = edges.apply_policies(ratio.value, state, lists.k, values, placement.case[lists.owner], asked[lists.owner])
    return users if len(lists) == len(placement) else _expected(users, lists.owner, len(placement))


def _expected(orders: edges.UserValues, owner: Ints, users: int) -> edges.UserValues:
    """Each user's mean over the orders of its ties that are not left out."""
    times = np.asarray(np.bincount(owner, weights=orders.counted, minlength=users), dtype=np.float64)
    total = np.bincount(owner, weights=np.where(orders.counted, orders.value, 0.0), minlength=users)
    return edges.UserValues(
        Ratio(np.asarray(total, dtype=np.float64), times).value,
        times > 0,
        np.bincount(owner, weights=orders.refused, minlength=users) > 0,
        np.bincount(owner, weights=~orders.regular, minlength=users) == 0,
    )


def _crowd(placement: Placement, lists: Lists, hits: Ints, cases: int) -> averaging.UserCounts:
    """What averaging must know; a user whose ties are averaged has a hit where some order of them has one."""
    one = _first_lists(lists, len(placement))
    own = np.bincount(lists.owner, weights=hits, minlength=len(placement)).astype(np.int64)
    return averaging.UserCounts(
        lists.relevant[one], lists.listed.count[one], lists.length[one], placement.truth_rows, own, placement.case,
        cases,
    )  # fmt: skip


def _refused_input(problem: Problem, values: Values) -> Bools:
    """Cases with an item listed twice, where the library would raise."""
    placement, cases = problem.placement, len(problem.cases)
    out = np.zeros(cases, dtype=bool)
    if values.get("duplicates") == "error":
        out |= np.bincount(placement.case, weights=placement.repeats, minlength=cases) > 0
    if values.get("truth_duplicates") == "error":
        copies = placement.case[placement.user[placement.copy > 0]]
        out |= np.bincount(copies, minlength=cases) > 0
    return out
