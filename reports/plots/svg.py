"""matplotlib's SVG made fit for the page: no style, no id, no metadata; colours are classes of the style sheet.

A page holds hundreds of drawings. To keep it small, labels of one class share a group, and coordinates are whole units.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

from markupsafe import Markup, escape

from recsys_metric_audit.reports.wording.meaning_groups import HUES

INK, QUIET, CANONICAL, UNIDENTIFIED = "#010101", "#010102", "#010103", "#010104"
"""Colours to draw in; :func:`clean_svg` replaces each by a class of the style sheet."""
_HUES = tuple(f"#0102{number:02x}" for number in range(HUES))
_CLASSES = {INK: "ink", QUIET: "quiet", CANONICAL: "canon", UNIDENTIFIED: "sign"} | {
    shade: f"h{number}" for number, shade in enumerate(_HUES)
}
Anchor = Literal["start", "middle", "end"]
_ANCHOR_CLASSES: Mapping[Anchor, str] = {"start": "", "middle": " m", "end": " e"}
WIDTH = 0.8
"""Line width of the style sheet; only other widths are written out."""
_NAMESPACE = "{http://www.w3.org/2000/svg}"


def colour(hue: str) -> str:
    """Return the colour to draw in for a class of the page.

    Args:
        hue: ``h0``, ``h1``, ... for a variant; ``sign`` for values that were not identified; empty for canonical.
    """
    if hue == "sign":
        return UNIDENTIFIED
    return _HUES[int(hue[1:])] if hue else CANONICAL


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


def clean_svg(text: str, labels: Sequence[Label]) -> Drawing:
    """Return the paths of matplotlib's SVG ``text`` together with ``labels``."""
    root = ElementTree.fromstring(text)
    paths = (
        _path(element.attrib.get("d", ""), _style(element))
        for element in root.iter()
        if element.tag == f"{_NAMESPACE}path"
    )
    grouped: dict[str, list[str]] = {}
    for label in labels:
        kind = _CLASSES[label.shade] + _ANCHOR_CLASSES[label.anchor]
        grouped.setdefault(kind, []).append(f'<text x="{label.x:.0f}" y="{label.y:.0f}">{escape(label.text)}</text>')
    texts = (f'<g class="{kind}">{"".join(group)}</g>' for kind, group in grouped.items())
    return Drawing(root.attrib["viewBox"], Markup("".join((*paths, *texts))))


def _whole(number: str) -> str:
    return f"{float(number):.0f}"


def _style(element: ElementTree.Element) -> dict[str, str]:
    pairs = (part.partition(":") for part in element.attrib.get("style", "").split(";") if part.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}


def _path(coordinates: str, style: dict[str, str]) -> str:
    """Return a path with its class and its width; empty if it is invisible."""
    stroke = _CLASSES.get(style.get("stroke", ""))
    if stroke is None or not coordinates:
        return ""
    plain = re.sub(r"-?\d+\.\d+", lambda found: _whole(found[0]), " ".join(coordinates.split()))
    plain = re.sub(r"M (\S+ \S+) L \1(?= |$)", r"M\1h0", plain)
    plain = re.sub(r" ?([MLh]) ?", r"\1", plain)
    dots = " dot" if style.get("stroke-linecap") == "round" else ""
    wide = float(style.get("stroke-width", "1"))
    width = "" if wide == WIDTH and not dots else f' stroke-width="{wide:g}"'
    return f'<path d="{plain}" class="{stroke}{dots}"{width}/>'
