"""Evaluation of a definition on one case, or on many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.evaluation.recent import Recent
from recsys_metric_audit.reference.evaluation.resolve import at_cutoff, resolve
from recsys_metric_audit.reference.evaluation.shown_evaluation import evaluate_shown
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.placement.batch import CaseBatch, SingleCase, batch
from recsys_metric_audit.reference.placement.placement import Placement
from recsys_metric_audit.reference.placement.ranked_rows import RankedRows
from recsys_metric_audit.reference.placement.row_selection import RowSelection
from recsys_metric_audit.reference.placement.shown_rows import ItemsOfCases
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reference.space import averaging, edges, input_axes, item_axes
from recsys_metric_audit.reference.space.lists import Bools, Floats, Ints, Lists, Ratio
from recsys_metric_audit.reference.space.metric import Metric, is_stacked
from recsys_metric_audit.reference.space.shown_items import ShownItems

Values = Mapping[str, str]


class _AtAnyCutoff:
    """Holds what is computed of cases whatever their cut-offs: placements, lists before they are cut, means."""

    def __init__(self, cases: tuple[Case, ...]) -> None:
        self._cases = cases
        self.placements: dict[tuple[RowSelection, bool], Placement] = Recent()
        self.selections: dict[RowSelection, RowSelection] = {}
        self.resolved: dict[tuple[bool, RowSelection, tuple[str, ...]], Lists] = Recent()
        self.ranked: dict[tuple[str, ...], RankedRows] = Recent()
        self.shown: dict[tuple[tuple[int, ...], tuple[str, ...]], ShownItems] = Recent()
        self.means: dict[Definition, float | TooManyOrdersError] = {}
        self.wanted: dict[Definition, None] = {}

    @cached_property
    def batch(self) -> SingleCase | CaseBatch:
        return batch(self._cases)

    @cached_property
    def placement(self) -> Placement:
        return self.batch.placement(RowSelection(), stacked=False)

    @cached_property
    def stacked(self) -> Placement:
        return self.batch.placement(RowSelection(), stacked=True)

    @cached_property
    def items(self) -> ItemsOfCases:
        return ItemsOfCases(self._cases, self.placement, self.batch.joined)


@dataclass(frozen=True, eq=False)
class Problem:
    """Cases with the cut-off of each, so that one call evaluates a definition on all of them.

    ``k`` holds one cut-off a case, -1 for the whole list. Placements and lists are made when they are first needed, and
    cached: definitions that rank the rows alike share them.
    """

    cases: tuple[Case, ...]
    k: tuple[int, ...]
    _lists: dict[tuple[bool, bool, RowSelection, tuple[str, ...]], Lists] = field(default_factory=Recent, repr=False)

    @staticmethod
    def of(cases: Sequence[Case], k: int | Sequence[int | None] | None) -> Problem:
        """Make a problem of cases at one cut-off, or at one each; None is the whole list."""
        each = [k] * len(cases) if k is None or isinstance(k, int) else list(k)
        return Problem(tuple(cases), tuple(-1 if cut is None else cut for cut in each))

    def at(self, k: int | None) -> Problem:
        """Return these cases at another cut-off; placements are shared."""
        other = Problem(self.cases, tuple([-1 if k is None else k] * len(self.cases)))
        other.__dict__["_shared"] = self._shared
        return other

    @cached_property
    def _shared(self) -> _AtAnyCutoff:
        return _AtAnyCutoff(self.cases)

    @property
    def placement(self) -> Placement:
        """The placements of all cases, with a ranking for each user."""
        return self._shared.placement

    @property
    def kept_means(self) -> dict[Definition, float | TooManyOrdersError]:
        """The means that :mod:`reference.engines.kept_means` has computed of one case, by definition at its cut-off."""
        return self._shared.means

    @property
    def wanted(self) -> dict[Definition, None]:
        """The definitions whose means will be asked for; whoever evaluates others can evaluate these with them."""
        return self._shared.wanted

    @cached_property
    def has_fractions(self) -> Bools:
        """Mask of the cases with a gain that is not a whole number."""
        return np.array([bool((case.truth.gain % 1 != 0).any()) for case in self.cases], dtype=bool)

    def shown(self, values: Values) -> ShownItems:
        """Return the items that the lists show under the order axes in ``values``."""
        shared = self._shared
        chosen = shared.items.acting({axis.name: values.get(axis.name, axis.canonical) for axis in item_axes.SHOWN})
        key = (self.k, tuple(chosen.values()))
        if key not in shared.shown:
            order = tuple(chosen[name] for name in ("order", "ties", "duplicates"))
            if order not in shared.ranked:
                shared.ranked[order] = shared.items.ranked(chosen)
            shared.shown[key] = shared.items.shown(shared.ranked[order], np.asarray(self.k, dtype=np.int64), chosen)
        return shared.shown[key]

    def lists(self, values: Values, *, stacked: bool = False, uncut: bool = False) -> Lists:
        """Return the lists under the order axes in ``values``; ``uncut`` if no cut-off acts."""
        inputs = self._effective(RowSelection.of(values, stacked=stacked))
        chosen = {axis.name: values.get(axis.name, axis.canonical) for axis in input_axes.AXES}
        if inputs.pairs != "rated":
            chosen["relevance"] = "every_row"  # the targets say what is relevant
        placement = self.placement_for(values, stacked=stacked)
        if not placement.has_ties:
            chosen["ties"] = input_axes.TIES.canonical  # no rule of ties acts
        key = (stacked, uncut, inputs, tuple(chosen.values()))
        if key not in self._lists:
            resolved = self._shared.resolved
            cut = None if uncut else np.asarray(self.k)[placement.case]
            at_any = (stacked, inputs, tuple(value for name, value in chosen.items() if name != "cutoff"))
            if at_any not in resolved:
                resolved[at_any] = resolve(placement, cut, chosen)
            self._lists[key] = at_cutoff(resolved[at_any], placement, cut, chosen["cutoff"])
        return self._lists[key]

    def placement_for(self, values: Values, *, stacked: bool = False) -> Placement:
        """Return the placement of the rows that a definition with these values ranks."""
        inputs, shared = self._effective(RowSelection.of(values, stacked=stacked)), self._shared
        if inputs == RowSelection():
            return shared.stacked if stacked else shared.placement
        if (inputs, stacked) not in shared.placements:
            shared.placements[inputs, stacked] = shared.batch.placement(inputs, stacked=stacked)
        return shared.placements[inputs, stacked]

    def _effective(self, inputs: RowSelection) -> RowSelection:
        """Return the row selection without the parts that change nothing on these cases."""
        selections = self._shared.selections
        if inputs not in selections:
            effective = inputs if self.placement.repeats.any() else replace(inputs, keep="", by_rows=False)
            if not self._shared.batch.drops_users(inputs):
                effective = replace(effective, users="", relevance=inputs.relevance if inputs.pairs != "rated" else "")
            selections[inputs] = effective
        return selections[inputs]


def formula_values(definition_values: Values, definition: Definition, lists: Lists) -> Ratio:
    """Return the formula's ratio of each list."""
    metric = definition.family
    return metric.formula(lists, **{axis.name: definition_values[axis.name] for axis in metric.axes})


