"""Tells what moves a number on the data: axis by axis, level by level, and for how many users."""

from __future__ import annotations

from collections import Counter
from math import isnan, nan

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.observations.evidence import values_of_users
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.kept_means import keep_means, mean_of
from recsys_metric_audit.reference.equality.projection import up_to
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reports.model.result import Bin, Effect, Step

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
    return tuple(
        Step(axis=axis, signature=definition.signature(), value=_mean(definition, data)) for axis, definition in moved
    )


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


def effect(
    canonical: Definition, fitted: Definition, value: float | None, data: Problem, tolerance: Tolerance
) -> Effect:
    """Return the steps from the canonical value to the library's: formula, who counts, input handling.

    ``value`` is the library's own mean, None where it gives users' values only: then the fitted definition's value
    stands in its place. ``same_value`` allows for how the library rounds.
    """
    steps = definitions_of_effect(canonical, fitted)
    keep_means((data, steps))
    start, formula, who, end = (_mean(each, data) for each in steps)
    reached = end if value is None else value
    same = bool(tolerance.close(np.array([start]), np.array([reached]))[0])
    return Effect(
        formula=_moved(start, formula), who_counts=_moved(formula, who), input=_moved(who, end),
        total=_moved(start, reached), same_value=same,
    )  # fmt: skip


def definitions_of_effect(canonical: Definition, fitted: Definition) -> tuple[Definition, ...]:
    """Return the definitions between which the steps of an effect lie, the canonical one first."""
    return canonical, up_to(fitted, "formula"), up_to(fitted, "who_counts"), fitted


def _mean(definition: Definition, data: Problem) -> float:
    """Return the mean on the data; NaN where it averages over more orders of ties than can be."""
    try:
        return mean_of(definition, data)
    except TooManyOrdersError:
        return nan


def _moved(before: float, after: float) -> float:
    """Return the difference; 0 where both are NaN, NaN where one is."""
    return 0.0 if isnan(before) and isnan(after) else after - before


CELLS = 40
"""Cells on each axis, over the range of the values."""
DIGITS = 6
"""Decimals to which the middle of a cell is rounded."""


def bin_per_user_values(canonical: Definition, outcome: Measured, data: Problem) -> tuple[Bin, ...]:
    """Return how many users fall into each cell of canonical value × library value.

    A bin stands at the middle of its cell. Users whom one side leaves out and values that are not finite are not
    counted.

    Returns:
        Bins in ascending order; empty if the library gives no per-user values.
    """
    made, users = evaluate(canonical, data), data.placement.users
    if outcome.users is None or len(made.value) != len(users):
        return ()
    value, given = values_of_users(outcome, users)
    drawn = given & made.counted & np.isfinite(value) & np.isfinite(made.value)
    cells = Counter(zip(_cell_middles(made.value[drawn]), _cell_middles(value[drawn]), strict=True))
    return tuple(Bin(canonical=x, library=y, users=count) for (x, y), count in sorted(cells.items()))


def _cell_middles(values: NDArray[np.float64]) -> list[float]:
    """Return the middle of each value's cell; at most ``CELLS`` distinct values are only rounded."""
    if len(np.unique(values)) <= CELLS:
        return [round(float(value), DIGITS) for value in values]
    low, high = float(values.min()), float(values.max())
    width = (high - low) / CELLS
    cell = np.minimum((values - low) // width, CELLS - 1)
    return [round(float(low + (number + 0.5) * width), DIGITS) for number in cell]
