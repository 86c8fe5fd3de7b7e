"""The documented definitions as JSON and as a Markdown table: ``audit definitions``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from recsys_metric_audit.reference.catalogue import Variant
from recsys_metric_audit.reference.formula_text import formula_lines
from recsys_metric_audit.reports.handbook.metric_entries import Reference, reference_of


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
        "sources": [
            {"text": reference.text, "title": reference.title, "link": reference.link}
            for reference in map(reference_of, variant.citations)
        ],
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
