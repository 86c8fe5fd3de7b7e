"""Writes as a formula how the values of users become one number."""

from __future__ import annotations

from recsys_metric_audit.reference.formula_text.template import FormulaTemplate, Line, Slots

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
