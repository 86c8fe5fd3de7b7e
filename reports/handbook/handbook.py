"""The handbook, as plain values: what each metric measures, its axes, and its documented variants side by side.

It is the same for every audit: it tells the definition space, not what a library does in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from reference import formula_text
from reference.catalogue import Variant, of_metric
from reference.catalogue.bibliography import Citation
from reference.definitions.definition import Definition
from reference.metrics import METRICS
from reference.space.axis import Axis
from reports.handbook.mathml import mathml
from reports.wording.anchors import fragment
from reports.wording.labels import title

PARTS = {
    "formula": "Formula",
    "averaging": "From users to the one number",
    "edges": "Users for whom the formula says nothing",
    "order": "Order and input",
}
"""Parts of the definition space in the order of signatures."""


@dataclass(frozen=True)
class FormulaLine:
    """One line of a formula, for the page and for a terminal."""

    math: Markup
    text: str


@dataclass(frozen=True)
class Reference:
    """A citation: its words, the full title, and where it can be read (empty where nowhere on the web)."""

    text: str
    title: str
    link: str


@dataclass(frozen=True)
class Choice:
    """One value of an axis."""

    name: str
    meaning: str
    canonical: bool
    slug: str
    source: str


@dataclass(frozen=True)
class AxisEntry:
    """One axis that acts on a metric."""

    name: str
    meaning: str
    part: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class VariantEntry:
    """One documented variant: ``also`` are its further names; without ``references`` it is in use, but undocumented."""

    name: str
    also: tuple[str, ...]
    signature: str
    canonical: bool
    formula: tuple[FormulaLine, ...]
    averaging: tuple[FormulaLine, ...]
    differs: str
    references: tuple[Reference, ...]


@dataclass(frozen=True)
class Entry:
    """One metric."""

    anchor: str
    name: str
    title: str
    measures: str
    signature: str
    why: str
    formula: tuple[FormulaLine, ...]
    averaging: tuple[FormulaLine, ...]
    axes: tuple[AxisEntry, ...]
    variants: tuple[VariantEntry, ...]


@dataclass(frozen=True)
class Handbook:
    """The whole of it."""

    notation: tuple[tuple[str, str], ...]
    entries: tuple[Entry, ...]


@cache
def handbook() -> Handbook:
    """Return the handbook of all metrics."""
    return Handbook(formula_text.NOTATION, tuple(entry(name) for name in METRICS))


def shared_axes() -> tuple[AxisEntry, ...]:
    """Return the axes beside the formula, each once: averaging, edges, order."""
    found = {
        axis.name: _axis(axis, known.canonical[axis.name])
        for known in METRICS.values()
        for axis in known.all_axes
        if axis.part != "formula"
    }
    return tuple(found.values())


def entry(metric: str) -> Entry:
    """Return what the handbook says of one metric.

    Raises:
        KeyError: for a metric that is not known.
    """
    known, canonical = METRICS[metric], Definition.of(metric)
    return Entry(
        anchor=f"handbook-{fragment(metric)}",
        name=metric,
        title=title(metric),
        measures=formula_text.formula(canonical).measures,
        signature=canonical.signature(),
        why=known.why_canonical,
        formula=lines(formula_text.told(canonical)),
        averaging=lines(formula_text.averaging(canonical)),
        axes=tuple(_axis(axis, canonical.axes[axis.name]) for axis in known.all_axes),
        variants=tuple(_variant(variant) for variant in of_metric(metric)),
    )


def lines(told: tuple[formula_text.Told, ...]) -> tuple[FormulaLine, ...]:
    """Return formula lines with their MathML."""
    return tuple(FormulaLine(mathml(line.latex), line.text) for line in told)


def reference(citation: Citation) -> Reference:
    """Return a citation with the way to its text."""
    source = citation.source
    return Reference(str(citation), f"{source.title}. {source.place}", source.link)


def _axis(axis: Axis, canonical: str) -> AxisEntry:
    choices = tuple(
        Choice(value.name, value.meaning, value.name == canonical, value.slug or "", value.source or "")
        for value in axis.values
    )
    return AxisEntry(axis.name, axis.meaning, PARTS[axis.part], choices)


def _variant(variant: Variant) -> VariantEntry:
    definition = variant.definition
    return VariantEntry(
        name=variant.name,
        also=variant.names[1:],
        signature=variant.signature,
        canonical=not definition.differs_on,
        formula=lines(formula_text.told(definition)),
        averaging=lines(formula_text.averaging(definition)),
        differs=variant.differs,
        references=tuple(map(reference, variant.citations)),
    )
