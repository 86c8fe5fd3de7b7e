"""From the canonical value to the library's, one axis at a time: the steps of a decomposition as bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from reports.plain import exact, rounded
from reports.result import Finding, Step

WIDTH, LEFT, RIGHT, ROW = 640, 190, 70, 26
"""Pixels: of the drawing, of the names, of the figures, and of one row."""


@dataclass(frozen=True)
class Bar:
    """One row. ``x`` and ``width`` are pixels; ``kind`` is ``total``, ``up``, ``down`` or ``still``."""

    name: str
    y: int
    x: float
    width: float
    kind: str
    figure: str
    exact: str


@dataclass(frozen=True)
class Waterfall:
    """A drawing of ``height`` pixels, and what it shows in a sentence; ``bars`` is its table, too."""

    k: str
    height: int
    bars: tuple[Bar, ...]
    words: str
    drawn: bool


def waterfall(finding: Finding) -> Waterfall | None:
    """Return the decomposition of ``finding``; ``None`` where it has none.

    Steps that are no finite number are told in the table and not drawn.
    """
    steps = finding.decomposition
    if len(steps) < 2:
        return None
    start, end = steps[0].value, steps[-1].value
    drawn = all(math.isfinite(step.value) for step in steps)
    bars = _bars(steps) if drawn else tuple(_row(n, *each) for n, each in enumerate(_told(steps)))
    k = "" if finding.k is None else str(finding.k)
    words = f"From the canonical {rounded(start)} to {rounded(end)}: {_largest(steps)}"
    return Waterfall(k, ROW * len(bars) + 8, bars, words, drawn)


def _largest(steps: Sequence[Step]) -> str:
    moves = {step.axis: step.value - before.value for before, step in pairwise(steps)}
    axis = max(moves, key=lambda name: abs(moves[name]))
    if not abs(moves[axis]) > 0:
        return "no axis moves the value on this data."
    return f"{axis} moves it most, by {signed(moves[axis])}."


def _told(steps: Sequence[Step]) -> list[tuple[str, str, str]]:
    rows = [("canonical", rounded(steps[0].value), exact(steps[0].value))]
    for before, step in pairwise(steps):
        rows.append((step.axis, signed(step.value - before.value), exact(step.value)))
    return [*rows, ("this definition", rounded(steps[-1].value), exact(steps[-1].value))]


def _row(number: int, name: str, figure: str, digits: str) -> Bar:
    return Bar(name, ROW * number + 4, LEFT, 0.0, "still", figure, digits)


def _bars(steps: Sequence[Step]) -> tuple[Bar, ...]:
    values = [step.value for step in steps]
    low, high = min(0.0, *values), max(0.0, *values)
    scale = (WIDTH - LEFT - RIGHT) / ((high - low) or 1.0)

    def at(value: float) -> float:
        return LEFT + (value - low) * scale

    spans = [(0.0, values[0]), *pairwise(values), (0.0, values[-1])]
    bars = []
    for number, ((name, figure, digits), (before, after)) in enumerate(zip(_told(steps), spans, strict=True)):
        total = number in (0, len(spans) - 1)
        kind = "total" if total else "up" if after > before else "down" if after < before else "still"
        left, right = sorted((at(before), at(after)))
        width = round(max(right - left, 1.5), 1)
        bars.append(Bar(name, ROW * number + 4, round(left, 1), width, kind, figure, digits))
    return tuple(bars)


def signed(change: float) -> str:
    """Return ``change`` with its sign, and with three digits where three decimals would show nothing."""
    if math.isnan(change) or math.isinf(change):
        return rounded(change)
    if not change:
        return "±0"
    sign = "+" if change > 0 else "−"
    size = abs(change)
    return sign + (f"{size:.3f}" if size >= 0.0005 else f"{size:.1e}")
