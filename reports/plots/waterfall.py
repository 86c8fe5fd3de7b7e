"""From the canonical value to the library's, one axis at a time: the steps of a decomposition as bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from reports.model.result import Finding, Step
from reports.wording.formatting import rounded

WIDTH = 100.0
"""Percent, from the left end of the bars to their right end."""
_LEAST = 0.4
"""Width of a bar that stands for no change."""


@dataclass(frozen=True)
class Bar:
    """One row: its axes, the change that they make and the value after it, and where its bar stands.

    ``x`` and ``width`` are percent of the drawing; ``kind`` is ``total``, ``up``, ``down`` or ``still``. ``then`` has
    six digits, for those whom ``figure`` tells too little.
    """

    name: str
    figure: str
    then: str
    x: float
    width: float
    kind: str


@dataclass(frozen=True)
class Waterfall:
    """A table of steps with their bars, and what it shows in a sentence; ``drawn``: whether there are bars."""

    k: str
    bars: tuple[Bar, ...]
    words: str
    drawn: bool


def waterfall(finding: Finding) -> Waterfall | None:
    """Return the decomposition of ``finding``; ``None`` where it has none.

    Steps that are no finite number are told in the table and not drawn.
    """
    if len(finding.decomposition) < 2:
        return None
    steps = _joined(finding.decomposition)
    start, end = steps[0].value, steps[-1].value
    drawn = all(math.isfinite(step.value) for step in steps)
    bars = _bars(steps) if drawn else tuple(Bar(*told, x=0.0, width=0.0, kind="still") for told in _told(steps))
    k = "" if finding.k is None else str(finding.k)
    words = f"From the canonical {rounded(start)} to {rounded(end)}: {_largest(steps)}"
    return Waterfall(k, bars, words, drawn)


def _largest(steps: Sequence[Step]) -> str:
    moves = {step.axis: step.value - before.value for before, step in pairwise(steps)}
    axis = max(moves, key=lambda name: abs(moves[name]))
    if not abs(moves[axis]) > 0:
        return "no axis moves the value on this data."
    return f"{axis} moves it most, by {signed(moves[axis])}."


def _told(steps: Sequence[Step]) -> list[tuple[str, str, str]]:
    rows = [("canonical", rounded(steps[0].value), f"{steps[0].value:.6g}")]
    for before, step in pairwise(steps):
        rows.append((step.axis, signed(step.value - before.value), f"{step.value:.6g}"))
    return [*rows, ("this definition", rounded(steps[-1].value), f"{steps[-1].value:.6g}")]


def _joined(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps with those that follow each other without a change as one, which names all their axes."""
    found = [steps[0]]
    still = False
    for before, step in pairwise(steps):
        now = step.value == before.value
        axis = f"{found[-1].axis}, {step.axis}" if now and still else step.axis
        found[len(found) - (now and still) :] = [step.model_copy(update={"axis": axis})]
        still = now
    return tuple(found)


def _bars(steps: Sequence[Step]) -> tuple[Bar, ...]:
    values = [step.value for step in steps]
    low, high = min(0.0, *values), max(0.0, *values)
    scale = WIDTH / ((high - low) or 1.0)
    spans = [(0.0, values[0]), *pairwise(values), (0.0, values[-1])]
    bars = []
    for number, (told, (before, after)) in enumerate(zip(_told(steps), spans, strict=True)):
        total = number in (0, len(spans) - 1)
        kind = "total" if total else "up" if after > before else "down" if after < before else "still"
        left, right = sorted(((before - low) * scale, (after - low) * scale))
        width = round(max(right - left, _LEAST), 1)
        bars.append(Bar(*told, x=round(min(left, WIDTH - width), 1), width=width, kind=kind))
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
