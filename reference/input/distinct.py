"""Distinct values in ascending order, found by sorting.

Sorting numbers and comparing neighbours is several times faster than the hash table that ``np.unique`` and
``np.union1d`` of numpy 2.3 and later use for whole numbers.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value", bound=np.generic)


def distinct(*columns: NDArray[Value]) -> NDArray[Value]:
    """Return the distinct values of some columns, ascending; the columns hold no NaN.

    >>> distinct(np.array([3, 1]), np.array([3]))
    array([1, 3])
    """
    values = np.concatenate(columns)
    if len(values) > 1 and (values[1:] < values[:-1]).any():
        values.sort()
    return values[first_of_runs(values)]


def first_of_runs(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell for each value whether it differs from the value before."""
    out = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=out[1:])
    return out
