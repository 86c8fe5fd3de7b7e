"""A metric: one formula with its axes, as a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product

from reference import averaging, edges, order
from reference.axis import Axis
from reference.lists import Ints, Ratio

Values = Mapping[str, str]
Formula = Callable[..., Ratio]


def _unchanged(values: dict[str, str]) -> dict[str, str]:
    return values


def _always(values: Values) -> str | None:
    return None


def _differing(values: Values) -> bool:
    return False


def _everywhere(values: Values) -> bool:
    return True


def r_unseen(values: Values) -> bool:
    """Whether the averaging does not look at the number of relevant items beyond its being 0."""
    return values.get("weight") != "relevant" and values.get("users") != "one_relevant"


@dataclass(frozen=True)
class Metric:
    """One metric: its name in signatures, its formula axes, and which shared axes can act on it.

    ``formula(lists, **values)`` gives a :class:`~reference.lists.Ratio` per list from the values of ``axes``.
    ``simplify`` rewrites values to a provably equal point (the argument stands where it is defined);
    ``refuse`` says why a combination means nothing, or None. ``uses_k`` tells whether a cut-off acts.
    ``negatives(lists, **values)`` counts the irrelevant items of a list where the formula needs some.
    ``whole`` names the formula axes that act on several users at once. ``stacked`` names the axis and value
    under which all rows are one ranking; ``operands`` gives the ratios that are averaged first where
    ``of:means``, and ``combine`` puts their means together. ``same_denominator`` tells where every user's
    denominator is one and the same number; ``proportional`` that without a hit the numerator is 0.
    """

    name: str
    title: str
    axes: tuple[Axis, ...]
    formula: Formula
    why_canonical: str
    inert: frozenset[str] = frozenset()
    own: Mapping[str, str] = field(default_factory=dict)
    simplify: Callable[[dict[str, str]], dict[str, str]] = _unchanged
    refuse: Callable[[Values], str | None] = _always
    uses_k: Callable[[Values], bool] = _everywhere
    stacked: tuple[str, str] | None = None
    whole: tuple[str, ...] = ()
    operands: Callable[..., tuple[Ratio, Ratio]] | None = None
    combine: Callable[..., Ratio] | None = None
    negatives: Callable[..., Ints] | None = None
    same_denominator: Callable[[Values], bool] = _differing
    proportional: bool = True

    @property
    def all_axes(self) -> tuple[Axis, ...]:
        """Formula, averaging, edge and order axes that can act, in the order of signatures."""
        shared = (*averaging.AXES, *edges.AXES, *order.AXES)
        return (*self.axes, *(axis for axis in shared if axis.name not in self.inert))

    def axis(self, name: str) -> Axis:
        """The axis of that name.

        Raises:
            KeyError: if it cannot act on this metric.
        """
        for axis in self.all_axes:
            if axis.name == name:
                return axis
        raise KeyError(name)

    @property
    def canonical(self) -> dict[str, str]:
        """Every axis at its canonical value (``own`` overrides the axes' own first values)."""
        return {axis.name: self.own.get(axis.name, axis.canonical) for axis in self.all_axes}

    def points(self) -> list[dict[str, str]]:
        """All formula points that mean something, provably equal ones merged.

        Axes that act on several users at once (``whole``) stand at their canonical value: they belong to the
        step from users to the mean.
        """
        names = [axis.name for axis in self.axes]
        choices = [(self.canonical[axis.name],) if axis.name in self.whole else axis.names for axis in self.axes]
        seen: dict[tuple[str, ...], dict[str, str]] = {}
        for chosen in product(*choices):
            values = dict(zip(names, chosen, strict=True))
            if self.refuse(values) is None:
                simple = self.simplify(values)
                seen.setdefault(tuple(simple[name] for name in names), simple)
        return list(seen.values())


SET_AXES = frozenset({"positions", "no_negatives"})
"""Axes that never act on what only counts hits."""
