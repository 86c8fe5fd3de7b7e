"""The steps of a waterfall: from the canonical definition to the identified one, one axis at a time."""

from __future__ import annotations

from math import nan

from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate
from reference.placement.tie_ranks import TooManyOrdersError
from reports.model.result import Step

FAMILY_STEP = "metric"
"""Name of the step from the metric that the function's name promises to the metric that it computes."""


def decompose(start: Definition, end: Definition, data: Problem) -> tuple[Step, ...]:
    """Return the steps from ``start`` to ``end``, each with its value on ``data``.

    The first step is ``start`` itself. Axes are moved in the order in which signatures name them, the metric family
    before all axes.

    Returns:
        Steps; empty if both definitions are equal.
    """
    if start == end:
        return ()
    steps = [_step("", start, data)]
    now = start
    if end.metric != start.metric:
        now = Definition.of(end.metric, {"cutoff": "none"} if end.axes.get("cutoff") == "none" else {}, end.k or "k")
        steps.append(_step(FAMILY_STEP, now, data))
    for name, value in end.values:
        if now.axes[name] != value:
            now = now.with_(**{name: value})
            steps.append(_step(name, now, data))
    return tuple(steps)


def _step(axis: str, definition: Definition, data: Problem) -> Step:
    """Return the step; its value is NaN if the mean over all orders of tied items has too many orders."""
    try:
        value = float(evaluate(definition, data).mean[0])
    except TooManyOrdersError:
        value = nan
    return Step(axis=axis, signature=definition.signature(), value=value)
