"""A tally: how many of very many values fall between a few given values, and on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.space.lists import Ints

_CELLS = 1 << 20


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of values between and on ascending ``pivots``.

    Entry 2 i of ``count`` is the number of values between pivot i - 1 and pivot i, entry 2 i + 1 the number of values
    equal to pivot i.
    """

    pivots: NDArray[Any]
    grid: _Grid
    count: Ints

    @staticmethod
    def of(values: NDArray[Any]) -> Tally:
        """Make an empty tally with the distinct ``values`` as pivots."""
        pivots = distinct(values)
        return Tally(pivots, _Grid.of(pivots), np.zeros(2 * len(pivots) + 1, dtype=np.int64))

    def slot(self, values: NDArray[Any]) -> Ints:
        """Return the entry of ``count`` to which each value belongs.

        A monotone map puts values into cells. A value in a cell without a pivot is placed by its cell; only the
        others are compared.
        """
        slot = self.grid.slot.take(self.grid.cell(values)).astype(np.int64)
        close = np.flatnonzero(slot < 0)
        value = values[close]
        low = ~slot[close]
        low += self.pivots[low] < value
        far = np.flatnonzero(self.pivots.take(low, mode="clip") < value)
        low[far] = np.searchsorted(self.pivots, value[far])
        slot[close] = 2 * low + (self.pivots.take(low, mode="clip") == value)
        return slot

    def add(self, values: NDArray[Any]) -> None:
        """Count further values."""
        self.count[:] += np.bincount(self.slot(values), minlength=len(self.count))

    @property
    def on(self) -> Ints:
        """Number of values that equal each pivot."""
        return self.count[1::2]

    def below(self) -> Ints:
        """Return how many values are below each pivot."""
        out: Ints = np.cumsum(self.count)[:-1:2]
        return out

    def above(self) -> Ints:
        """Return how many values are above each pivot."""
        out: Ints = np.cumsum(self.count[::-1])[::-1][2::2]
        return out


@dataclass(frozen=True, eq=False)
class _Grid:
    """Cells of equal width; ``slot`` is twice the number of pivots in lower cells, ~number if the cell has a pivot."""

    low: float
    scale: float
    cells: int
    slot: NDArray[np.int32]

    @staticmethod
    def of(pivots: NDArray[Any]) -> _Grid:
        finite = pivots[np.isfinite(pivots)].astype(np.float64)
        low, high = (finite[0] / 2, finite[-1] / 2) if len(finite) else (0.0, 0.0)
        cells = min(32 * max(len(pivots), 1), _CELLS)
        with np.errstate(over="ignore", divide="ignore"):
            scale = float(min(np.float64(cells) / np.float64(high - low), np.finfo(np.float64).max))
        grid = _Grid(float(low), scale, cells, np.empty(0, dtype=np.int32))
        taken = grid.cell(pivots)
        lower = np.searchsorted(taken, np.arange(cells + 2)).astype(np.int32)
        slot = 2 * lower
        slot[taken] = ~lower[taken]
        return _Grid(grid.low, scale, cells, slot)

    def cell(self, score: NDArray[Any]) -> Ints:
        """Return the cell of each score; monotone, since no step ever reverses an order (halved, nothing overflows)."""
        with np.errstate(over="ignore"):
            place = np.multiply(score, 0.5, dtype=np.float64)
            place -= self.low
            place *= self.scale
        place += 1.0
        np.maximum(place, 0.0, out=place)
        np.minimum(place, self.cells + 1.0, out=place)
        out: Ints = place.astype(np.int64)
        return out
