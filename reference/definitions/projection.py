"""Projections: a definition with the axes of some levels only, everything else canonical."""

from __future__ import annotations

from collections.abc import Iterable

from reference.definitions.definition import Definition
from reference.definitions.normal_form import somebody_counts
from reference.space.levels import LEVELS, Level, level_of
from reference.space.metric import is_stacked


def up_to(definition: Definition, level: Level) -> Definition:
    """Return ``definition`` with every axis of a later level than ``level`` at its canonical value, simplified."""
    kept = LEVELS[: LEVELS.index(level) + 1]
    canonical = definition.family.canonical
    later = {name: canonical[name] for name in definition.axes if level_of(name) not in kept}
    return definition.with_(**later).simplified()


def formula_of(definition: Definition) -> Definition:
    """Return the formula alone: who counts and input handling are canonical."""
    return up_to(definition, "formula")


def by_level(axes: Iterable[str]) -> dict[Level, tuple[str, ...]]:
    """Return ``axes`` sorted into their levels, each in the order given."""
    names = tuple(axes)
    return {level: tuple(name for name in names if level_of(name) == level) for level in LEVELS}


_JOINT = frozenset({"pooling", "weight", "mean", "users", "undefined", "no_list"})
"""Axes that act together: one of them alone may change nothing where two of them do."""


def idle_axes(definition: Definition) -> tuple[str, ...]:
    """Return the axes that cannot matter: whatever their value, the definition is provably equal to ``definition``.

    Axes that act together with others (averaging, and users in a state that averaging may leave out) are not tried.
    """
    own = definition.simplified()
    tried = (axis for axis in definition.family.all_axes if axis.name not in _JOINT)
    return tuple(axis.name for axis in tried if _is_idle(own, axis.name, axis.names))


def leaves_somebody(definition: Definition) -> bool:
    """Return True if the axis ``nobody`` acts on no input with a user: each counts, or all rows are one ranking."""
    metric, values = definition.family, definition.simplified().axes
    if metric.reads != "relevance":
        return "nobody" not in values
    return is_stacked(metric, values) or somebody_counts(metric, values)


def _is_idle(definition: Definition, axis: str, values: tuple[str, ...]) -> bool:
    others = [{**definition.axes, axis: value} for value in values if value != definition.axes[axis]]
    legal = [Definition.of(definition.metric, each, definition.k or "k") for each in others]
    legal = [each for each in legal if each.family.refusal(each.axes) is None]
    return bool(legal) and all(each.simplified() == definition for each in legal)
