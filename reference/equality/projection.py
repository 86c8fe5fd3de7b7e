"""Projections: a definition with the axes of some levels only, everything else canonical."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import is_idle
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.space.levels import LEVELS, Level, level_of
from recsys_metric_audit.reference.space.metric import is_stacked

_JOINT = frozenset({"pooling", "weight", "mean", "users", "undefined", "no_list"})
"""Axes that act together: one of them alone may change nothing where two of them do."""


def up_to(definition: Definition, level: Level) -> Definition:
    """Return ``definition`` with every axis of a later level at its canonical value, written shortest."""
    kept = LEVELS[: LEVELS.index(level) + 1]
    canonical = definition.family.canonical
    later = {name: canonical[name] for name in definition.axes if level_of(name) not in kept}
    return shortest(definition.with_(**later))


def formula_of(definition: Definition) -> Definition:
    """Return the formula alone: who counts and input handling are canonical."""
    return up_to(definition, "formula")


def idle_axes(definition: Definition) -> tuple[str, ...]:
    """Return the axes that cannot matter: whatever their value, the definition gives what it gives now.

    Axes that act together with others (averaging, and users in a state that averaging may leave out) are not tried.
    """
    tried = (axis.name for axis in definition.family.all_axes if axis.name not in _JOINT)
    return tuple(axis for axis in tried if is_idle(definition, axis))


def leaves_somebody(definition: Definition) -> bool:
    """Return True if the axis ``nobody`` acts on no input with a user: each counts, or all rows are one ranking."""
    metric = definition.family
    if metric.reads != "relevance":
        return "nobody" not in definition.axes
    return is_stacked(metric, definition.axes) or is_idle(definition, "nobody", with_users=True)
