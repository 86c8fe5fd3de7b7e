"""matplotlib's SVG made fit for the page: no style, no id, no metadata; colours are classes of the style sheet.

A page holds hundreds of drawings, so what many shapes share is said once: texts of one kind stand in a group, and
places are whole units.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

from markupsafe import Markup, escape

from reports.wording.meaning_groups import HUES

INK, QUIET, CANON, SIGN = "#010101", "#010102", "#010103", "#010104"
_HUES = tuple(f"#0102{number:02x}" for number in range(HUES))
_CLASSES = {INK: "ink", QUIET: "quiet", CANON: "canon", SIGN: "sign"} | {
    shade: f"h{number}" for number, shade in enumerate(_HUES)
}
Anchor = Literal["start", "middle", "end"]
_ANCHORS: Mapping[Anchor, str] = {"start": "", "middle": " m", "end": " e"}
WIDTH = 0.8
"""Width of a line that the style sheet gives; others are said."""
_SPACE = "{http://www.w3.org/2000/svg}"


def colour(hue: str) -> str:
    """Return the colour to draw in for the class ``hue``; canonical without one, ``sign`` for what has no letter."""
    if hue == "sign":
        return SIGN
    return _HUES[int(hue[1:])] if hue else CANON


@dataclass(frozen=True)
class Words:
    """A text in a drawing, at the units of its ``viewBox``."""

    x: float
    y: float
    text: str
    anchor: Anchor
    shade: str


@dataclass(frozen=True)
class Drawing:
    """The inside of an ``svg`` element, and its ``viewBox``."""

    box: str
    shapes: Markup


def cleaned(text: str, words: Sequence[Words]) -> Drawing:
    """Return the paths of the drawing in ``text`` with ``words`` beside them, to stand in a page."""
    root = ElementTree.fromstring(text)
    paths = (
        _path(element.attrib.get("d", ""), _style(element)) for element in root.iter() if element.tag == f"{_SPACE}path"
    )
    grouped: dict[str, list[str]] = {}
    for each in words:
        kind = _CLASSES[each.shade] + _ANCHORS[each.anchor]
        grouped.setdefault(kind, []).append(f'<text x="{each.x:.0f}" y="{each.y:.0f}">{escape(each.text)}</text>')
    texts = (f'<g class="{kind}">{"".join(same)}</g>' for kind, same in grouped.items())
    return Drawing(root.attrib["viewBox"], Markup("".join((*paths, *texts))))


def _whole(number: str) -> str:
    return f"{float(number):.0f}"


def _style(element: ElementTree.Element) -> dict[str, str]:
    pairs = (part.partition(":") for part in element.attrib.get("style", "").split(";") if part.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}


def _path(places: str, given: dict[str, str]) -> str:
    """Return a path with its class and its width; empty for one that is not seen."""
    stroke = _CLASSES.get(given.get("stroke", ""))
    if stroke is None or not places:
        return ""
    plain = re.sub(r"-?\d+\.\d+", lambda found: _whole(found[0]), " ".join(places.split()))
    plain = re.sub(r"M (\S+ \S+) L \1(?= |$)", r"M\1h0", plain)
    plain = re.sub(r" ?([MLh]) ?", r"\1", plain)
    dots = " dot" if given.get("stroke-linecap") == "round" else ""
    wide = float(given.get("stroke-width", "1"))
    width = "" if wide == WIDTH and not dots else f' stroke-width="{wide:g}"'
    return f'<path d="{plain}" class="{stroke}{dots}"{width}/>'
