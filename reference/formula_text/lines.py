"""The lines of a definition: its formula for one user, and how the values of users become one number."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.formula_text.items_text import AVERAGED_LISTS, MEAN_OF_LISTS, OF_ALL_USERS, ONE_VALUE
from recsys_metric_audit.reference.formula_text.items_text import FORMULAS as ITEMS
from recsys_metric_audit.reference.formula_text.ranking_text import AREAS, GAINS, RANKS, SETS
from recsys_metric_audit.reference.formula_text.table_text import DECISIONS, RATINGS
from recsys_metric_audit.reference.formula_text.template import FormulaLine, FormulaTemplate, Line, Slots, fill
from recsys_metric_audit.reference.space.metric import is_stacked

_WEIGHT: dict[str, Line] = {
    "none": ("w_u = 1", "w = 1"),
    "relevant": (r"w_u = r_u", "w: the user's relevant items"),
    "listed": (r"w_u = \text{relevant items in the list of } u", "w: the relevant items in the user's list"),
    "rated": (r"w_u = \text{truth rows of } u", "w: the user's truth rows"),
    "list_length": (r"w_u = |L_u|", "w: the length of the user's list"),
}
_SLOTS: Slots = {
    "pooling": {
        "user": ("<mean>", "<mean> of the values of <users>"),
        "pooled": (r"\frac{\sum_u N_u}{\sum_u D_u}", "(sum of numerators) / (sum of denominators) over <users>"),
        "weighted": (
            r"\frac{\sum_u w_u v_u}{\sum_u w_u}, \quad <weight>",
            "<mean> of the values of <users>, weighted; <weight>",
        ),
    },
    "mean": {
        "arithmetic": (r"\frac{1}{|U|} \sum_{u \in U} v_u", "the mean"),
        "geometric": (r"\left( \prod_{u \in U} v_u \right)^{1 / |U|}", "the geometric mean"),
        "harmonic": (r"\frac{|U|}{\sum_{u \in U} 1 / v_u}", "the harmonic mean"),
        "quadratic": (r"\sqrt{\frac{1}{|U|} \sum_{u \in U} v_u^2}", "the quadratic mean"),
    },
    "weight": _WEIGHT,
}

ONE_RANKING = FormulaTemplate(
    "The one number itself: nothing is averaged.",
    ((r"\text{one value over the rows of } <users> \text{ together}", "one value over the rows of <users> together"),),
    {},
)
OF_MEANS = FormulaTemplate(
    "The one number itself, of parts that are put together over users.",
    ((r"\text{one value, of what is put together over } <users>", "one value, of what is put together over <users>"),),
    {},
)
AVERAGING = FormulaTemplate("From users to the one number.", (("<pooling>", "<pooling>"),), _SLOTS)


FORMULAS: dict[str, FormulaTemplate] = {**SETS, **RANKS, **GAINS, **AREAS, **DECISIONS, **RATINGS, **ITEMS}
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
        return fill(AVERAGED_LISTS if "pooling" in definition.axes else MEAN_OF_LISTS, definition)
    if metric.reads == "items":
        return fill(ONE_VALUE if "users" in definition.axes else OF_ALL_USERS, definition)
    if definition.axes.get("of") == "means":
        return fill(OF_MEANS, definition)
    return fill(ONE_RANKING if is_stacked(definition.family, definition.axes) else AVERAGING, definition)
