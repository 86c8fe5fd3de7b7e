"""The plots of the page: strips of values by formula, and scatters of the values of users."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import USERS_DRAWN, Bin, Finding, Result
from recsys_metric_audit.reports.plots.canvas import CANONICAL, MIDDLE, QUIET, Canvas, Drawing
from recsys_metric_audit.reports.wording.anchors import fragment
from recsys_metric_audit.reports.wording.formatting import exact, one_line, rounded, shortened
from recsys_metric_audit.reports.wording.formula_words import USUAL, formula_words
from recsys_metric_audit.reports.wording.labels import count, metric_title
from recsys_metric_audit.reports.wording.meanings import formula
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters, assign_letters, hue

_DOT_WIDTHS = ((1, 2.6), (3, 4.2), (9, 6.2), (29, 8.6), (math.inf, 11.5))
"""Pairs (most users of a dot, its width in units)."""


@dataclass(frozen=True)
class Plot:
    """A drawing with its title, its caption and the table of its figures."""

    title: str
    caption: str
    drawing: Drawing
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Strip:
    """One row of a strip plot: its label, the class of its colour (canonical if empty), and pairs (function, value)."""

    label: str
    hue: str
    values: tuple[tuple[str, float], ...]


def strip_plot(title: str, strips: Sequence[Strip], canonical: float | None) -> Plot | None:
    """Return a plot of all values of a metric on one axis, with a row for each formula.

    Args:
        title: Title of the plot.
        strips: The rows, from top to bottom.
        canonical: The canonical value, drawn as a line; None for no line.

    Returns:
        None if no value is finite.
    """
    finite = [[value for _, value in strip.values if math.isfinite(value)] for strip in strips]
    if not any(finite):
        return None
    line = [canonical] if canonical is not None and math.isfinite(canonical) else []
    every = [value for values in finite for value in values]
    seen = [value for value in every if 0 <= value <= 1] if line and 0 <= line[0] <= 1 else every
    low, high = _range_with_margin([*line, *seen])
    bottom = len(strips) - 0.4
    canvas = Canvas(475, 45 + 19.5 * len(strips), 140, (low, high), (bottom, -0.6))
    for x in line:
        canvas.line((x, x), (-0.6, bottom), QUIET)
    for row, (strip, values) in enumerate(zip(strips, finite, strict=True)):
        canvas.line((low, high), (row, row), QUIET, 0.3)
        canvas.text(low - 0.015 * (high - low), row, strip.label, "end", down=MIDDLE)
        inside = [x for x in values if low <= x <= high]
        canvas.dots(inside, [row] * len(inside), 8.0, strip.hue or CANONICAL)
        if beyond := list(dict.fromkeys(rounded(x) for x in values if not low <= x <= high)):
            canvas.text(high, row, f"{', '.join(beyond[:3])}{', …' * (len(beyond) > 3)} beyond", "end", down=MIDDLE)
    canvas.scale(low, high, bottom, bottom + 0.25)
    rows = tuple((strip.label, function, exact(value)) for strip in strips for function, value in strip.values)
    lost = sum(len(strip.values) for strip in strips) - sum(map(len, finite))
    caption = "Each dot is one function" + (f"; the line is the canonical {rounded(line[0])}." if line else ".")
    caption += " Values beyond 0 to 1 are written at the end of the row." * (len(seen) < len(every))
    undrawn = f" {count(lost, 'value')} that cannot be drawn (nan or infinite): see the figures." if lost else ""
    return Plot(title, caption + undrawn, canvas.to_drawing(), ("formula", "library and function", "value"), rows)


def scatter_plot(title: str, bins: Sequence[Bin], drawn: str = "") -> Plot:
    """Return a plot of the library's value of every user against the canonical one.

    Bins that are not finite stand in the table of figures only.

    Args:
        title: The title.
        bins: Number of users by canonical value and library's value.
        drawn: Which users the bins are of, in words, if not of all of them.
    """
    seen = [each for each in bins if math.isfinite(each.canonical) and math.isfinite(each.library)]
    ends = [value for each in seen for value in (each.canonical, each.library)]
    low, high = min(0.0, *ends, 0.0), max(ends, default=1.0) or 1.0
    canvas = Canvas(266, 238, 45, (low, high), (low, high))
    canvas.line((low, high), (low, high), QUIET)
    least = 0.0
    for most, width in _DOT_WIDTHS:
        chosen = [each for each in seen if least < each.users <= most]
        canvas.dots([e.canonical for e in chosen], [e.library for e in chosen], width, CANONICAL)
        least = most
    room = high - low
    canvas.scale(low, high, low, low - 0.03 * room)
    canvas.scale(low, high, low, low - 0.03 * room, upright=True)
    canvas.text(low + 0.5 * room, low - 0.16 * room, "canonical", "middle", QUIET)
    canvas.text(low - 0.17 * room, high + 0.05 * room, "library", shade=QUIET)
    users = sum(each.users for each in bins)
    apart = sum(each.users for each in bins if not math.isclose(each.canonical, each.library, abs_tol=1e-9))
    caption = f"{apart:,} of {count(users, 'user')} off the diagonal."
    caption += f" Users' values: {drawn}." if drawn else ""
    return Plot(title, caption, canvas.to_drawing(), ("canonical", "library (users)"), _rows_by_canonical(bins))


def _rows_by_canonical(bins: Sequence[Bin]) -> tuple[tuple[str, ...], ...]:
    """Return a row for each canonical value, with the library's values there and the number of users with each."""
    found = grouped((f"{each.canonical:.4g}", f"{each.library:.4g} ({each.users:,})") for each in bins)
    return tuple((canonical, ", ".join(values)) for canonical, values in found.items())


