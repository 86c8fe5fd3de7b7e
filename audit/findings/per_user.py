"""Per-user values of a library against the canonical ones, binned so that thousands of users stay a small picture."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.observations.evidence import values_of_users
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reports.model.result import Bin

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
