"""Drawings as the page holds them: SVG without styles, ids and metadata; colours are classes of the style sheet.

A page holds hundreds of drawings. To keep it small, labels of one class share a group, and coordinates are whole units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup, escape

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
    grouped: dict[str, list[str]] = {}
    for label in labels:
        kind = label.shade + _ANCHOR_CLASSES[label.anchor]
        grouped.setdefault(kind, []).append(f'<text x="{label.x:.0f}" y="{label.y:.0f}">{escape(label.text)}</text>')
    return "".join(f'<g class="{kind}">{"".join(group)}</g>' for kind, group in grouped.items())


def _whole(point: Point) -> str:
    x, y = point
    return f"{x:.0f} {y:.0f}"
