"""The waterfall of a finding: from the canonical value to the library's, one axis at a time, as bars.

The values come from ``Finding.decomposition``, which ``audit.findings.attribution`` computes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from recsys_metric_audit.reports.model.result import Finding, Step
from recsys_metric_audit.reports.wording.formatting import one_line, rounded

WIDTH = 100.0
"""Percent, from the left end of the bars to their right end."""
_LEAST_WIDTH = 0.4
"""Width in percent of a bar without a change."""


@dataclass(frozen=True)
class Bar:
    """One row of a waterfall.

    Attributes:
        name: The axes that are moved.
        change: The change of the value, signed and short; of the first and the last bar the value itself.
        value: The value after the change, with six digits.
        x: Left end of the bar, in percent of the drawing.
        width: Width of the bar, in percent of the drawing.
        kind: ``total``, ``up``, ``down`` or ``still``.
    """

    name: str
    change: str
    value: str
    x: float
    width: float
    kind: str


@dataclass(frozen=True)
class Waterfall:
    """A table of steps with their bars and a caption; ``drawn`` is False if the steps have no bars."""

    k: str
    bars: tuple[Bar, ...]
    caption: str
    drawn: bool


def waterfall(finding: Finding) -> Waterfall | None:
    """Return the waterfall of ``finding``; None if it has no decomposition.

    If a step has no finite value, the table stands without bars.
    """
    if len(finding.decomposition) < 2:
        return None
    steps = _merge_unchanged(finding.decomposition)
    start, end = steps[0].value, steps[-1].value
    drawn = all(math.isfinite(step.value) for step in steps)
    bars = _bars(steps) if drawn else tuple(Bar(*texts, x=0.0, width=0.0, kind="still") for texts in _texts(steps))
    k = "" if finding.k is None else str(finding.k)
    name = one_line(finding.function)
    caption = f"{name}, from the canonical {rounded(start)} to {rounded(end)}: {_largest_step(steps)}"
    return Waterfall(k, bars, caption, drawn)


def _largest_step(steps: Sequence[Step]) -> str:
    moves = {step.axis: step.value - before.value for before, step in pairwise(steps)}
    axis = max(moves, key=lambda name: abs(moves[name]))
    if not abs(moves[axis]) > 0:
        return "no axis moves the value on this data."
    return f"{axis} moves it most, by {signed(moves[axis])}."


def _texts(steps: Sequence[Step]) -> list[tuple[str, str, str]]:
    """Return the texts (name, change, value) of each bar."""
    rows = [("canonical", rounded(steps[0].value), f"{steps[0].value:.6g}")]
    for before, step in pairwise(steps):
        rows.append((step.axis, signed(step.value - before.value), f"{step.value:.6g}"))
    return [*rows, ("this definition", rounded(steps[-1].value), f"{steps[-1].value:.6g}")]


def _merge_unchanged(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return ``steps`` with consecutive steps that change nothing merged into one, which names all their axes."""
    merged = [steps[0]]
    unchanged = False
    for before, step in pairwise(steps):
        now_unchanged = step.value == before.value
        joins = now_unchanged and unchanged
        axis = f"{merged[-1].axis}, {step.axis}" if joins else step.axis
        merged[len(merged) - joins :] = [step.model_copy(update={"axis": axis})]
        unchanged = now_unchanged
    return tuple(merged)


def _bars(steps: Sequence[Step]) -> tuple[Bar, ...]:
    values = [step.value for step in steps]
    low, high = min(0.0, *values), max(0.0, *values)
    scale = WIDTH / ((high - low) or 1.0)
    spans = [(0.0, values[0]), *pairwise(values), (0.0, values[-1])]
    bars = []
    for number, (texts, (before, after)) in enumerate(zip(_texts(steps), spans, strict=True)):
        total = number in (0, len(spans) - 1)
        kind = "total" if total else "up" if after > before else "down" if after < before else "still"
        left, right = sorted(((before - low) * scale, (after - low) * scale))
        width = round(max(right - left, _LEAST_WIDTH), 1)
        bars.append(Bar(*texts, x=round(min(left, WIDTH - width), 1), width=width, kind=kind))
    return tuple(bars)


def signed(change: float) -> str:
    """Return ``change`` with its sign and three decimals, or as a power of ten if three decimals would show zero."""
    if math.isnan(change) or math.isinf(change):
        return rounded(change)
    if not change:
        return "±0"
    sign = "+" if change > 0 else "−"
    size = abs(change)
    return sign + (f"{size:.3f}" if size >= 0.0005 else f"{size:.1e}")
