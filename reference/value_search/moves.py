"""Moves: the choices that a level offers, each a few axes away from canonical, fewest axes first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product

from recsys_metric_audit.reference.catalogue import variants_of
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reference.space.axis import Axis
from recsys_metric_audit.reference.space.levels import Level, level_of

Values = Mapping[str, str]

_POOLED = ("pooling", "weight")
"""Joins two axes into one move: a weight acts in a weighted mean only."""


def moves(metric: str, level: Level, most: int) -> Iterator[Values]:
    """Yield the values of all choices on the axes of ``level`` with at most ``most`` moves, the canonical one first.

    What comes out where nobody is left is not moved: a printed number is of somebody.

    Args:
        metric: Name of the metric.
        level: The level whose axes are moved.
        most: The largest number of moves.
    """
    own = [axis for axis in FAMILIES[metric].all_axes if level_of(axis.name) == level and axis.name != NOBODY.name]
    single: list[list[Values]] = [
        [{axis.name: value} for value in _other(metric, axis)] for axis in own if axis.name not in _POOLED
    ]
    if pooled := _pooled_moves(metric, own):
        single.append(pooled)
    for number in range(most + 1):
        for chosen in combinations(single, number):
            for each in product(*chosen):
                yield {name: value for part in each for name, value in part.items()}


def formulas(metric: str, most: int) -> dict[tuple[tuple[str, str], ...], int]:
    """Return the formulas with the number of moves of each; a formula of the catalogue counts as one move.

    Args:
        metric: Name of the metric.
        most: The largest number of moves on axes of the formula.

    Returns:
        Number of moves by values that are not canonical, fewest moves first.
    """
    canonical = FAMILIES[metric].canonical
    documented = (formula_of(variant.definition).axes for variant in variants_of(metric))
    known = ({name: value for name, value in axes.items() if value != canonical[name]} for axes in documented)
    found = {_key(values): min(len(values), 1) for values in known}
    for moved in moves(metric, "formula", most):
        found.setdefault(_key(moved), _count(moved))
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _count(values: Values) -> int:
    """Return the number of moves that made ``values``."""
    return len(values) - (set(_POOLED) <= set(values))


def _key(values: Values) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(values.items()))


def _other(metric: str, axis: Axis) -> list[str]:
    canonical = FAMILIES[metric].canonical[axis.name]
    return [name for name in axis.names if name != canonical]


def _pooled_moves(metric: str, axes: list[Axis]) -> list[Values]:
    by_name = {axis.name: axis for axis in axes}
    if not set(_POOLED) <= set(by_name):
        return []
    weights = [weight for weight in by_name["weight"].names if weight != "none"]
    plain: list[Values] = [{"pooling": value} for value in _other(metric, by_name["pooling"]) if value != "weighted"]
    return [*plain, *({"pooling": "weighted", "weight": weight} for weight in weights)]