def takes_one_ranking(definition: Definition) -> bool:
    """Return True if the definition takes all rows of all users as one ranking."""
    return is_stacked(definition.family, definition.axes)


def evaluate(definition: Definition, problem: Problem) -> Evaluated:
    """Evaluate the definition on every case of the problem.

    Raises:
        TooManyOrdersError: with ``ties:average`` where a user's ties have too many orders.
    """
    metric, values = definition.family, dict(definition.axes)
    if metric.reads != "relevance":
        return evaluate_shown(definition, problem.shown(values), _refused_input(problem, values))
    stacked = takes_one_ranking(definition)
    placement, cases = problem.placement_for(values, stacked=stacked), len(problem.cases)
    lists = problem.lists(values, stacked=stacked, uncut=definition.k is None)
    if stacked:
        values = _as_one(values)
    counts = _user_counts(placement, lists, metric, values, cases)
    chosen_users = averaging.averaged_users(counts, values["users"])

    terms: list[averaging.MeanTerms] = []

    def averaged(ratio: Ratio) -> tuple[edges.UserValues, Floats]:
        users = _with_policies(ratio, metric, values, lists, placement, chosen_users)
        own = _per_user(ratio, lists, len(placement))
        terms.append(averaging.mean_terms(users, own, counts, values, chosen_users))
        return users, averaging.mean_of_terms(terms[-1], counts)

    refused = _refused_input(problem, values)
    if values.get("of") == "means" and metric.operands is not None and metric.combine is not None:
        pair = metric.operands(lists, **{axis.name: values[axis.name] for axis in metric.axes})
        (users, first), (other, second) = (averaged(ratio) for ratio in pair)
        mean = metric.combine(first, second, values)
        # What the definition gives for the user alone: the first operand by itself is another metric.
        users = replace(users, value=metric.combine(users.value, other.value, values))
        refused |= averaging.refused(other, counts, values)
    else:
        users, mean = averaged(formula_values(values, definition, lists))
    refused |= averaging.refused(users, counts, values)
    convention = metric.zero_by_convention(values) and values.get("no_hit", "0") == "0"
    hitless = mixed = np.zeros(len(placement), dtype=np.bool_)
    if convention:
        without = _of_users(lists.hits.count == 0, lists, len(placement)) > 0
        hitless, mixed = counts.hits == 0, (counts.hits > 0) & without
    counted = chosen_users & users.counted
    nobody = np.isnan(mean)
    if nobody.any():
        given = np.isnan(users.value) & counted & (values["pooling"] != "pooled")
        nobody &= np.bincount(placement.case, weights=given, minlength=cases) == 0
        # Not where the inverses cancel in a harmonic mean, or a geometric one has values below 0.
        nobody &= np.any([averaging.nothing_added(each, counts) for each in terms], axis=0)
    if not stacked:  # one ranking in which nobody is left is at an edge
        mean, raised = averaging.over_nobody(mean, nobody, values)
        refused |= raised
    return Evaluated(users.value, counted, mean, refused, nobody, users.regular, hitless, mixed, tuple(terms))


