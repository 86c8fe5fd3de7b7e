"""Formulas of rating errors, over the pairs that have both a score s and a true rating g."""

from __future__ import annotations

from recsys_metric_audit.reference.formula_text.template import FormulaTemplate

_SUMS = ("the sum over rated items", "those with a score against it")
"""Names of the sums; where missing scores count as the lowest rating, the last is taken off."""


def _one_line(measures: str, latex: str, text: str, *sums: str) -> FormulaTemplate:
    return FormulaTemplate(
        measures, ((latex, text),), sums=sums or _SUMS, ideal_sum="all true ratings against the lowest"
    )


FORMULAS = {
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
