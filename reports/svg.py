"""matplotlib's SVG made fit for the page: no style, no id, no metadata; colours are classes of the style sheet.

A page holds hundreds of drawings, so what many shapes share is said once: texts of one kind stand in a group, and
places are whole pixels.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from markupsafe import Markup

from reports.groups import HUES

INK, QUIET, CANON, SIGN = "#010101", "#010102", "#010103", "#010104"
_HUES = tuple(f"#0102{number:02x}" for number in range(HUES))
_CLASSES = {INK: "ink", QUIET: "quiet", CANON: "canon", SIGN: "sign"} | {
    shade: f"h{number}" for number, shade in enumerate(_HUES)
}
_ANCHORS = {"end": " e", "middle": " m"}
_WIDTH = 0.8
"""Width of a line that the style sheet gives; others are said."""
_SPACE = "{http://www.w3.org/2000/svg}"


def colour(hue: str) -> str:
    """Return the colour to draw in for the class ``hue``; canonical without one, ``sign`` for what has no letter."""
    if hue == "sign":
        return SIGN
    return _HUES[int(hue[1:])] if hue else CANON


@dataclass(frozen=True)
class Drawing:
    """The inside of an ``svg`` element, and its ``viewBox``."""

    box: str
    shapes: Markup


def cleaned(text: str) -> Drawing:
    """Return the drawing in ``text``, to stand in a page.

    Everything in it comes from the plotting library: paths, and texts that are escaped again on writing.
    """
    root = ElementTree.fromstring(text)
    shapes = "".join(_shapes(root))
    return Drawing(root.attrib["viewBox"], Markup(shapes))


def _shapes(parent: ElementTree.Element) -> list[str]:
    """Return the paths below ``parent``, then its texts; groups are needed by nothing that is drawn."""
    paths, texts = [], dict[str, list[str]]()
    for element in parent.iter():
        name = element.tag.removeprefix(_SPACE)
        given = _style(element)
        if name == "path" and (drawn := _path(element.attrib.get("d", ""), given)):
            paths.append(drawn)
        elif name == "text":
            kind = _CLASSES.get(given.get("fill", INK), "ink") + _ANCHORS.get(given.get("text-anchor", ""), "")
            texts.setdefault(kind, []).append(_text(element))
    return [*paths, *(f'<g class="{kind}">{"".join(same)}</g>' for kind, same in texts.items())]


def _text(element: ElementTree.Element) -> str:
    made = ElementTree.Element("text", {place: _whole(element.attrib[place]) for place in ("x", "y")})
    made.text = element.text
    return ElementTree.tostring(made, encoding="unicode")


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
    width = "" if wide == _WIDTH and not dots else f' stroke-width="{wide:g}"'
    return f'<path d="{plain}" class="{stroke}{dots}"{width}/>'
