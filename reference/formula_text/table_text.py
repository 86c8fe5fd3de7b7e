"""Formulas over a table of decisions or ratings: contingency tables, and pairs of a score s and a true rating g."""

from __future__ import annotations

from collections.abc import Mapping

from recsys_metric_audit.reference.formula_text.template import FormulaTemplate, Slots, Values
from recsys_metric_audit.reference.metrics.contingency import table
from recsys_metric_audit.reference.metrics.decision import decided
from recsys_metric_audit.reference.space.lists import Floats, Lists


def cells(lists: Lists, values: Values) -> Mapping[str, Floats]:
    """Return tp, fp, fn and tn of each list, over the candidates where the metric has no axis of negatives."""
    made = table(decided(lists, values.get("decision", "top_k")), values.get("negatives", "candidates"))
    return {"tp": made.tp, "fp": made.fp, "fn": made.fn, "tn": made.tn}


DECISION = {
    "top_k": ("", ""),
    "at_half": (r"\text{recommended: scores of } 0.5 \text{ and more}", "recommended: scores of 0.5 and more"),
}
_NEGATIVES: Slots = {
    "negatives": {
        "candidates": (r"\text{of the user's candidates}", "tp + fp + fn + tn: the user's candidates"),
        "catalogue": (r"\text{of all items}", "tp + fp + fn + tn: every item there is"),
        "with_train": (
            r"\text{of the candidates and train items}",
            "tp + fp + fn + tn: the user's candidates and train items",
        ),
    },
    "decision": DECISION,
}
_PRODUCT = (r"tp \cdot tn - fp \cdot fn", "(tp tn - fp fn)")


def _of_table(name: str, measures: str, latex: str, text: str, *, decided_by_score: bool = True) -> FormulaTemplate:
    lines = (
        (rf"\text{{{name}@}}<k> = {latex}", f"{name}@<k> = {text}"),
        (r"tp, fp, fn, tn \text{ } <negatives>", "<negatives>"),
        *((("<decision>", "<decision>"),) if decided_by_score else ()),
    )
    return FormulaTemplate(measures, lines, _NEGATIVES, sums=("tp",), counts=cells)


DECISIONS = {
    "fallout": _of_table(
        "fallout", "How much of what is irrelevant is shown all the same; smaller is better.",
        r"\frac{fp}{fp + tn}", "fp / (fp + tn)"),
    "miss_rate": FormulaTemplate(
        "How much of what is relevant is not shown; smaller is better.",
        ((r"\text{miss rate@}<k> = \frac{fn}{tp + fn}", "miss rate@<k> = fn / (tp + fn) = 1 - recall"),),
        sums=("tp",), counts=cells),
    "inverse_precision": _of_table(
        "inverse precision", "How much of what is not shown is indeed irrelevant.",
        r"\frac{tn}{fn + tn}", "tn / (fn + tn)"),
    "inverse_recall": _of_table(
        "inverse recall", "How much of what is irrelevant is indeed not shown.",
        r"\frac{tn}{fp + tn}", "tn / (fp + tn) = 1 - fallout"),
    "accuracy": _of_table(
        "accuracy", "How many candidates are on the right side of the cut.",
        r"\frac{tp + tn}{tp + fp + fn + tn}", "(tp + tn) / (tp + fp + fn + tn)"),
    "informedness": _of_table(
        "informedness", "How informed the choice is in comparison to chance (0), from -1 to 1.",
        rf"\frac{{{_PRODUCT[0]}}}{{(tp + fn)(fp + tn)}}",
        f"recall + inverse recall - 1 = {_PRODUCT[1]} / ((tp + fn)(fp + tn))"),
    "markedness": _of_table(
        "markedness", "How marked the choice is in comparison to chance (0), from -1 to 1.",
        rf"\frac{{{_PRODUCT[0]}}}{{(tp + fp)(fn + tn)}}",
        f"precision + inverse precision - 1 = {_PRODUCT[1]} / ((tp + fp)(fn + tn))"),
    "matthews_correlation": _of_table(
        "Matthews correlation", "Informedness and markedness in one: their geometric mean, with their sign.",
        rf"\frac{{{_PRODUCT[0]}}}{{\sqrt{{(tp + fn)(fp + tn)(tp + fp)(fn + tn)}}}}",
        f"{_PRODUCT[1]} / sqrt((tp + fn)(fp + tn)(tp + fp)(fn + tn))"),
    "mean_average_markedness": _of_table(
        "mean average markedness", "Average precision with markedness in precision's place.",
        r"\frac{1}{r} \sum_{j \le n} h_j \, \text{markedness}_j", "(sum of markedness@j over the hits) / r",
        decided_by_score=False),
}  # fmt: skip


_RATING_SUMS = ("the sum over rated items", "those with a score against it")
"""Names of the sums; where missing scores count as the lowest rating, the last is taken off."""


def _one_line(measures: str, latex: str, text: str, *sums: str) -> FormulaTemplate:
    return FormulaTemplate(
        measures, ((latex, text),), sums=sums or _RATING_SUMS, ideal_sum="all true ratings against the lowest"
    )


RATINGS = {
    "mae": _one_line("How far scores are from true ratings, in units of the scale.",
                 r"\text{MAE} = \frac{1}{m} \sum |s - g|", "MAE = (sum of |s - g|) / m"),
    "mse": _one_line("How far scores are from true ratings; large errors weigh more.",
                 r"\text{MSE} = \frac{1}{m} \sum (s - g)^2", "MSE = (sum of (s - g)²) / m"),
    "rmse": _one_line("How far scores are from true ratings, in units of the scale; large errors weigh more.",
                  r"\text{RMSE} = \sqrt{\frac{1}{m} \sum (s - g)^2}", "RMSE = sqrt((sum of (s - g)²) / m)"),
    "nmae": _one_line("How far scores are from true ratings, as a share of the scale.",
                  r"\text{NMAE} = \frac{\sum |s - g|}{m (g_{\max} - g_{\min})}",
                  "NMAE = (sum of |s - g|) / (m (highest - lowest rating))"),
    "r_squared": _one_line("How much of the ratings' variation the scores explain.",
                       r"R^2 = 1 - \frac{\sum (s - g)^2}{\sum (g - \bar g)^2}",
                       "R² = 1 - (sum of (s - g)²) / (sum of (g - mean g)²)",
                       "sum of g", "sum of (g - mean)²", "sum of (s - g)²"),
    "explained_variance": _one_line("How much of the ratings' variation the scores explain, a constant shift forgiven.",
                                r"1 - \frac{\text{var}(s - g)}{\text{var}(g)}", "1 - var(s - g) / var(g)",
                                "sum of g", "sum of (g - mean)²", "sum of (s - g)", "sum of its squared deviations"),
    "fcp": FormulaTemplate("Whether scores order a user's rated items as the ratings do, whatever their size.",
                   ((r"\text{FCP} = \frac{n_c}{n_c + n_d}",
                     "FCP = concordant pairs / (concordant + discordant pairs) of rated items"), ("<of>", "<of>")),
                   {"of": {"sums": ("", ""),
                           "means": (r"n_c, n_d: \text{ the mean of users who have such pairs}",
                                     "concordant pairs: their mean over users who have one; discordant likewise")}}),
    "log_loss": _one_line("How improbable the scores, read as probabilities, make what happened.",
                      r"\frac{1}{m} \sum - g \ln s - (1 - g) \ln(1 - s)",
                      "(sum of -(g ln s + (1 - g) ln(1 - s))) / m"),
}  # fmt: skip
