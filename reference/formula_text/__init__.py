"""What each metric measures and its formula, for people: in words, and in LaTeX. One file a kind of metric."""

from __future__ import annotations

from reference.definitions.definition import Definition
from reference.formula_text import areas_text, contingency_text, ndcg_text, rank_text, rating_text, set_text
from reference.formula_text.averaging_text import AVERAGING
from reference.formula_text.notation import Formula, Told, tell

__all__ = ["NOTATION", "Formula", "Told", "averaging", "formula", "told"]

FORMULAS: dict[str, Formula] = {
    **set_text.FORMULAS,
    **rank_text.FORMULAS,
    **ndcg_text.FORMULAS,
    **areas_text.FORMULAS,
    **contingency_text.FORMULAS,
    **rating_text.FORMULAS,
}

NOTATION = (
    ("L", "the user's list, best first; |L| its length"),
    ("k, n", "the cut-off, and what is shown: n = min(k, |L|)"),
    ("r", "the user's relevant items"),
    ("j, h_j, g_j", "a rank; 1 if the item there is relevant, else 0; its gain"),
    ("H", "hits: relevant items among the first n"),
)
"""Symbols and what they stand for."""


def formula(definition: Definition) -> Formula:
    """How the metric of a definition is told; one that nobody has written down is told by its own docstring."""
    metric = definition.family
    if metric.name in FORMULAS:
        return FORMULAS[metric.name]
    summary = " ".join((metric.formula.__doc__ or metric.title).split())
    return Formula(summary, ((rf"\text{{{metric.title}}}", summary),))


def told(definition: Definition) -> tuple[Told, ...]:
    """The formula of a definition, one line after the other: per user."""
    return tell(formula(definition), definition)


def averaging(definition: Definition) -> tuple[Told, ...]:
    """How the definition puts users together."""
    return tell(AVERAGING, definition)
