"""Writes the page of signatures: grammar, how other tools write formulas, every axis and value with its address.

Run by ``python -m recsys_metric_audit.audit.pins.signature_page``, a part of ``make docs``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recsys_metric_audit.audit.pins.notation import notations, write_formula
from recsys_metric_audit.reference.catalogue import CATALOGUE
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.axis import Axis
from recsys_metric_audit.reports.model.atomic_write import write_file
from recsys_metric_audit.reports.renderers.markdown import fill_template

PAGE = Path(__file__).resolve().parents[2] / "docs" / "signatures.md"


def signature_page() -> str:
    """Return the page as Markdown."""
    every = list(notations().values())
    formulas = {formula_of(each).signature(): formula_of(each) for each in _documented()}
    calls = {
        text: [[call.text for call in write_formula(each, notation)] for notation in every]
        for text, each in formulas.items()
    }
    return fill_template(
        "signatures.md.j2",
        titles=[each.title for each in every],
        written=[(text, own) for text, own in calls.items() if any(own)],
        nowhere=[text for text, own in calls.items() if not any(own)],
        metrics=list(_metrics()),
    )


def _documented() -> Iterator[Definition]:
    """Yield the canonical definition of each metric that reads relevance, and the documented ones."""
    for metric, family in FAMILIES.items():
        if family.reads == "relevance":
            yield Definition.of(metric)
            yield from (each.definition for each in CATALOGUE if each.definition.metric == metric)


def _metrics() -> Iterator[dict[str, Any]]:
    """Yield each metric with its axes; an axis that an earlier metric has word for word refers to it."""
    first = dict[tuple[object, ...], str]()
    for name, family in FAMILIES.items():
        axes = []
        for axis in family.all_axes:
            canonical = family.canonical[axis.name]
            of = first.setdefault((axis, canonical), name)
            axes.append({
                "name": axis.name, "meaning": axis.meaning, "of": of if of != name else "", "numbers": _numbers(axis),
                "choices": [(each.name, each.meaning, each.name == canonical) for each in axis.values],
            })  # fmt: skip
        yield {"name": name, "title": family.title, "axes": axes}


def _numbers(axis: Axis) -> str:
    """Return between which numbers a number is a value of an axis; empty if none is."""
    if axis.numeric is None:
        return ""
    if axis.part != "formula":  # what is found depends on the gains and lists that were asked
        return f"a number{', or above_ and a number' if axis.of_more else ''}"
    low, high = (f"{each:g}" for each in axis.numeric)
    return f"a number, of which {low} to {high} are looked for"


if __name__ == "__main__":
    write_file(signature_page(), PAGE)
