"""Lists the definitions of a metric beyond accuracy that ordinary rows can tell apart: near a known one, or all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from audit.libraries.function import Function
from audit.observations.candidates import Values
from reference.cases import Kind
from reference.definitions.definition import Definition
from reference.equality.observed import Key
from reference.metrics import FAMILIES
from reference.space.metric import Metric

STAGES: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    (Kind("order", "shown_items"), ("order", "ties")),
    (Kind("duplicates", "shown_items"), ("duplicates",)),
    (Kind("truth_duplicates", "shown_items"), ("truth_duplicates",)),
)
"""The stages after that of ordinary rows: the kind of probes that each reads, and the axes that they show."""
_SHOWING_SETTINGS = 3
"""Under so many formulas of a family two ways to choose and to average users must be equal to be one."""


class Space(NamedTuple):
    """Holds what ordinary rows may show of a function: the values that definitions of one metric may have.

    Attributes:
        metric: Name of the metric.
        free: The axes with any value.
        fixed: Axes with the value that the function's contract fixes; the others are canonical.
        has_k: Whether the function takes a cut-off.
    """

    metric: str
    free: tuple[str, ...]
    fixed: tuple[tuple[str, str], ...]
    has_k: bool

    @staticmethod
    def of(metric: str, function: Function) -> Space:
        """Return the space in which a function is looked for among the definitions of a metric."""
        family = FAMILIES[metric]
        later = {axis for _, shown in STAGES for axis in shown}
        fixed = tuple((axis, value) for axis, value in function.takes.fixed_values.items() if axis in family.canonical)
        free = (axis.name for axis in family.all_axes if axis.name not in later and axis.name not in function.ruled_out)
        return Space(metric, tuple(free), fixed, function.cutoff)

    @property
    def family(self) -> Metric:
        """Return the metric."""
        return FAMILIES[self.metric]

    def definition(self, *changed: Values) -> Definition | None:
        """Return the definition with some values changed; None if they do not go together, or need a cut-off."""
        whole = {} if self.has_k or "cutoff" not in self.family.canonical else {"cutoff": "none"}
        values = {**self.family.canonical, **whole, **dict(self.fixed)}
        for each in changed:
            values |= each
        cut = values.get("cutoff") == "none" or self.has_k or "cutoff" not in values
        return Definition.of(self.metric, values) if cut and not self.family.refusal(values) else None


@lru_cache(maxsize=500)
def definitions_near(space: Space, known: tuple[Definition, ...], axes: int) -> tuple[Definition, ...]:
    """Return known definitions, as far as ordinary rows show them, then others that differ from one on few axes.

    Equal ones are not merged: that costs more than to try them.

    Args:
        space: The values that a definition may have.
        known: The known definitions; those of another metric are left out.
        axes: On so many axes others differ at most; 0 for the known ones alone.
    """
    starts = [{axis: each.axes[axis] for axis in space.free} for each in known if each.metric == space.metric]
    moved = (names for size in range(axes + 1) for names in combinations(space.free, size))
    near = (space.definition(start, move) for names in moved for move in _moves(space, names) for start in starts)
    return tuple(dict.fromkeys(filter(None, near)))


def _moves(space: Space, axes: Sequence[str]) -> Iterator[Values]:
    """Yield every combination of values on some axes."""
    for chosen in product(*(space.family.axis(axis).names for axis in axes)):
        yield dict(zip(axes, chosen, strict=True))


@lru_cache(maxsize=500)
def all_definitions(space: Space) -> tuple[Definition, ...]:
    """Return every definition of a space, canonical-most first; kept, since the functions of a run share them.

    Formulas that are equal are one, and so are equal ways to choose and to average users, whatever the formula.
    """
    own = {axis.name for axis in space.family.axes}
    names = {axis: space.family.axis(axis).names for axis in space.free}
    formulas = _first_of_equals(
        {axis: values for axis, values in names.items() if axis in own}, lambda point: (space.definition(point),)
    )
    some = formulas[:: max(1, len(formulas) // _SHOWING_SETTINGS)]
    settings = _first_of_equals(
        {axis: values for axis, values in names.items() if axis not in own},
        lambda point: tuple(space.definition(each, point) for each in some),
    )
    made = (space.definition(*each) for each in product(formulas, settings))
    return tuple(sorted(filter(None, made), key=lambda each: len(each.differs_on)))


def _first_of_equals(
    names: Mapping[str, Sequence[str]], making: Callable[[Values], tuple[Definition | None, ...]]
) -> list[Values]:
    """Return combinations of values, of those that make equal definitions the first; none that makes no definition."""
    first: dict[object, Values] = {}
    for chosen in product(*names.values()):
        point = dict(zip(names, chosen, strict=True))
        made = making(point)
        if any(made):
            first.setdefault(tuple(each and Key(each) for each in made), point)
    return list(first.values())
