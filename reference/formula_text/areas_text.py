"""Formulas of AUC and of rank correlations: metrics that count pairs of items."""

from __future__ import annotations

from collections.abc import Mapping

from recsys_metric_audit.reference.formula_text.template import FormulaTemplate, Slots, Values
from recsys_metric_audit.reference.space.lists import Floats, Lists


def _pairs(lists: Lists, values: Values) -> Mapping[str, Floats]:
    return {
        "relevant": lists.positives.astype(float),
        "irrelevant": lists.negatives.astype(float),
        "irrelevant shown": lists.shown_negatives.astype(float),
    }


_AUC: Slots = {
    "list": {
        "full": (r"\frac{\text{pairs won}}{r \cdot \bar r}", "pairs won / (relevant × irrelevant items)"),
        "topk": (r"\frac{\text{pairs won inside the first } k}{H \cdot (n - H)}",
                 "pairs won inside the first k / (hits × misses there)"),
        "limited": (
            r"\frac{W_k + \frac{H + r}{2} (\bar r - \bar r_k)}{r \cdot \bar r}",
            "(pairs won inside the first k + (H + r) / 2 · (irrelevant - irrelevant shown)) / (relevant × irrelevant)",
        ),
        "limited_hits": (r"\frac{\text{pairs won by the hits of the first } k}{\min(k, r) \cdot \bar r}",
                         "pairs won by the hits of the first k / (min(k, r) × irrelevant items)"),
        "top_negatives": (r"\frac{\text{pairs won}}{r \cdot \min(k, \bar r)}",
                          "pairs won against the k best irrelevant items / (relevant × those)"),
        "top_both": (r"\frac{\text{pairs won}}{\min(k, r) \cdot \min(k, \bar r)}",
                     "pairs won by the k best relevant against the k best irrelevant items / their number"),
    },
    "tied_scores": {
        "half": (r"\text{a pair of equal scores is won by half}", "a pair of equal scores is won by half"),
        "win": (r"\text{a pair of equal scores is won}", "a pair of equal scores is won"),
        "lose": (r"\text{a pair of equal scores is lost}", "a pair of equal scores is lost"),
        "ranked": (r"\text{a pair of equal scores is ordered as the list is}",
                   "a pair of equal scores is ordered as the list is"),
    },
    "scope": {"user": ("", ""), "stacked": (r"\text{over all rows of all users as one list}",
                                            "over all rows of all users as one list")},
}  # fmt: skip

FORMULAS = {
    "auc": FormulaTemplate(
        "How often a relevant item stands above an irrelevant one; every rank weighs the same.",
        ((r"\text{AUC} = <list>", "AUC = <list>"), ("<tied_scores>", "<tied_scores>"), ("<scope>", "<scope>")),
        _AUC, sums=("pairs won in the list",), counts=_pairs,
    ),
    "kendall_tau": FormulaTemplate(
        "Whether relevant items stand above irrelevant ones, from 1 (all do) to -1 (none does).",
        ((r"\tau = <compared>", "tau = <compared>"),),
        {"compared": {
            "list": (r"\frac{C - D}{r \cdot \bar r} = 2 \, \text{AUC} - 1",
                     "(pairs won - pairs lost) / (relevant × irrelevant items) = 2 AUC - 1"),
            "limited": (r"2 \, \text{LAUC@}k - 1", "2 LAUC@k - 1"),
            "recommended_or_not": (r"\frac{tp \cdot tn - fp \cdot fn}{(tp + fn)(fp + tn)}",
                                   "(tp tn - fp fn) / ((tp + fn)(fp + tn))"),
        }}, sums=("pairs won in the list",), counts=_pairs,
    ),
    "spearman_rho": FormulaTemplate(
        "Whether scores order the relevant items as their gains do.",
        ((r"\rho = \frac{\text{cov}(R_s, R_g)}{\sigma(R_s) \, \sigma(R_g)}",
          "rho = correlation of the ranks of scores and of gains, ties averaged"),),
        sums=("ranks by score", "ranks by gain", "products of deviations", "squares by score", "squares by gain"),
    ),
}  # fmt: skip