def _as_one(values: Values) -> dict[str, str]:
    """Return the values for one ranking of all rows, averaged like one user."""
    users = "truth" if values["users"] == "one_relevant" else values["users"]
    return {**values, "users": users, "pooling": "user", "weight": "none", "mean": "arithmetic"}


def _per_user(ratio: Ratio, lists: Lists, users: int) -> Ratio:
    """Return one ratio a user, for pooling; over several orders of ties, the mean of each term."""
    if len(lists) == users:
        return ratio
    times = np.bincount(lists.owner, minlength=users)
    top = np.bincount(lists.owner, weights=ratio.numerator, minlength=users) / times
    return Ratio(top, np.bincount(lists.owner, weights=ratio.denominator, minlength=users) / times, ratio.root)


def _of_users(column: Ints | Bools, lists: Lists, users: int) -> NDArray[Any]:
    """Sum a column with one entry for each list over the lists of each user, in most cases one."""
    return column if len(lists) == users else np.bincount(lists.owner, weights=column, minlength=users)


def _with_policies(
    ratio: Ratio, metric: Metric, values: Values, lists: Lists, placement: Placement, chosen_users: Bools
) -> edges.UserValues:
    """Apply the edge policies; if ties are averaged, to each of their orders before the mean over orders."""
    own = {axis.name: values[axis.name] for axis in metric.axes}
    negatives = metric.negatives(lists, **own) if metric.negatives is not None else None
    defined = ratio.denominator != 0
    if metric.zero_by_convention(values) and values.get("no_hit", "0") != "0":
        defined &= lists.hits.count > 0
    state = edges.edge_states(lists.relevant, metric.list_rows(lists), negatives, defined)
    if len(lists) == len(placement):  # one list a user, in their order
        return edges.apply_policies(ratio.value, state, lists.k, values, placement.case, chosen_users)
    of_lists = placement.case[lists.owner], chosen_users[lists.owner]
    users = edges.apply_policies(ratio.value, state, lists.k, values, *of_lists)
    return _expected(users, lists.owner, len(placement))


def _expected(orders: edges.UserValues, owner: Ints, users: int) -> edges.UserValues:
    """Return each user's mean over the orders of ties that are not left out."""
    times = np.asarray(np.bincount(owner, weights=orders.counted, minlength=users), dtype=np.float64)
    total = np.bincount(owner, weights=np.where(orders.counted, orders.value, 0.0), minlength=users)
    return edges.UserValues(
        Ratio(np.asarray(total, dtype=np.float64), times).value,
        times > 0,
        np.bincount(owner, weights=orders.refused, minlength=users) > 0,
        np.bincount(owner, weights=~orders.regular, minlength=users) == 0,
    )


def _user_counts(
    placement: Placement, lists: Lists, metric: Metric, values: Values, cases: int
) -> averaging.UserCounts:
    """Return the counts that averaging needs; with averaged ties, a hit in any order is a hit."""
    one = slice(None) if len(lists) == len(placement) else np.searchsorted(lists.owner, np.arange(len(placement)))
    own = _of_users(metric.hit_count(lists, values), lists, len(placement)).astype(np.int64)
    return averaging.UserCounts(
        lists.relevant[one], lists.listed.count[one], metric.list_rows(lists)[one], placement.truth_rows, own,
        placement.case, cases,
    )  # fmt: skip


def _refused_input(problem: Problem, values: Values) -> Bools:
    """Tell the cases with an item listed twice, if the library raises on such."""
    placement, cases = problem.placement, len(problem.cases)
    out = np.zeros(cases, dtype=bool)
    if values.get("duplicates") == "error":
        out |= np.bincount(placement.case, weights=placement.repeats, minlength=cases) > 0
    if values.get("truth_duplicates") == "error":
        copies = placement.case[placement.user[placement.copy > 0]]
        out |= np.bincount(copies, minlength=cases) > 0
    return out
