"""Formulas of metrics of the shown items as a set."""

from __future__ import annotations

from recsys_metric_audit.reference.formula_text.contingency_text import DECISION
from recsys_metric_audit.reference.formula_text.template import FormulaTemplate, Slots

DENOMINATORS = {
    "k": (r"k", "k"),
    "r": (r"r", "r"),
    "shown": (r"\min(k, |L|)", "min(k, |L|)"),
    "min": (r"\min(k, r)", "min(k, r)"),
    "min_shown": (r"\min(r, |L|, k)", "min(r, n)"),
    "hits": (r"H", "H"),
}
_SET: Slots = {
    "numerator": {
        "hits": (r"\sum_{j \le n} h_j", "H"),
        "gains": (r"\sum_{j \le n} h_j g_j", "(sum of the gains of the hits)"),
    },
    "denominator": DENOMINATORS,
}
_RECALL: Slots = {
    **_SET,
    "numerator.note": {
        "hits": ("", ""),
        "gains": (r"r: \text{ the sum of all gains}", "where r is the sum of all gains"),
    },
}

FORMULAS = {
    "precision": FormulaTemplate(
        "How many of the k places are filled with something relevant; the order inside them does not matter.",
        ((r"\text{precision@}<k> = \frac{<numerator>}{<denominator>}", "precision@<k> = <numerator> / <denominator>"),),
        _SET, sums=("H",),
    ),
    "recall": FormulaTemplate(
        "How much of what is relevant to the user is among the first k places; order inside them does not matter.",
        ((r"\text{recall@}<k> = \frac{<numerator>}{<denominator>}", "recall@<k> = <numerator> / <denominator>"),
         ("<numerator.note>", "<numerator.note>")),
        _RECALL, sums=("H",), ideal_sum="the sum of all gains",
    ),
    "hit_rate": FormulaTemplate(
        "Whether the user finds at least one relevant item among the first k.",
        ((r"\text{hit rate@}<k> = <counts>", "hit_rate@<k> = <counts>"),),
        {"counts": {
            "any": (r"\begin{cases} 1 & H > 0 \\ 0 & H = 0 \end{cases}", "1 if H > 0, else 0"),
            "hits": (r"H", "H"), "recall": (r"\frac{H}{r}", "H / r"), "precision": (r"\frac{H}{k}", "H / k"),
            "only": (r"\begin{cases} 1 & H > 0, r = 1 \\ 0 & \text{otherwise} \end{cases}",
                     "1 if H > 0 and r = 1, else 0"),
        }}, sums=("H",),
    ),
    "f_score": FormulaTemplate(
        "Precision and recall in one number, near the smaller of the two.",
        (
            (r"F_{<beta>}\text{@}<k> = \frac{(1 + <beta>^2) \, P R}{<beta>^2 P + R}",
             "F@<k> = (1 + <beta>²) P R / (<beta>² P + R)"),
            ("<operands>", "<operands>"),
            (r"<of>", "<of>"),
            ("<decision>", "<decision>"),
        ),
        {
            "operands": {
                "precision_recall": (r"P = \frac{H}{<precision>}, \quad R = \frac{H}{<recall>}",
                                     "P = H / <precision>, R = H / <recall>"),
                "average_precision_recall": (
                    r"P = \frac{1}{<precision>} \sum_{j \le n} h_j P_j, \quad"
                    r" R = \frac{1}{<recall>} \sum_{j \le n} h_j R_j",
                    "P = (sum of P@j over the hits) / <precision>, R = (sum of R@j) / <recall>",
                ),
            },
            "precision": DENOMINATORS, "recall": DENOMINATORS, "decision": DECISION,
            "operands.ratio": {
                "precision_recall": (r"\text{that is } \frac{(1 + <beta>^2) \, H}{<beta>^2 <recall> + <precision>}",
                                     "that is (1 + <beta>²) H / (<beta>² <recall> + <precision>)"),
                "average_precision_recall": ("", ""),
            },
            "of": {"users": ("<operands.ratio>", "<operands.ratio>"), "means": ("<pooling>", "<pooling>")},
            "pooling": {
                "user": (r"\text{of <mean> of } P \text{ and that of } R \text{ over users}",
                         "of <mean> of P and that of R over users"),
                "pooled": (r"P = \frac{\sum_u H_u}{\sum_u <precision>}, \quad R = \frac{\sum_u H_u}{\sum_u <recall>}",
                           "of P = (sum of numerators) / (sum of denominators) over users, and R likewise"),
                "weighted": (r"\text{of <mean> of } P \text{ and that of } R \text{ over users, weighted}",
                             "of <mean> of P and that of R over users, weighted"),
            },
            "mean": {"arithmetic": ("the mean", "the mean"), "geometric": ("the geometric mean", "the geometric mean"),
                     "harmonic": ("the harmonic mean", "the harmonic mean"),
                     "quadratic": ("the quadratic mean", "the quadratic mean")},
        },
    ),
    "r_precision": FormulaTemplate(
        "Precision at a cut-off that suits the user: as many places as there are relevant items.",
        ((r"\text{R-precision} = \frac{1}{<cut>} \sum_{j \le <cut>} h_j",
          "R-precision = (hits among the first <cut>) / <cut>"),),
        {"cut": {"r": ("r", "r"), "min": (r"\min(k, r)", "min(k, r)")}}, sums=("H",),
    ),
}  # fmt: skip
