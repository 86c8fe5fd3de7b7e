"""matplotlib's SVG made fit for the page: no style, no id, no metadata; colours are classes of the style sheet."""

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
_KEPT = ("stroke-width", "stroke-linecap", "text-anchor", "fill-opacity", "stroke-opacity")
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
    """Return the paths and texts below ``parent``; groups are needed by nothing that is drawn."""
    found = []
    for element in parent.iter():
        name = element.tag.removeprefix(_SPACE)
        if name not in ("path", "text"):
            continue
        attributes: dict[str, str] = {
            key: element.attrib[key] for key in ("d", "x", "y", "transform") if key in element.attrib
        }
        given = _style(element)
        if name == "text":
            attributes.update({key: given[key] for key in _KEPT if key in given})
            attributes["class"] = _CLASSES.get(given.get("fill", INK), "ink")
        elif not _draw(attributes, given):
            continue
        if "transform" in attributes and _UPRIGHT.match(attributes["transform"]):
            del attributes["transform"]
        for place in ("x", "y"):
            if place in attributes:
                attributes[place] = f"{float(attributes[place]):.1f}"
        made = ElementTree.Element(name, attributes)
        made.text = element.text if name == "text" else None
        found.append(ElementTree.tostring(made, encoding="unicode"))
    return found


_UPRIGHT = re.compile(r"rotate\(-?0 ")


def _tenth(found: re.Match[str]) -> str:
    return f"{float(found[0]):.1f}".removesuffix(".0")


def _style(element: ElementTree.Element) -> dict[str, str]:
    pairs = (part.partition(":") for part in element.attrib.get("style", "").split(";") if part.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}


def _draw(attributes: dict[str, str], given: dict[str, str]) -> bool:
    """Add to a path its class and what else it needs; False for one that is not seen."""
    stroke = _CLASSES.get(given.get("stroke", ""))
    if stroke is None or not attributes.get("d"):
        return False
    plain = re.sub(r"-?\d+\.\d+", _tenth, " ".join(attributes["d"].split()))
    attributes["d"] = re.sub(r"M (\S+ \S+) L \1(?= |$)", r"M\1h0", plain)
    attributes.update({key: given[key] for key in _KEPT if key in given})
    attributes["class"] = stroke
    return True
