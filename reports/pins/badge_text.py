"""Badges: what a library means by a metric, short enough for a README."""

from __future__ import annotations

from dataclasses import dataclass

from reference.definitions.definition import Definition, parse
from reports.pins.expectation import FunctionExpectation, VersionExpectation
from reports.wording.meanings import IDENTIFIED

# Hex values of the named colours of shields.io, so that the SVG and the endpoint badge look alike.
_COLOURS = {"agrees": "#4c1", "variant": "#007ec6", "undocumented": "#fe7d37", "ambiguous": "#9f9f9f"}
_RED = "#e05d44"

_USUAL_NAMES = {
    ("gain", "binary"): "binary",
    ("ideal", "k"): "cut ideal",
    ("ideal", "all"): "full ideal",
    ("ideal", "none"): "no ideal",
}
"""Usual names of axis values, where they are not `value axis`."""


@dataclass(frozen=True)
class Badge:
    """A badge: the text of its left half, and the text and colour of its right half."""

    label: str
    message: str
    colour: str


def default_function(expected: VersionExpectation, metric: str) -> FunctionExpectation | None:
    """Return the function that users get by default for ``metric``, or None if the library offers none.

    It is the first offered function without options (``[``), or else the first offered one.
    """
    named = {name: each for name, each in expected.functions.items() if each.metric == metric}
    offered = [(name, each) for name, each in named.items() if each.status != "not_offered"]
    return min(offered, key=lambda pair: "[" in pair[0])[1] if offered else None


def badge(metric: str, found: FunctionExpectation | None) -> Badge:
    """Return the badge of one function; with None, of a library that offers none for ``metric``."""
    if found is None:
        return Badge(metric, "not offered", _COLOURS["ambiguous"])
    if not found.definitions:
        return Badge(metric, found.words, _RED)
    definition = parse(found.definitions[0])
    label = definition.metric if definition.k is None else f"{definition.metric}@{definition.k}"
    if found.verdict not in IDENTIFIED:
        return Badge(label, f"{len(found.definitions)} definitions fit", _COLOURS["ambiguous"])
    return Badge(label, _message(definition), _COLOURS[str(found.verdict)])


def _message(definition: Definition) -> str:
    """Return the formula in words, then the number of other axes that are not canonical: there is no room for names."""
    moved = set(definition.differs_on)
    formula = [axis.name for axis in definition.family.axes]
    shown = [name for name in formula if name in moved or name in _ALWAYS_SHOWN.get(definition.metric, ())]
    words = [_value_in_words(name, definition.axes[name]) for name in shown] or ["canonical formula"]
    edges = len(moved - set(formula))
    return ", ".join([*words, *([f"+{edges} edge{'s' if edges > 1 else ''}"] if edges else [])])


_ALWAYS_SHOWN = {"ndcg": ("gain", "discount", "ideal")}
"""Axes that are shown even if they are canonical: an NDCG is usually described by these three."""


def _value_in_words(axis: str, value: str) -> str:
    if axis == "discount":
        return value.replace("_", " ")
    return _USUAL_NAMES.get((axis, value)) or f"{value} {axis}".replace("_", " ")
