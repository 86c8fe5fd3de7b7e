"""From the canonical definition to the identified one, one axis at a time: how much does each cause move the number?"""

from __future__ import annotations

from math import nan

from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate
from reference.placement.tie_ranks import TooManyOrdersError
from reports.model.result import Step

FAMILY = "metric"
"""The name of the step that goes over to the family that is computed, where it is not the one that the name says."""


def decompose(start: Definition, end: Definition, data: Problem) -> tuple[Step, ...]:
    """The steps from ``start`` to ``end`` in the order of signatures, each with its value on the data.

    Empty where both are the same.
    """
    if start == end:
        return ()
    steps = [_step("", start, data)]
    now = start
    if end.metric != start.metric:
        now = Definition.of(end.metric, {"cutoff": "none"} if end.axes.get("cutoff") == "none" else {}, end.k or "k")
        steps.append(_step(FAMILY, now, data))
    for name, value in end.values:
        if now.axes[name] != value:
            now = now.with_(**{name: value})
            steps.append(_step(name, now, data))
    return tuple(steps)


def _step(axis: str, definition: Definition, data: Problem) -> Step:
    """The step; NaN where the mean over all orders of ties has too many orders."""
    try:
        value = float(evaluate(definition, data).mean[0])
    except TooManyOrdersError:
        value = nan
    return Step(axis=axis, signature=definition.signature(), value=value)
