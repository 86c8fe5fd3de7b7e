"""What plots are drawn on: lines and scales of matplotlib, and the words beside them.

Lines are drawn straight into its SVG, without a figure and its axes, and words are written by the page itself: with
these, a page of a hundred plots would take three times as long.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING, Literal

from reports.plots.svg import INK, QUIET, WIDTH, Anchor, Drawing, Words, cleaned

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

MIDDLE, BELOW = 3.4, 9.0
"""Units by which a text of 10 units stands lower, to be centred on its place, or to hang below it."""
_RIGHT, _TOP, _BOTTOM = 10.8, 18.0, 32.4
"""Units between the edges of the drawing and the data."""

Span = tuple[float, float]


@dataclass(frozen=True)
class Canvas:
    """A drawing of ``width`` × ``height`` units to put lines, dots and words on, at places of the data.

    ``x`` and ``y`` are the ends of the data; the first of ``y`` is at the bottom. ``left``: units beside the data.
    """

    width: float
    height: float
    left: float
    x: Span
    y: Span
    lines: list[Line2D] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)

    def line(self, xs: Sequence[float], ys: Sequence[float], shade: str, width: float = WIDTH) -> None:
        """Draw a line through places of the data."""
        self._draw(xs, ys, shade, width, "butt")

    def dots(self, xs: Sequence[float], ys: Sequence[float], width: float, shade: str) -> None:
        """Draw dots as one path of lines without length, whose round ends are what is seen: small, however many."""
        if xs:
            x = [part for value in xs for part in (value, value, math.nan)]
            y = [part for value in ys for part in (value, value, math.nan)]
            self._draw(x, y, shade, width, "round")

    def _draw(
        self, xs: Sequence[float], ys: Sequence[float], shade: str, width: float, cap: Literal["butt", "round"]
    ) -> None:
        from matplotlib.lines import Line2D

        places = [self._across(x) for x in xs], [self._up(y) for y in ys]
        made = Line2D(*places, color=shade, linewidth=width, solid_capstyle=cap)
        made.get_path().should_simplify = False
        self.lines.append(made)

    def _across(self, x: float) -> float:
        low, high = self.x
        return self.left + (x - low) / (high - low) * (self.width - self.left - _RIGHT)

    def _up(self, y: float) -> float:
        bottom, top = self.y
        return _BOTTOM + (y - bottom) / (top - bottom) * (self.height - _TOP - _BOTTOM)

    def text(
        self, x: float, y: float, text: str, anchor: Anchor = "start", shade: str = INK, *, down: float = 0.0
    ) -> None:
        """Write at a place of the data, ``down`` units below it."""
        self.words.append(Words(self._across(x), self.height - self._up(y) + down, text, anchor, shade))

    def scale(self, low: float, high: float, base: float, figures: float, upright: bool = False) -> None:
        """Draw a line at ``base`` with its figures at ``figures``."""
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

    def drawn(self) -> Drawing:
        """Return what was drawn."""
        from matplotlib.backends.backend_svg import RendererSVG

        made = StringIO()
        said = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        renderer = RendererSVG(self.width, self.height, made, metadata=said)  # type: ignore[no-untyped-call]
        for line in self.lines:
            line.draw(renderer)
        renderer.finalize()  # type: ignore[no-untyped-call]
        return cleaned(made.getvalue(), self.words)
