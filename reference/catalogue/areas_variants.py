"""Documented variants of AUC, of ratios of the contingency table, of rank correlations and of rating errors."""

from __future__ import annotations

from recsys_metric_audit.reference.catalogue.bibliography import KOREN, POWERS, SCHROEDER, TAMM, Citation
from recsys_metric_audit.reference.catalogue.variant import Variant

_AUC = (
    Variant("auc", ("GAUC", "group AUC", "AUC per user"), "", (Citation(TAMM, "§4.6", "GAUC"),)),
    Variant("auc|no_negatives:0", ("GAUC, 0 where undefined",),
            "Lower as soon as some user's list holds nothing irrelevant: that user counts as 0.",
            (Citation(TAMM, "§4.6", "other libraries assign 0 in this situation"),)),
    Variant("auc|scope:stacked", ("SAUC", "stacked AUC"),
            "Compares items of different users by score: differs unless all users' scores are on one scale.",
            (Citation(TAMM, "§4.6", "SAUC"),)),
    Variant("auc|pooling:weighted|weight:rated", ("GAUC weighted by rated items",),
            "Users with many truth rows decide; equal when all have the same number.",
            (Citation(TAMM, "§4.6", "on RecBole"),)),
    Variant("auc|pooling:weighted|weight:relevant", ("per-user areas averaged term by term",),
            "Each relevant item weighs the same, not each user; equal when all have the same number.",
            (Citation(TAMM, "§4.6", "on Elliot"),)),
    Variant("auc@k|list:topk", ("GAUC@k",),
            "Pairs inside the first k only: far lower, and undefined where they hold only hits or only misses.",
            (Citation(TAMM, "§4.6", "on DL RS Evaluation and RePlay"),)),
    Variant("auc@k|list:limited", ("LAUC", "limited AUC"),
            "Ignores the order below rank k: what is relevant there counts as spread evenly.",
            (Citation(SCHROEDER, "§5.2"),)),
)  # fmt: skip
_TABLE = tuple(
    Variant(f"{metric}@k", names, "", citations)
    for metric, names, citations in (
        ("fallout", ("fallout", "false positive rate"), (Citation(SCHROEDER, "§4.2"),)),
        ("miss_rate", ("miss rate", "false negative rate"), (Citation(SCHROEDER, "§4.2"),)),
        ("inverse_precision", ("inverse precision", "true negative accuracy"), (Citation(SCHROEDER, "§4.2"),)),
        ("inverse_recall", ("inverse recall", "specificity"), (Citation(SCHROEDER, "§4.2"),)),
        ("accuracy", ("accuracy",), (Citation(POWERS, "Rand accuracy"),)),
        ("informedness", ("informedness",), (Citation(SCHROEDER, "§5.1"), Citation(POWERS, "Informedness"))),
        ("markedness", ("markedness",), (Citation(SCHROEDER, "§5.1"), Citation(POWERS, "Markedness"))),
        ("matthews_correlation", ("Matthews correlation", "MCC"),
         (Citation(SCHROEDER, "§5.1"), Citation(POWERS, "Correlation"))),
        ("mean_average_markedness", ("mean average markedness",), (Citation(SCHROEDER, "§5.1", "last paragraph"),)),
    )
)  # fmt: skip
_CORRELATION = (
    Variant("kendall_tau", ("Kendall's τ, boolean",), "", (Citation(SCHROEDER, "§4.3", "last paragraph"),)),
    Variant("kendall_tau@k|compared:limited", ("Kendall's τ, limited to the first k",),
            "Ignores the order below rank k: 2 · LAUC − 1.", (Citation(SCHROEDER, "§5.2", "last sentence"),)),
    Variant("kendall_tau@k|compared:recommended_or_not", ("Kendall's τ of recommended or not",),
            "Ignores order altogether: two groups against two groups.", (Citation(SCHROEDER, "§4.3"),)),
    Variant("spearman_rho", ("Spearman's ρ",), "", (Citation(SCHROEDER, "§4.3"),)),
    Variant("fcp", ("FCP", "fraction of concordant pairs"), "", (Citation(KOREN, "§5.2"),)),
)  # fmt: skip
_RATING = tuple(
    Variant(metric, names, "", (Citation(SCHROEDER, "§4.1"),))
    for metric, names in (
        ("mae", ("MAE", "mean absolute error")),
        ("mse", ("MSE", "mean squared error")),
        ("rmse", ("RMSE", "root mean squared error")),
        ("nmae", ("NMAE", "normalized mean absolute error")),
    )
)

AREAS = (*_AUC, *_TABLE, *_CORRELATION, *_RATING)
