"""Orders entries by several columns, in a fraction of the time of ``np.lexsort`` where there are many."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.input.item_numbers import BLOCK

Ints = NDArray[np.int64]

_FEW = 1 << 10
"""Entries up to which ``np.lexsort`` takes less time than to join the columns to one."""
_REPEATED = 64
"""Entries for each distinct number from which on it takes less time to look numbers up than to sort them again."""


def order_by(*columns: NDArray[Any]) -> Ints:
    """Return the stable order of entries by the first column, then by the next ones; each of shape (entries,).

    Columns are joined to one of whole numbers, which takes one sort, quick where entries are in order already.
    """
    if len(columns[0]) <= _FEW:
        return np.lexsort(columns[::-1])
    if stand_in_order(*columns):
        return np.arange(len(columns[0]))
    joined = _joined(columns)
    return np.lexsort(columns[::-1]) if joined is None else np.argsort(joined, kind="stable")


def stand_in_order(*columns: NDArray[Any]) -> bool:
    """Return True if no entry has to move for :func:`order_by`; False too where a NaN decides."""
    return all(
        _block_in_order([column[first : first + BLOCK + 1] for column in columns])
        for first in range(0, len(columns[0]) - 1, BLOCK)
    )


def _block_in_order(columns: list[NDArray[Any]]) -> bool:
    decided = np.zeros(len(columns[0]) - 1, dtype=np.bool_)
    for column in columns:
        before, after = column[:-1], column[1:]
        if not (decided | (before <= after)).all():
            return False
        decided |= before < after
    return True


def _joined(columns: tuple[NDArray[Any], ...]) -> Ints | None:
    """Return numbers that are ordered as the entries are; None where they would not fit, or a number is NaN."""
    out, widest = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        if np.issubdtype(column.dtype, np.floating):
            if np.isnan(column).any():
                return None
            code, width = _codes(column)
        else:
            low, high = int(column.min()), int(column.max())
            code, width = column - low, high - low + 1
        widest *= width
        if widest >= 1 << 63:
            return None
        out *= width
        out += code
    return out


def _codes(column: NDArray[Any]) -> tuple[Ints, int]:
    """Return the place of each number among the distinct ones, and how many these are."""
    values = distinct(column)
    if len(values) * _REPEATED < len(column):
        return np.searchsorted(values, column).astype(np.int64), len(values)
    order, code = np.argsort(column), np.zeros(len(column), dtype=np.int64)
    code[order[1:]] = np.cumsum(column[order[1:]] != column[order[:-1]])
    return code, len(values)
