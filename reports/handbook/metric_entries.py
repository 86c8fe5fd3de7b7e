"""The handbook's entry of each metric: what it measures, its formula as MathML, its axes and documented variants."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from recsys_metric_audit.reference.catalogue import Variant, variants_of
from recsys_metric_audit.reference.catalogue.bibliography import Citation
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.formula_text import FormulaLine, averaging_lines, formula_lines, template_of
from recsys_metric_audit.reference.metrics import FAMILIES, METRICS
from recsys_metric_audit.reference.space.axis import Axis
from recsys_metric_audit.reports.wording.anchors import fragment
from recsys_metric_audit.reports.wording.labels import metric_title


@cache  # 200 formulas stand in 1,400 places of the page: saves 0.9 of 4.4 seconds
def mathml(latex: str, *, block: bool = True) -> Markup:
    """Return a LaTeX formula as a ``<math>`` element, on a line of its own if ``block``.

    The result is marked as safe HTML: ``latex`` must be our own text, never that of a user.
    """
    from latex2mathml.converter import convert

    made = convert(latex, display="block" if block else "inline").replace(
        ' xmlns="http://www.w3.org/1998/Math/MathML"', ""
    )
    return Markup(re.sub(r"&#x([0-9A-F]+);", _unescaped, made))


def _unescaped(found: re.Match[str]) -> str:
    """Return the character of a numeric reference, which is longer, unless it is one of the markup characters."""
    char = chr(int(found[1], 16))
    return found[0] if char in "<>&\"'" else char


PARTS = {
    "formula": "Formula",
    "averaging": "From users to the one number",
    "edges": "Users for whom the formula says nothing",
    "order": "Order and input",
}
"""Headings of the parts of the definition space, in the order of signatures."""


@dataclass(frozen=True)
class RenderedLine:
    """One line of a formula: MathML for the page, plain text for a terminal."""

    math: Markup
    text: str


@dataclass(frozen=True)
class Reference:
    """A citation in short, the full title of its source, and its web address (empty without one)."""

    text: str
    title: str
    link: str


@dataclass(frozen=True)
class Choice:
    """One value of an axis; ``slug`` is the class of difference that it causes (empty for the canonical value)."""

    name: str
    meaning: str
    canonical: bool
    slug: str
    source: str


@dataclass(frozen=True)
class AxisEntry:
    """One axis that acts on a metric; ``part`` is one of the headings in ``PARTS``."""

    name: str
    meaning: str
    part: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class VariantEntry:
    """One documented variant.

    ``also`` are its names beside the usual one. A variant without ``references`` is in use, but undocumented.
    """

    name: str
    also: tuple[str, ...]
    signature: str
    canonical: bool
    formula: tuple[RenderedLine, ...]
    averaging: tuple[RenderedLine, ...]
    differs: str
    references: tuple[Reference, ...]


@dataclass(frozen=True)
class MetricEntry:
    """One metric: its canonical definition with ``why`` it is canonical, its axes, its documented variants."""

    anchor: str
    name: str
    title: str
    measures: str
    signature: str
    why: str
    formula: tuple[RenderedLine, ...]
    averaging: tuple[RenderedLine, ...]
    axes: tuple[AxisEntry, ...]
    variants: tuple[VariantEntry, ...]


def metric_entry(metric: str) -> MetricEntry:
    """Return the entry of one metric.

    Raises:
        KeyError: for a metric that is not known.
    """
    known, canonical = FAMILIES[metric], Definition.of(metric)
    return MetricEntry(
        anchor=f"handbook-{fragment(metric)}",
        name=metric,
        title=metric_title(metric),
        measures=template_of(canonical).measures,
        signature=canonical.signature(),
        why=known.why_canonical,
        formula=render(formula_lines(canonical)),
        averaging=render(averaging_lines(canonical)),
        axes=tuple(_axis_entry(axis, canonical.axes[axis.name]) for axis in known.all_axes),
        variants=tuple(_variant_entry(variant) for variant in variants_of(metric)),
    )


def shared_axes() -> tuple[AxisEntry, ...]:
    """Return the axes that are not part of a formula (averaging, edges, order), each once."""
    found = {
        axis.name: _axis_entry(axis, known.canonical[axis.name])
        for known in METRICS.values()
        for axis in known.all_axes
        if axis.part != "formula"
    }
    return tuple(found.values())


def render(lines: tuple[FormulaLine, ...]) -> tuple[RenderedLine, ...]:
    """Return the lines of a formula with their LaTeX as MathML."""
    return tuple(RenderedLine(mathml(line.latex), line.text) for line in lines)


def reference_of(citation: Citation) -> Reference:
    """Return a citation with the title and address of its source."""
    source = citation.source
    return Reference(str(citation), f"{source.title}. {source.place}", source.link)


def _axis_entry(axis: Axis, canonical: str) -> AxisEntry:
    choices = tuple(
        Choice(value.name, value.meaning, value.name == canonical, value.slug or "", value.source or "")
        for value in axis.values
    )
    return AxisEntry(axis.name, axis.meaning, PARTS[axis.part], choices)


def _variant_entry(variant: Variant) -> VariantEntry:
    definition = variant.definition
    return VariantEntry(
        name=variant.name,
        also=variant.names[1:],
        signature=variant.signature,
        canonical=not definition.differs_on,
        formula=render(formula_lines(definition)),
        averaging=render(averaging_lines(definition)),
        differs=variant.differs,
        references=tuple(map(reference_of, variant.citations)),
    )
