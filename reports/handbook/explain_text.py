"""The handbook on a terminal: explanations, the list of definitions, and how to choose a metric."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from recsys_metric_audit.reference.catalogue import Variant, variants_of
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.formula_text import formula_lines
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.handbook.choosing import QUESTIONS, SOURCE, Figure, figures
from recsys_metric_audit.reports.handbook.explanation import (
    explain,
    print_choices,
    print_heading,
    print_paragraph,
    print_term,
)
from recsys_metric_audit.reports.handbook.metric_entries import Reference, reference_of
from recsys_metric_audit.reports.wording.labels import metric_title


def show_metric(metric: str, console: Console) -> None:
    """Print one metric: its canonical definition, all values of its axes, its documented variants.

    Raises:
        KeyError: for a metric that is not known.
    """
    explanation, variants = explain(Definition.of(metric)), variants_of(metric)
    print_heading(console, f"{metric_title(metric)} ({metric})")
    print_paragraph(console, explanation.measures)
    print_paragraph(console, f"Canonical: {explanation.signature}, {explanation.why}.")
    explanation.print_formula(console)
    explanation.print_example(console)
    print_heading(console, "Axes and their values, the canonical one first")
    for axis in FAMILIES[metric].all_axes:
        print_paragraph(console, f"{axis.name}: {axis.meaning}")
        canonical_first = sorted(axis.values, key=lambda each: each.name != FAMILIES[metric].canonical[axis.name])
        print_choices(console, [(value.name, value.meaning) for value in canonical_first])
    print_heading(console, "Documented variants")
    for variant in variants:
        cited = "; ".join(map(str, variant.citations)) or "in use; no text that we know states it"
        print_term(console, variant.signature, f"{variant.name}. {variant.differs or 'Canonical.'} [{cited}]")
    if not variants:
        print_paragraph(console, "none beside the canonical one")
    subject = variants[-1].signature if variants else metric
    print_paragraph(console, f"One of them in full: audit explain '{subject}'")


def show_list(variants: Sequence[Variant], console: Console) -> None:
    """Print documented variants under a heading for each metric."""
    metric = ""
    for variant in variants:
        if variant.definition.metric != metric:
            metric = variant.definition.metric
            print_heading(console, metric)
        print_term(console, variant.signature, f"{variant.name}. {variant.differs or 'Canonical.'} [{variant.source}]")


def as_json(variants: Sequence[Variant]) -> str:
    """Return the variants as a JSON list of objects.

    Each has its signature in short and with every axis, its formula as text and as LaTeX, its names and sources.
    """
    return json.dumps([_entry(variant) for variant in variants], indent=1, ensure_ascii=False)


def _entry(variant: Variant) -> dict[str, Any]:
    definition = variant.definition
    return {
        "signature": variant.signature,
        "long": definition.signature(long=True),
        "metric": definition.metric,
        "names": variant.names,
        "canonical": not definition.differs_on,
        "differs_on": definition.differs_on,
        "classes": definition.classes,
        "differs": variant.differs,
        "formula": [line.text for line in formula_lines(definition)],
        "latex": [line.latex for line in formula_lines(definition)],
        "sources": [asdict(reference_of(citation)) for citation in variant.citations],
    }


def as_markdown(variants: Sequence[Variant]) -> str:
    """Return the variants as a Markdown table: signature, name, when it differs, who states it."""
    rows = [
        (f"`{variant.signature}`".replace("|", "\\|"), variant.name, variant.differs or "canonical", _cited(variant))
        for variant in variants
    ]
    lines = ["| signature | name | differs | stated by |", "|---|---|---|---|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _cited(variant: Variant) -> str:
    return "; ".join(_linked(reference_of(citation)) for citation in variant.citations) or "in use, stated nowhere"


def _linked(reference: Reference) -> str:
    return f"[{reference.text}]({reference.link})" if reference.link else reference.text


def show_choosing(console: Console) -> None:
    """Print the questions to answer before choosing a metric, and the figures as tables."""
    print_heading(console, "Choosing a metric")
    print_paragraph(console, f"The questions are those of {SOURCE}: {SOURCE.source.title}. The numbers are ours.")
    for number, asked in enumerate(QUESTIONS, 1):
        print_heading(console, f"{number}. {asked.question}")
        print_paragraph(console, asked.answer)
        print_paragraph(console, f"Look at: {', '.join(asked.metrics)}")
    for figure in figures():
        _show_figure(figure, console)


def _show_figure(figure: Figure, console: Console) -> None:
    print_heading(console, figure.title)
    print_paragraph(console, f"{figure.note} {figure.lesson}")
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("")
    table.add_column("list")
    for name in figure.heads:
        table.add_column(name, justify="right", no_wrap=True)
    for row in figure.rows:
        table.add_row(row.label, row.picture, *row.shown)
    console.print(Padding(table, (0, 0, 0, 2), expand=False))
