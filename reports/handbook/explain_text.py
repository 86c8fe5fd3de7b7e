"""Metrics and the catalogue as ``audit explain`` and ``audit definitions`` print them in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from recsys_metric_audit.reference.catalogue import Variant
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reports.handbook.console_layout import (
    print_choices,
    print_heading,
    print_paragraph,
    print_term,
)
from recsys_metric_audit.reports.handbook.explanation import explain
from recsys_metric_audit.reports.handbook.metric_entries import AxisEntry, VariantEntry, metric_entry


def show_metric(metric: str, console: Console) -> None:
    """Print one metric: its canonical definition, all values of its axes, its documented variants.

    Raises:
        KeyError: for a metric that is not known.
    """
    explanation, entry = explain(Definition.of(metric)), metric_entry(metric)
    print_heading(console, f"{entry.title} ({metric})")
    print_paragraph(console, entry.measures)
    print_paragraph(console, f"Canonical: {entry.signature}, {entry.why}.")
    explanation.print_formula(console)
    explanation.print_example(console)
    print_heading(console, "Axes and their values, the canonical one first")
    for axis in entry.axes:
        _show_axis(console, axis)
    print_heading(console, "Documented variants")
    for variant in entry.variants:
        _show_variant(console, variant)
    if not entry.variants:
        print_paragraph(console, "none beside the canonical one")
    subject = entry.variants[-1].signature if entry.variants else metric
    print_paragraph(console, f"One of them in full: audit explain '{subject}'")


def show_list(variants: Sequence[Variant], console: Console) -> None:
    """Print documented variants under a heading for each metric."""
    metric = ""
    for variant in variants:
        if variant.definition.metric != metric:
            metric = variant.definition.metric
            print_heading(console, metric)
        print_term(console, variant.signature, f"{variant.name}. {variant.differs or 'Canonical.'} [{variant.source}]")


def _show_axis(console: Console, axis: AxisEntry) -> None:
    print_paragraph(console, f"{axis.name}: {axis.meaning}")
    by_canonical = sorted(axis.choices, key=lambda choice: not choice.canonical)
    print_choices(console, [(choice.name, choice.meaning) for choice in by_canonical])


def _show_variant(console: Console, variant: VariantEntry) -> None:
    cited = "; ".join(each.text for each in variant.references) or "in use; no text that we know states it"
    print_term(console, variant.signature, f"{variant.name}. {variant.differs or 'Canonical.'} [{cited}]")
