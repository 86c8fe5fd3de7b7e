"""The written formula of any definition, and how it goes from users to one number."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.formula_text import (
    areas_text,
    contingency_text,
    items_text,
    ndcg_text,
    rank_text,
    rating_text,
    set_text,
)
from recsys_metric_audit.reference.formula_text.averaging_text import AVERAGING, OF_MEANS, ONE_RANKING
from recsys_metric_audit.reference.formula_text.template import FormulaLine, FormulaTemplate, fill
from recsys_metric_audit.reference.space.metric import is_stacked

FORMULAS: dict[str, FormulaTemplate] = {
    **set_text.FORMULAS,
    **rank_text.FORMULAS,
    **ndcg_text.FORMULAS,
    **areas_text.FORMULAS,
    **contingency_text.FORMULAS,
    **rating_text.FORMULAS,
    **items_text.FORMULAS,
}
"""Templates by metric."""


def template_of(definition: Definition) -> FormulaTemplate:
    """Return the template of the definition's metric; without one, a template made of the formula's docstring."""
    metric = definition.family
    if metric.name in FORMULAS:
        return FORMULAS[metric.name]
    summary = " ".join((metric.formula.__doc__ or metric.title).split())
    return FormulaTemplate(summary, ((rf"\text{{{metric.title}}}", summary),))


def formula_lines(definition: Definition) -> tuple[FormulaLine, ...]:
    """Return the definition's formula for one user, line by line."""
    return fill(template_of(definition), definition)


def averaging_lines(definition: Definition) -> tuple[FormulaLine, ...]:
    """Return how the definition combines the values of users into one number, line by line.

    Where all rows are one ranking, users have no values: their rows make the number.
    """
    metric = definition.family
    if metric.reads == "lists":
        return fill(items_text.AVERAGED_LISTS if "pooling" in definition.axes else items_text.MEAN_OF_LISTS, definition)
    if metric.reads == "items":
        return fill(items_text.ONE_VALUE if "users" in definition.axes else items_text.OF_ALL_USERS, definition)
    if definition.axes.get("of") == "means":
        return fill(OF_MEANS, definition)
    return fill(ONE_RANKING if is_stacked(definition.family, definition.axes) else AVERAGING, definition)
