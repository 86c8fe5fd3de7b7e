"""Orders entries by several columns, at once where they stand in that order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Ints
from recsys_metric_audit.reference.input.distinct import BLOCK


def order_by(*columns: NDArray[Any]) -> Ints:
    """Return the stable order of entries by the first column, then by the next ones; each of shape (entries,)."""
    return np.arange(len(columns[0])) if stand_in_order(*columns) else np.lexsort(columns[::-1])


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
