"""Draws lines, dots, scales and labels, placed in coordinates of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10

from markupsafe import Markup

from recsys_metric_audit.reports.plots.svg import (
    INK,
    QUIET,
    WIDTH,
    Anchor,
    Drawing,
    Label,
    Point,
    dots,
    labels_by_class,
    line,
)

MIDDLE, BELOW = 3.4, 9.0
"""Units by which a label of 10 units is moved down to be centred on its place, or to hang below it."""
_RIGHT, _TOP, _BOTTOM = 10.8, 18.0, 32.4
"""Units between the edges of the drawing and the data."""
_ROUND = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
"""Steps of a scale, times a power of ten."""
_TINY = 1e-9
"""Share of a step by which rounding may move a figure."""

Span = tuple[float, float]


@dataclass(frozen=True)
class Canvas:
    """A drawing of ``width`` × ``height`` units; lines, dots and labels are placed in coordinates of the data.

    ``x`` and ``y`` are the ends of the data, the bottom first. ``left`` is the room beside the data, in units.
    """

    width: float
    height: float
    left: float
    x: Span
    y: Span
    paths: list[str] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def line(self, xs: Sequence[float], ys: Sequence[float], shade: str, width: float = WIDTH) -> None:
        """Draw a line through points of the data."""
        self.paths.append(line(self._points(xs, ys), shade, width))

    def dots(self, xs: Sequence[float], ys: Sequence[float], width: float, shade: str) -> None:
        """Draw dots at points of the data, ``width`` units wide."""
        if xs:
            self.paths.append(dots(self._points(xs, ys), shade, width))

    def _points(self, xs: Sequence[float], ys: Sequence[float]) -> list[Point]:
        return [self._place(x, y) for x, y in zip(xs, ys, strict=True)]

    def _place(self, x: float, y: float) -> Point:
        (left, right), (bottom, top) = self.x, self.y
        return (
            self.left + (x - left) / (right - left) * (self.width - self.left - _RIGHT),
            self.height - _BOTTOM - (y - bottom) / (top - bottom) * (self.height - _TOP - _BOTTOM),
        )

    def text(
        self, x: float, y: float, text: str, anchor: Anchor = "start", shade: str = INK, *, down: float = 0.0
    ) -> None:
        """Write a label at a point of the data, ``down`` units below it."""
        left, above = self._place(x, y)
        self.labels.append(Label(left, above + down, text, anchor, shade))

    def scale(self, low: float, high: float, base: float, figures: float, upright: bool = False) -> None:
        """Draw a scale.

        Args:
            low: The value at its start.
            high: The value at its end.
            base: Position of its line on the other axis.
            figures: Position of its figures on the other axis.
            upright: Whether it is a vertical scale.
        """
        ends, level = (low, high), (base, base)
        self.line(*((level, ends) if upright else (ends, level)), QUIET)
        for tick in _round_numbers(low, high):
            text = f"{tick:.6g}".replace("-", "−")
            if upright:
                self.text(figures, tick, text, "end", down=MIDDLE)
            else:
                self.text(tick, figures, text, "middle", down=BELOW)

    def to_drawing(self) -> Drawing:
        """Return everything drawn so far as SVG."""
        shapes = Markup("".join(self.paths) + labels_by_class(self.labels))
        return Drawing(f"0 0 {self.width:g} {self.height:g}", shapes)


def _round_numbers(low: float, high: float) -> list[float]:
    """Return the multiples of a round step from `low` to `high`; the step is at least a quarter of the way."""
    least = (high - low) / 4
    power = 10.0 ** floor(log10(least))
    step = power * next(each for each in _ROUND if power * each >= least * (1 - _TINY))
    return [step * times for times in range(ceil(low / step - _TINY), floor(high / step + _TINY) + 1)]
