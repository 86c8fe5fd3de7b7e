"""The steps of a waterfall: from the canonical definition to the identified one, one axis at a time."""

from __future__ import annotations

from math import nan

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.kept_means import keep_means, mean_of
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reports.model.result import Step

FAMILY_STEP = "metric"
"""Name of the step from the metric that the function's name promises to the metric that it computes."""


def decompose(start: Definition, end: Definition, data: Problem) -> tuple[Step, ...]:
    """Return the steps from ``start`` to ``end``, each with its value on ``data``.

    The first step is ``start`` itself. Axes are moved in the order in which signatures name them, the metric family
    before all axes.

    Returns:
        Steps; empty if both definitions are equal.
    """
    moved = moved_axes(start, end)
    keep_means((data, [definition for _, definition in moved]))
    return tuple(_step(axis, definition, data) for axis, definition in moved)


def moved_axes(start: Definition, end: Definition) -> list[tuple[str, Definition]]:
    """Return each definition on the way from ``start`` to ``end`` with the axis moved to reach it.

    Returns:
        Pairs, of which the first names no axis; empty if both definitions are equal.
    """
    if start == end:
        return []
    steps, now = [("", start)], start
    if end.metric != start.metric:
        now = Definition.of(end.metric, {"cutoff": "none"} if end.axes.get("cutoff") == "none" else {}, end.k or "k")
        steps.append((FAMILY_STEP, now))
    for name, value in end.values:
        if now.axes[name] != value:
            now = now.with_(end.k, **{name: value})
            steps.append((name, now))
    return steps


def _step(axis: str, definition: Definition, data: Problem) -> Step:
    """Return the step; its value is NaN if the mean over all orders of tied items has too many orders."""
    try:
        value = mean_of(definition, data)
    except TooManyOrdersError:
        value = nan
    return Step(axis=axis, signature=definition.signature(), value=value)