def _range_with_margin(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    # Figures have six digits: values that differ in later ones alone are drawn as equal.
    margin = (abs(high) * 0.1 or 0.1) if math.isclose(low, high, rel_tol=1e-5) else (high - low) * 0.06
    return low - margin, high + margin


def strip_label(mark: str, words: str) -> str:
    """Return the label of a row, at most 28 characters: the mark of its formula and its words."""
    return shortened(one_line(f"{mark}  {words}".strip()), 28)


def formula_strips(result: Result, metric: str, k: int | None, marks: VariantLetters) -> Plot | None:
    """Return the plot of all values of ``metric`` at ``k``, a line for each formula; None if no value is finite."""
    found = [each for each in result.findings if (each.metric, each.k) == (metric, k) and each.value is not None]
    groups = grouped((formula(each), each) for each in found)
    unidentified = groups.pop("", [])
    ordered = sorted(groups.values(), key=lambda group: _place(group[0], marks))
    strips = [_strip(group, marks, result) for group in ordered]
    if unidentified:
        strips.append(Strip("not identified", "sign", _values(unidentified, result)))
    canonical = next((row.value for row in result.reference if row.metric == metric and row.k in (k, None)), None)
    at = "" if k is None else f" at k = {k}"
    return strip_plot(f"{metric_title(metric)} of every function{at}", strips, canonical)


def _place(finding: Finding, marks: VariantLetters) -> tuple[bool, int, str]:
    """Return the sort key of a line: the canonical formula, then letters a, b, ... z, aa, ..."""
    mark = marks.mark(finding)
    return finding.verdict != "agrees", len(mark), mark


def _strip(group: Sequence[Finding], marks: VariantLetters, result: Result) -> Strip:
    first = group[0]
    mark = marks.mark(first)
    words = formula_words(first.metric, formula(first)) or ("canonical" if first.verdict == "agrees" else USUAL)
    return Strip(strip_label(mark, words), hue(mark), _values(group, result))


def _values(group: Sequence[Finding], result: Result) -> tuple[tuple[str, float], ...]:
    """Return pairs (library, versions and function; value): versions of a function with one value share a pair."""
    titles = {(entry.library, entry.version): one_line(entry.title) for entry in result.libraries}
    versions = grouped(
        ((titles.get((each.library, each.version), each.library), each.function, each.value), each.version)
        for each in group
    )
    return tuple(
        (f"{title} {', '.join(own)} {function}", value)
        for (title, function, value), own in versions.items()
        if value is not None
    )


_Key = tuple[str, int | None, tuple[Bin, ...], str]
"""Metric, cut-off, bins, and of which users they are; empty for all of them."""


@dataclass(frozen=True)
class Scatter:
    """A scatter plot on the page of its metric.

    Attributes:
        anchor: Anchor of the plot.
        shapes: Anchor of the drawing inside, so that other pages can use it.
        marks: Marks of the formulas that have this plot.
        plot: The plot.
    """

    anchor: str
    shapes: str
    marks: tuple[str, ...]
    plot: Plot


@dataclass(frozen=True)
class Scatters:
    """Every scatter plot of a result, by metric, cut-off and bins."""

    drawn: Mapping[_Key, Scatter]

    def of_finding(self, finding: Finding) -> Scatter:
        """Return the plot of a finding that has per-user values and is not canonical."""
        return self.drawn[_key(finding)]

    def of_metric(self, metric: str) -> tuple[Scatter, ...]:
        """Return the plots of a metric, in the order of its findings."""
        return tuple(plot for (name, *_), plot in self.drawn.items() if name == metric)


def draw_scatters(result: Result) -> Scatters:
    """Return the scatter plots of all findings that are not canonical."""
    marks, found = assign_letters(result), dict[_Key, dict[str, None]]()
    for finding in result.findings:
        if finding.scatter and finding.verdict != "agrees":
            found.setdefault(_key(finding), {})[marks.mark(finding)] = None
    return Scatters({key: _draw(number, key, tuple(shared)) for number, (key, shared) in enumerate(found.items(), 1)})


def _key(finding: Finding) -> _Key:
    return (finding.metric, finding.k, finding.scatter, finding.evidence.range.get(USERS_DRAWN, ""))


def _draw(number: int, key: _Key, marks: tuple[str, ...]) -> Scatter:
    metric, k, bins, drawn = key
    at = "" if k is None else f" at k = {k}"
    return Scatter(
        anchor=fragment("scatter", metric, str(number)),
        shapes=f"drawn-{number}",
        marks=marks,
        plot=scatter_plot(f"{metric_title(metric)} of {'each user drawn' if drawn else 'every user'}{at}", bins, drawn),
    )
