"""Per-user values of a library over the canonical ones, binned so that thousands of users stay a small picture."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from audit.observations.evidence import per_user
from audit.process.protocol import Measured
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate
from reports.model.result import Bin

CELLS = 40
"""Cells on each axis, over the range of the values."""
DIGITS = 6


def scatter(canonical: Definition, outcome: Measured, data: Problem) -> tuple[Bin, ...]:
    """How many users fall into each cell, at the cell's middle; values that are no number, and users whom one side
    leaves out, are not drawn. Empty where the library gives no per-user values."""
    made, users = evaluate(canonical, data), data.placement.users
    if outcome.users is None or len(made.value) != len(users):
        return ()
    value, given = per_user(outcome, users)
    drawn = given & made.counted & np.isfinite(value) & np.isfinite(made.value)
    cells = Counter(zip(_cells(made.value[drawn]), _cells(value[drawn]), strict=True))
    return tuple(Bin(canonical=x, library=y, users=count) for (x, y), count in sorted(cells.items()))


def _cells(values: NDArray[np.float64]) -> list[float]:
    """The middle of the cell of each value; values of few different ones stand where they are."""
    if len(np.unique(values)) <= CELLS:
        return [round(float(value), DIGITS) for value in values]
    low, high = float(values.min()), float(values.max())
    width = (high - low) / CELLS
    cell = np.minimum((values - low) // width, CELLS - 1)
    return [round(float(low + (number + 0.5) * width), DIGITS) for number in cell]
