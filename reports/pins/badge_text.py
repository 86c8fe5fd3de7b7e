"""The badge of a library's metric: its words and colour, drawn as SVG by anybadge or as JSON for shields.io."""

from __future__ import annotations

import json
from dataclasses import dataclass

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation
from recsys_metric_audit.reports.wording.axis_words import value_meaning
from recsys_metric_audit.reports.wording.labels import metric_title

# Hex values of the named colours of shields.io, so that the SVG and the endpoint badge look alike.
_COLOURS = {"agrees": "#4c1", "variant": "#007ec6", "undocumented": "#fe7d37", "ambiguous": "#9f9f9f"}
_RED = "#e05d44"

_USUAL_NAMES = {
    ("gain", "exp2"): "gain 2^g − 1",
    ("ideal", "all"): "ideal not cut",
    ("ideal", "none"): "no ideal",
    ("ideal", "ones"): "ideal of ones",
    ("discount", "ln"): "natural logarithm",
    ("denominator", "k"): "divided by k",
    ("denominator", "r"): "divided by r",
    ("denominator", "min"): "divided by min(k, r)",
    ("denominator", "shown"): "divided by the items shown",
    ("pooling", "pooled"): "pooled over users",
    ("pooling", "weighted"): "weighted mean",
    ("mean", "geometric"): "geometric mean",
    ("mean", "harmonic"): "harmonic mean",
    ("cutoff", "none"): "not cut off",
}
"""Usual short names of axis values, where neither `value axis` nor the value's meaning is one."""

_LONGEST_MEANING = 20
"""Length up to which the meaning of a value stands in a badge beside the name of its axis."""


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
    """Return the badge of one function: its formula. With None, of a library that offers none for ``metric``."""
    if found is None:
        return Badge(metric_title(metric), "not offered", _COLOURS["ambiguous"])
    title = metric_title(metric)
    if not found.formulas:
        return Badge(title, found.words, _RED)
    formula = parse(found.formulas[0])
    title = metric_title(formula.metric)
    if found.verdict == "ambiguous":
        return Badge(title, f"{len(found.formulas)} formulas fit", _COLOURS["ambiguous"])
    return Badge(title, _message(formula), _COLOURS.get(str(found.verdict), _RED))


def _message(formula: Definition) -> str:
    words = [_value_in_words(formula.metric, name, formula.axes[name]) for name in formula.differs_on]
    return ", ".join(words) or "canonical formula"


def _value_in_words(metric: str, axis: str, value: str) -> str:
    """Return a value in few words: its usual name, else its meaning if that is short, else the name it has."""
    if usual := _USUAL_NAMES.get((axis, value)):
        return usual
    name, meaning = axis.replace("_", " "), value_meaning(metric, axis, value)
    return f"{name} {meaning}" if meaning and len(meaning) <= _LONGEST_MEANING else f"{name} {value.replace('_', ' ')}"


def as_svg(badge: Badge) -> str:
    """Return the badge as an SVG document."""
    import anybadge

    drawn = anybadge.Badge(badge.label, badge.message, default_color=badge.colour)
    return str(drawn.badge_svg_text).rstrip() + "\n"


def as_endpoint(badge: Badge) -> str:
    """Return the badge as JSON in version 1 of the endpoint schema (https://shields.io/badges/endpoint-badge)."""
    document = {"schemaVersion": 1, "label": badge.label, "message": badge.message, "color": badge.colour}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
