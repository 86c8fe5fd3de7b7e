"""A metric: one formula with the axes that act on it, as a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Literal

from recsys_metric_audit.reference.space import averaging, edges, input_axes
from recsys_metric_audit.reference.space.axis import Axis
from recsys_metric_audit.reference.space.lists import Floats, Ints, Lists, Ratio

Values = Mapping[str, str]
Formula = Callable[..., Ratio]
Reads = Literal["relevance", "lists", "items"]
"""Says what a formula reads: the places of relevant items, the items of each list, or the items of all lists."""


def _none(values: Values) -> str | None:
    return None


def is_cut(values: Values) -> bool:
    """Return True if hits count down to some rank only."""
    return values.get("cutoff", "k") not in ("none", "hits_uncut")


def _always(values: Values) -> bool:
    return True


def never(values: Values) -> bool:
    """Return False, whatever the values."""
    return False


@dataclass(frozen=True)
class Metric:
    """One metric: its name, and its formula with the axes that act on it.

    * ``name`` in signatures, ``title``, ``axes`` of the formula, ``why_canonical``;
    * ``formula(lists, **values)``: a :class:`~reference.space.lists.Ratio` per list, from the values of ``axes``;
    * ``inert``: names of shared axes that do not act; ``inputs``: order and input axes of this metric only;
    * ``canonical_overrides``: canonical values that differ from the first values of the axes;
    * ``refuse``: why a combination of values is meaningless, or None;
    * ``uses_k``: whether a cut-off acts;
    * ``stacked``: the axis and value under which all rows of all users are one ranking;
    * ``across_users``: the formula axes that act on several users at once;
    * ``operands``, ``combine``: under ``of:means``, the two ratios that are averaged first, and the number made of the
      two means (NaN is the mean over nobody);
    * ``reads``: what the formula reads. Unless it is ``relevance``, the formula is given
      :class:`~reference.space.shown_items.ShownItems`, returns a ratio for each user (``lists``) or for each case
      (``items``), and has no shared axes but those in ``inputs``;
    * ``terms(shown, **values)``: what each row shown adds to the numerator, if a worked example is to show it;
    * ``negatives(lists, **values)``: number of irrelevant items of a list, if the formula needs some;
    * ``hits(lists, **values)``: number of hits, if they are not those within the cut-off;
    * ``lists_as_given``: whether a user has a list is asked of the rows given: the formula selects candidates;
    * ``zero_by_convention(values)``: without a hit the value is 0 by convention only, so that a policy can replace it.
    """

    name: str
    title: str
    axes: tuple[Axis, ...]
    formula: Formula
    why_canonical: str
    inert: frozenset[str] = frozenset()
    canonical_overrides: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[Axis, ...] = ()
    reads: Reads = "relevance"
    terms: Callable[..., Floats] | None = None
    refuse: Callable[[Values], str | None] = _none
    uses_k: Callable[[Values], bool] = _always
    stacked: tuple[str, str] | None = None
    across_users: tuple[str, ...] = ()
    operands: Callable[..., tuple[Ratio, Ratio]] | None = None
    combine: Callable[[Floats, Floats, Values], Floats] | None = None
    negatives: Callable[..., Ints] | None = None
    hits: Callable[..., Ints] | None = None
    lists_as_given: bool = False
    zero_by_convention: Callable[[Values], bool] = never

    @cached_property
    def all_axes(self) -> tuple[Axis, ...]:
        """The formula, averaging, edge and order axes that can act, in the order of signatures."""
        if self.reads != "relevance":
            return (*self.axes, *self.inputs)
        shared = (*averaging.AXES, *edges.AXES, averaging.NOBODY, *input_axes.AXES)
        return (*self.axes, *(axis for axis in shared if axis.name not in self.inert), *self.inputs)

    def axis(self, name: str) -> Axis:
        """Return the axis of that name.

        Raises:
            KeyError: if it cannot act on this metric.
        """
        return self._axis_by_name[name]

    @cached_property
    def _axis_by_name(self) -> dict[str, Axis]:
        return {axis.name: axis for axis in self.all_axes}

    def hit_count(self, lists: Lists, values: Values) -> Ints:
        """Count the hits of each list as this formula counts them."""
        if self.hits is None:
            return lists.hits.count
        return self.hits(lists, **{axis.name: values[axis.name] for axis in self.axes})

    def list_rows(self, lists: Lists) -> Ints:
        """Count the rows of each list that tell whether a user has one."""
        return lists.given if self.lists_as_given else lists.length

    def refusal(self, values: Values) -> str | None:
        """Return why a combination of values is meaningless, or None; rules of the metric come before shared ones."""
        return self.refuse(values) or (_refuse_shared(self, values) if self.reads == "relevance" else None)

    @cached_property
    def canonical(self) -> MappingProxyType[str, str]:
        """Every axis with its canonical value."""
        return MappingProxyType(
            {axis.name: self.canonical_overrides.get(axis.name, axis.canonical) for axis in self.all_axes}
        )

    def points(self) -> list[dict[str, str]]:
        """List all meaningful combinations of formula axes, equal ones too, but for values that give no rule.

        Axes that act on several users at once (``across_users``) have their canonical value, since they belong to the
        step from users to the mean.
        """
        names = [axis.name for axis in self.axes]
        choices = [
            (self.canonical[axis.name],)
            if axis.name in self.across_users
            else [name for name in axis.names if name not in input_axes.WITHOUT_RULE]
            for axis in self.axes
        ]
        points = (dict(zip(names, chosen, strict=True)) for chosen in product(*choices))
        return [values for values in points if self.refusal({**self.canonical, **values}) is None]


def is_stacked(metric: Metric, values: Values) -> bool:
    """Return True if all rows of all users are one ranking, or make one value together."""
    one_ranking = metric.stacked is not None and values[metric.stacked[0]] == metric.stacked[1]
    return one_ranking or metric.reads == "items"


_BY_RANK_ALONE = frozenset({"hit_rate", "recall", "reciprocal_rank"})
"""Metrics that read nothing of a list but the ranks of its hits, which then need not be whole numbers."""


def _refuse_shared(metric: Metric, values: Values) -> str | None:
    """Return why a combination of shared axes is meaningless, or None."""
    cutoff = values.get("cutoff", "k")
    if cutoff not in input_axes.CUTOFF.names and not (float(cutoff).is_integer() and float(cutoff) >= 1):
        return f"a cut-off is a whole number of rows, not {cutoff}"
    if values["weight"] == "listed" and values.get("unlisted") != "dropped":
        return "weight:listed weighs by the relevant items that count where those of no list do not"
    if values.get("positions") == "negatives_only" and (reason := refuse_all_relevant(values)):
        return f"positions:negatives_only counts irrelevant items above, and {reason}"
    if values.get("ties") == "middle" and metric.name not in _BY_RANK_ALONE:
        return f"ties:middle gives ranks between places, which {metric.name} does not read"
    if not is_stacked(metric, values):
        return None
    if values.get("ties", "given").startswith("text"):
        return "ties by text ask for an item's name, which a pair of user and item in one ranking of all rows has not"
    if values["users"] == "hits":
        return "users:hits asks who has a hit in a list of their own, and all rows are one ranking"
    return None


def refuse_all_relevant(values: Values) -> str | None:
    """Return why the values are meaningless for a metric that needs irrelevant items, or None.

    They are if all ranked items are relevant by definition.
    """
    wanted = {"candidates": "test_only", "relevance": "every_row", "truth": "all", "counted_scores": "any"}
    if any(values.get(name, value) != value for name, value in wanted.items()):
        return None
    return "candidates:test_only ranks what the truth holds, and with relevance:every_row all of that is relevant"


def refuse_shared_ranks(values: Values) -> str | None:
    """Return why the values are meaningless for a formula that reads which irrelevant rows are among the first k.

    If tied rows share a rank, any number of rows may be down to rank k.
    """
    return "ties:shared leaves no first k rows, which this formula asks for" if values.get("ties") == "shared" else None


NO_NEGATIVES = frozenset({"no_negatives"})
"""The axis that does not act on metrics that say something of a list without irrelevant items."""
SET_AXES = NO_NEGATIVES | {"positions"}
"""The axes that do not act on metrics that only count the hits among a list's first rows."""
