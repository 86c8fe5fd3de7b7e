"""The documented definitions for programs and for pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from reference.catalogue import Variant
from reference.formula_text import told
from reports.handbook.handbook import reference


def as_json(variants: Sequence[Variant]) -> str:
    """Return the variants as a JSON list: one object each, with both forms of the signature and both formulas."""
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
        "formula": [line.text for line in told(definition)],
        "latex": [line.latex for line in told(definition)],
        "sources": [
            {"text": cited.text, "title": cited.title, "link": cited.link}
            for cited in map(reference, variant.citations)
        ],
    }


def as_markdown(variants: Sequence[Variant]) -> str:
    """Return the variants as a Markdown table."""
    rows = [
        (f"`{variant.signature}`".replace("|", "\\|"), variant.name, variant.differs or "canonical",
         "; ".join(_cited(citation) for citation in map(reference, variant.citations)) or "in use, stated nowhere")
        for variant in variants
    ]  # fmt: skip
    lines = ["| signature | name | differs | stated by |", "|---|---|---|---|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _cited(cited: Any) -> str:
    return f"[{cited.text}]({cited.link})" if cited.link else cited.text
