"""A drawing surface: lines, dots and scales drawn by matplotlib, with labels beside them.

Lines go straight into matplotlib's SVG renderer, without a figure and its axes, and the page itself writes the labels:
with figures, a page of a hundred plots takes three times as long.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING, Literal

from recsys_metric_audit.reports.plots.own_folder import provide_folder
from recsys_metric_audit.reports.plots.svg import INK, QUIET, WIDTH, Anchor, Drawing, Label, clean_svg

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

MIDDLE, BELOW = 3.4, 9.0
"""Units by which a label of 10 units is moved down to be centred on its place, or to hang below it."""
_RIGHT, _TOP, _BOTTOM = 10.8, 18.0, 32.4
"""Units between the edges of the drawing and the data."""

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
    lines: list[Line2D] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def line(self, xs: Sequence[float], ys: Sequence[float], shade: str, width: float = WIDTH) -> None:
        """Draw a line through points of the data."""
        self._draw(xs, ys, shade, width, "butt")

    def dots(self, xs: Sequence[float], ys: Sequence[float], width: float, shade: str) -> None:
        """Draw dots at points of the data, ``width`` units wide.

        All dots are one path of lines without length, of which only the round ends show: small however many.
        """
        if xs:
            x = [part for value in xs for part in (value, value, math.nan)]
            y = [part for value in ys for part in (value, value, math.nan)]
            self._draw(x, y, shade, width, "round")

    def _draw(
        self, xs: Sequence[float], ys: Sequence[float], shade: str, width: float, cap: Literal["butt", "round"]
    ) -> None:
        provide_folder()
        from matplotlib.lines import Line2D

        points = [self._to_x(x) for x in xs], [self._to_y(y) for y in ys]
        line = Line2D(*points, color=shade, linewidth=width, solid_capstyle=cap)
        line.get_path().should_simplify = False
        self.lines.append(line)

    def _to_x(self, x: float) -> float:
        """Return the units from the left edge."""
        low, high = self.x
        return self.left + (x - low) / (high - low) * (self.width - self.left - _RIGHT)

    def _to_y(self, y: float) -> float:
        """Return the units from the bottom edge."""
        bottom, top = self.y
        return _BOTTOM + (y - bottom) / (top - bottom) * (self.height - _TOP - _BOTTOM)

    def text(
        self, x: float, y: float, text: str, anchor: Anchor = "start", shade: str = INK, *, down: float = 0.0
    ) -> None:
        """Write a label at a point of the data, ``down`` units below it."""
        self.labels.append(Label(self._to_x(x), self.height - self._to_y(y) + down, text, anchor, shade))

    def scale(self, low: float, high: float, base: float, figures: float, upright: bool = False) -> None:
        """Draw a scale.

        Args:
            low: The value at its start.
            high: The value at its end.
            base: Position of its line on the other axis.
            figures: Position of its figures on the other axis.
            upright: Whether it is a vertical scale.
        """
        provide_folder()
        from matplotlib.ticker import MaxNLocator

        ends, level = (low, high), (base, base)
        self.line(*((level, ends) if upright else (ends, level)), QUIET)
        for tick in MaxNLocator(4).tick_values(low, high):
            if low <= tick <= high:
                text = f"{tick:.6g}".replace("-", "−")
                if upright:
                    self.text(figures, tick, text, "end", down=MIDDLE)
                else:
                    self.text(tick, figures, text, "middle", down=BELOW)

    def to_drawing(self) -> Drawing:
        """Return everything drawn so far as SVG."""
        provide_folder()
        from matplotlib.backends.backend_svg import RendererSVG

        output = StringIO()
        no_metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        renderer = RendererSVG(self.width, self.height, output, metadata=no_metadata)  # type: ignore[no-untyped-call]
        for line in self.lines:
            line.draw(renderer)
        renderer.finalize()  # type: ignore[no-untyped-call]
        return clean_svg(output.getvalue(), self.labels)
