"""A canvas for plots: coordinates, axes and marks, drawn as SVG by matplotlib's renderer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, log10
from typing import Literal

from markupsafe import Markup, escape

from recsys_metric_audit.reports.model.grouping import grouped

INK, QUIET, CANONICAL, UNIDENTIFIED = "ink", "quiet", "canon", "sign"
"""Classes of the style sheet, beside those of variants: ``h0``, ``h1``, ..."""
Anchor = Literal["start", "middle", "end"]
_ANCHOR_CLASSES: Mapping[Anchor, str] = {"start": "", "middle": " m", "end": " e"}
WIDTH = 0.8
"""Line width of the style sheet; only other widths are written out."""

Point = tuple[float, float]
"""A place in units of the ``viewBox``, from the left and from the top."""


@dataclass(frozen=True)
class Label:
    """A text in a drawing, at ``x`` and ``y`` in units of its ``viewBox``."""

    x: float
    y: float
    text: str
    anchor: Anchor
    shade: str


@dataclass(frozen=True)
class Drawing:
    """The content of an ``svg`` element and its ``viewBox``."""

    box: str
    shapes: Markup


def line(points: Sequence[Point], shade: str, width: float) -> str:
    """Return the path of a line through points."""
    wide = "" if width == WIDTH else f' stroke-width="{width:g}"'
    return f'<path d="M{"L".join(map(_whole, points))}" class="{shade}"{wide}/>'


def dots(points: Sequence[Point], shade: str, width: float) -> str:
    """Return one path of all dots: lines without length, of which only the round ends show; small however many."""
    places = "".join(f"M{_whole(point)}h0" for point in points)
    return f'<path d="{places}" class="{shade} dot" stroke-width="{width:g}"/>'


def labels_by_class(labels: Sequence[Label]) -> str:
    """Return the texts, in one group for each class."""
    texts = ((label, f'<text x="{label.x:.0f}" y="{label.y:.0f}">{escape(label.text)}</text>') for label in labels)
    groups = grouped((label.shade + _ANCHOR_CLASSES[label.anchor], text) for label, text in texts)
    return "".join(f'<g class="{kind}">{"".join(group)}</g>' for kind, group in groups.items())


def _whole(point: Point) -> str:
    x, y = point
    return f"{x:.0f} {y:.0f}"


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
