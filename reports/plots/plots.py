"""Plots as static SVG: drawn by matplotlib, coloured by the page's style sheet, with the figures behind them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from reports.model.result import Bin
from reports.plots.canvas import MIDDLE, Canvas
from reports.plots.svg import CANON, QUIET, Drawing, colour
from reports.wording.formatting import exact, one_line, rounded
from reports.wording.labels import count

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
    canvas = Canvas(475, 45 + 19.5 * len(strips), 140, (low, high), (bottom, -0.6))
    for x in line:
        canvas.line((x, x), (-0.6, bottom), QUIET)
    for row, (each, values) in enumerate(zip(strips, finite, strict=True)):
        canvas.line((low, high), (row, row), QUIET, 0.3)
        canvas.text(low - 0.015 * (high - low), row, each.label, "end", down=MIDDLE)
        canvas.dots(values, [row] * len(values), 8.0, colour(each.hue))
    canvas.scale(low, high, bottom, bottom + 0.25)
    rows = tuple((each.label, who, exact(value)) for each in strips for who, value in each.values)
    lost = sum(len(each.values) for each in strips) - sum(map(len, finite))
    words = "Each dot is one function" + (f"; the line is the canonical {rounded(line[0])}." if line else ".")
    unseen = f" {count(lost, 'value')} that cannot be drawn (nan or infinite): see the figures." if lost else ""
    return Plot(title, words + unseen, canvas.drawn(), ("meaning", "library and function", "value"), rows)


def scatter(title: str, bins: Sequence[Bin]) -> Plot:
    """Return the library's value of every user over the canonical one; what is no number is in the table only."""
    seen = [each for each in bins if math.isfinite(each.canonical) and math.isfinite(each.library)]
    ends = [value for each in seen for value in (each.canonical, each.library)]
    low, high = min(0.0, *ends, 0.0), max(ends, default=1.0) or 1.0
    canvas = Canvas(266, 238, 45, (low, high), (low, high))
    canvas.line((low, high), (low, high), QUIET)
    least = 0.0
    for most, width in _SIZES:
        chosen = [each for each in seen if least < each.users <= most]
        canvas.dots([e.canonical for e in chosen], [e.library for e in chosen], width, CANON)
        least = most
    room = high - low
    canvas.scale(low, high, low, low - 0.03 * room)
    canvas.scale(low, high, low, low - 0.03 * room, upright=True)
    canvas.text(low + 0.5 * room, low - 0.16 * room, "canonical", "middle", QUIET)
    canvas.text(low - 0.17 * room, high + 0.05 * room, "library", shade=QUIET)
    users = sum(each.users for each in bins)
    apart = sum(each.users for each in bins if not math.isclose(each.canonical, each.library, abs_tol=1e-9))
    words = f"{apart:,} of {count(users, 'user')} off the diagonal."
    return Plot(title, words, canvas.drawn(), ("canonical", "library (users)"), _by_canonical(bins))


def _by_canonical(bins: Sequence[Bin]) -> tuple[tuple[str, ...], ...]:
    """Return a row for each canonical value, with the library's values there and how many users have each."""
    found: dict[str, list[str]] = {}
    for each in bins:
        found.setdefault(f"{each.canonical:.4g}", []).append(f"{each.library:.4g} ({each.users:,})")
    return tuple((canonical, ", ".join(values)) for canonical, values in found.items())


def _around(values: Sequence[float]) -> tuple[float, float]:
    """Return the least and the greatest of ``values`` with some room on both sides."""
    low, high = min(values), max(values)
    room = (high - low) * 0.06 or abs(high) * 0.1 or 0.1
    return low - room, high + room


def label(mark: str, words: str) -> str:
    """Return the label of a row: the mark of its meaning, and what it differs on, short enough to stand beside."""
    text = one_line(f"{mark}  {words}".strip())
    return text if len(text) <= 30 else text[:29] + "…"
