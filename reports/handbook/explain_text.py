"""Definitions, metrics and the catalogue as ``audit explain`` and ``audit definitions`` print them in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from rich.console import Console

from recsys_metric_audit.reference.catalogue import Variant
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reports.handbook.console_layout import (
    print_choices,
    print_heading,
    print_paragraph,
    print_table,
    print_term,
)
from recsys_metric_audit.reports.handbook.explanation import Explanation, explain
from recsys_metric_audit.reports.handbook.metric_entries import AxisEntry, VariantEntry, metric_entry


def show_definition(definition: Definition, console: Console) -> None:
    """Print one definition: its formula, its axes that are not canonical, sources, a worked example, equalities."""
    _show(explain(definition), console)


def explanation_text(explanation: Explanation) -> str:
    """Return what :func:`show_definition` prints, as wide as the terminal, without colours."""
    out = StringIO()
    _show(explanation, Console(file=out))
    return "\n".join(line.rstrip() for line in out.getvalue().strip("\n").split("\n"))


def _show(explanation: Explanation, console: Console) -> None:
    print_heading(console, explanation.signature)
    print_paragraph(console, f"{explanation.title}: {explanation.measures}")
    known = f"Known as {', '.join(explanation.names)}. " if explanation.names else ""
    differs = f" {explanation.differs}" if explanation.differs else ""
    print_paragraph(console, f"{known}It is {explanation.status}.{differs}")
    _show_formula(console, explanation)
    if explanation.non_canonical:
        print_heading(console, "Where it is not canonical")
        rows = [
            (f"{each.axis}:{each.value.name}", f"{each.about}: {each.value.meaning}", each.canonical)
            for each in explanation.non_canonical
        ]
        print_table(console, ("axis", "meaning", "canonical"), rows)
    _show_sources(console, explanation)
    _show_example(console, explanation)
    _show_equalities(console, explanation)


def show_metric(metric: str, console: Console) -> None:
    """Print one metric: its canonical definition, all values of its axes, its documented variants.

    Raises:
        KeyError: for a metric that is not known.
    """
    explanation, entry = explain(Definition.of(metric)), metric_entry(metric)
    print_heading(console, f"{entry.title} ({metric})")
    print_paragraph(console, entry.measures)
    print_paragraph(console, f"Canonical: {entry.signature}, {entry.why}.")
    _show_formula(console, explanation)
    _show_example(console, explanation)
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


def _show_formula(console: Console, explanation: Explanation) -> None:
    print_heading(console, "Formula")
    for line in explanation.formula:
        print_paragraph(console, line)
    print_paragraph(console, f"From users to the one number: {explanation.averaging}.")


def _show_sources(console: Console, explanation: Explanation) -> None:
    cited = [
        f"{each.axis}:{each.value.name}: {each.value.source}" for each in explanation.non_canonical if each.value.source
    ]
    if explanation.references or cited:
        print_heading(console, "Sources")
    for each in explanation.references:
        print_paragraph(console, f"{each.text}: {each.title}" + (f". {each.link}" if each.link else ""))
    for line in cited:
        print_paragraph(console, line)


def _show_example(console: Console, explanation: Explanation) -> None:
    worked = explanation.example
    print_heading(console, f"Worked example: {worked.signature}")
    print_paragraph(console, explanation.example_text)
    rows = [(str(row.rank), row.item, *row.cells) for row in worked.rows]
    if rows:
        print_table(console, ("rank", "item", *worked.columns), rows)
    for line in worked.lines:
        print_paragraph(console, line)


def _show_equalities(console: Console, explanation: Explanation) -> None:
    print_heading(console, "What else it equals")
    if explanation.simplified:
        print_paragraph(console, f"Written simpler, it is {explanation.simplified}.")
    if explanation.inactive:
        print_paragraph(console, f"These would change no result: {', '.join(explanation.inactive)}.")
    if explanation.equals:
        print_paragraph(console, f"On every probe case it has the value of {', '.join(explanation.equals)}.")
    if not (explanation.simplified or explanation.inactive or explanation.equals):
        print_paragraph(console, "Nothing that is documented.")


def _show_axis(console: Console, axis: AxisEntry) -> None:
    print_paragraph(console, f"{axis.name}: {axis.meaning}")
    by_canonical = sorted(axis.choices, key=lambda choice: not choice.canonical)
    print_choices(console, [(choice.name, choice.meaning) for choice in by_canonical])


def _show_variant(console: Console, variant: VariantEntry) -> None:
    cited = "; ".join(each.text for each in variant.references) or "in use; no text that we know states it"
    print_term(console, variant.signature, f"{variant.name}. {variant.differs or 'Canonical.'} [{cited}]")
