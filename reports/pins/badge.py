"""What a library means by a metric, short enough for a badge."""

from __future__ import annotations

from dataclasses import dataclass

from reference.definitions.definition import Definition, parse
from reports.pins.expectation import FunctionExpectation, VersionExpectation
from reports.wording.meanings import IDENTIFIED

# Hex values of the named colours of shields.io, so that both forms of the badge look alike.
_COLOURS = {"agrees": "#4c1", "variant": "#007ec6", "undocumented": "#fe7d37", "ambiguous": "#9f9f9f"}
_BROKEN = "#e05d44"

_WORDS = {
    ("gain", "binary"): "binary",
    ("ideal", "k"): "cut ideal",
    ("ideal", "all"): "full ideal",
    ("ideal", "none"): "no ideal",
}
"""Values that people call by another name than `value axis`."""


@dataclass(frozen=True)
class Badge:
    """Left and right half, and the colour of the right one."""

    label: str
    message: str
    colour: str


def default_function(expected: VersionExpectation, metric: str) -> FunctionExpectation | None:
    """Return what users get under that name by default: the first function that is there and has no option set."""
    named = {name: each for name, each in expected.functions.items() if each.metric == metric}
    there = [(name, each) for name, each in named.items() if each.status != "not_offered"]
    return min(there, key=lambda pair: "[" in pair[0])[1] if there else None


def badge(metric: str, found: FunctionExpectation | None) -> Badge:
    """Return the badge of one function, or of a library that offers none under that name."""
    if found is None:
        return Badge(metric, "not offered", _COLOURS["ambiguous"])
    if not found.definitions:
        return Badge(metric, found.words, _BROKEN)
    definition = parse(found.definitions[0])
    label = definition.metric if definition.k is None else f"{definition.metric}@{definition.k}"
    if found.verdict not in IDENTIFIED:
        return Badge(label, f"{len(found.definitions)} definitions fit", _COLOURS["ambiguous"])
    return Badge(label, _message(definition), _COLOURS[str(found.verdict)])


def _message(definition: Definition) -> str:
    """The formula in words, then how many other axes are not canonical: a badge has no room for their names."""
    moved = set(definition.differs_on)
    formula = [axis.name for axis in definition.family.axes]
    shown = [name for name in formula if name in moved or name in _SAID.get(definition.metric, ())]
    words = [_words(name, definition.axes[name]) for name in shown] or ["canonical formula"]
    edges = len(moved - set(formula))
    return ", ".join([*words, *([f"+{edges} edge{'s' if edges > 1 else ''}"] if edges else [])])


_SAID = {"ndcg": ("gain", "discount", "ideal")}
"""Axes that are named even where they are canonical: NDCG is known by these three, whatever they are."""


def _words(axis: str, value: str) -> str:
    if axis == "discount":
        return value.replace("_", " ")
    return _WORDS.get((axis, value)) or f"{value} {axis}".replace("_", " ")
