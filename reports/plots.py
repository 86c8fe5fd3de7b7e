"""Plots as static SVG: drawn by matplotlib, coloured by the page's style sheet, with the figures behind them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import StringIO
from typing import TYPE_CHECKING

from reports.plain import exact, one_line, rounded
from reports.result import Bin
from reports.svg import CANON, INK, QUIET, Drawing, cleaned, colour
from reports.words import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIZES = ((1, 2.6), (3, 4.2), (9, 6.2), (29, 8.6), (math.inf, 11.5))
"""Users up to which a dot has a width, in points."""


@dataclass(frozen=True)
class Plot:
    """A drawing with its title, what is to be seen, and the table of its figures."""

    title: str
    words: str
    drawing: Drawing
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Strip:
    """One row of a strip plot: its label, class of its colour, and who has which value."""

    label: str
    hue: str
    values: tuple[tuple[str, float], ...]


def strip(title: str, strips: Sequence[Strip], canonical: float | None) -> Plot | None:
    """Return all values on one axis, a row for each meaning; ``None`` where there is no finite value."""
    finite = [[value for _, value in each.values if math.isfinite(value)] for each in strips]
    if not any(finite):
        return None
    line = [canonical] if canonical is not None and math.isfinite(canonical) else []
    low, high = _around([*line, *(value for values in finite for value in values)])
    bottom = len(strips) - 0.4
    figure, axes = _blank(6.6, 0.62 + 0.27 * len(strips), 1.95)
    axes.set(xlim=(low, high), ylim=(bottom, -0.6))
    for x in line:
        axes.plot([x, x], [-0.6, bottom], color=QUIET, linewidth=0.8)
    for row, (each, values) in enumerate(zip(strips, finite, strict=True)):
        axes.plot([low, high], [row, row], color=QUIET, linewidth=0.3)
        axes.text(low - 0.015 * (high - low), row, each.label, ha="right", va="center", color=INK)
        _dots(axes, values, [row] * len(values), 8.0, colour(each.hue))
    _scale(axes, low, high, bottom, bottom + 0.25)
    rows = tuple((each.label, who, exact(value)) for each in strips for who, value in each.values)
    lost = sum(len(each.values) for each in strips) - sum(map(len, finite))
    words = "Each dot is one function" + (f"; the line is the canonical {rounded(line[0])}." if line else ".")
    unseen = f" {count(lost, 'value')} that cannot be drawn (nan or infinite): see the figures." if lost else ""
    return Plot(title, words + unseen, _svg(figure), ("meaning", "library and function", "value"), rows)


def scatter(title: str, bins: Sequence[Bin]) -> Plot:
    """Return the library's value of every user over the canonical one; what is no number is in the table only."""
    seen = [each for each in bins if math.isfinite(each.canonical) and math.isfinite(each.library)]
    ends = [value for each in seen for value in (each.canonical, each.library)]
    low, high = min(0.0, *ends, 0.0), max(ends, default=1.0) or 1.0
    figure, axes = _reused(3.7, 3.3, 0.62)
    axes.set(xlim=(low, high), ylim=(low, high))
    axes.plot([low, high], [low, high], color=QUIET, linewidth=0.8)
    least = 0.0
    for most, width in _SIZES:
        chosen = [each for each in seen if least < each.users <= most]
        _dots(axes, [e.canonical for e in chosen], [e.library for e in chosen], width, CANON)
        least = most
    room = high - low
    _scale(axes, low, high, low, low - 0.03 * room)
    _scale(axes, low, high, low, low - 0.03 * room, upright=True)
    axes.text(low + 0.5 * room, low - 0.16 * room, "canonical", ha="center", color=QUIET)
    axes.text(low - 0.17 * room, high + 0.05 * room, "library", color=QUIET)
    users = sum(each.users for each in bins)
    apart = sum(each.users for each in bins if not math.isclose(each.canonical, each.library, abs_tol=1e-9))
    words = f"{apart:,} of {count(users, 'user')} off the diagonal."
    return Plot(title, words, _svg(figure), ("canonical", "library (users)"), _by_canonical(bins))


def _by_canonical(bins: Sequence[Bin]) -> tuple[tuple[str, ...], ...]:
    """Return a row for each canonical value, with the library's values there and how many users have each."""
    found: dict[str, list[str]] = {}
    for each in bins:
        found.setdefault(f"{each.canonical:.4g}", []).append(f"{each.library:.4g} ({each.users:,})")
    return tuple((canonical, ", ".join(values)) for canonical, values in found.items())


def _dots(axes: Axes, xs: Sequence[float], ys: Sequence[float], width: float, shade: str) -> None:
    """Draw dots as one path of lines without length, whose round ends are what is seen: small, however many."""
    if xs:
        x = [part for value in xs for part in (value, value, math.nan)]
        y = [part for value in ys for part in (value, value, math.nan)]
        axes.plot(x, y, color=shade, linewidth=width, solid_capstyle="round", alpha=0.75)


def _around(values: Sequence[float]) -> tuple[float, float]:
    """Return the least and the greatest of ``values`` with some room on both sides."""
    low, high = min(values), max(values)
    room = (high - low) * 0.06 or abs(high) * 0.1 or 0.1
    return low - room, high + room


def _scale(axes: Axes, low: float, high: float, base: float, figures: float, upright: bool = False) -> None:
    """Draw a line at ``base`` with its figures at ``figures``: an axis of the library costs more than all dots."""
    from matplotlib.ticker import MaxNLocator

    line = ([low, high], [base, base])
    axes.plot(*(reversed(line) if upright else line), color=QUIET, linewidth=0.8)
    for tick in MaxNLocator(4).tick_values(low, high):
        if low <= tick <= high:
            text = f"{tick:.6g}".replace("-", "−")
            if upright:
                axes.text(figures, tick, text, ha="right", va="center", color=INK)
            else:
                axes.text(tick, figures, text, ha="center", va="top", color=INK)


def _blank(width: float, height: float, left: float) -> tuple[Figure, Axes]:
    """An empty figure of that size in inches, its axes ``left`` from the edge and without frame."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((left / width, 0.45 / height, (width - left - 0.15) / width, 1 - 0.7 / height))
    axes.set_axis_off()
    axes.set_autoscale_on(False)
    return figure, axes


_kept = cache(_blank)


def _reused(width: float, height: float, left: float) -> tuple[Figure, Axes]:
    """The same figure every time, emptied: making one costs more than drawing on it."""
    figure, axes = _kept(width, height, left)
    for artist in [*axes.lines, *axes.texts]:
        artist.remove()
    return figure, axes


def _svg(figure: Figure) -> Drawing:
    import matplotlib

    made = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "path.simplify": False, "font.size": 9}):
        for text in figure.axes[0].texts:
            text.set_parse_math(False)
            text.set_fontsize(9)
        figure.savefig(made, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return cleaned(made.getvalue())


def label(mark: str, words: str) -> str:
    """Return the label of a row: the mark of its meaning, and what it differs on, short enough to stand beside."""
    text = one_line(f"{mark}  {words}".strip())
    return text if len(text) <= 30 else text[:29] + "…"
