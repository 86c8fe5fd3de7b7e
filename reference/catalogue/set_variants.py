"""Documented variants of metrics of the shown items as a set: precision, recall, hit rate, F, R-precision."""

from __future__ import annotations

from recsys_metric_audit.reference.catalogue.bibliography import (
    BELLEI,
    ELASTICSEARCH,
    GIORGI,
    LIANG,
    MANNING,
    OPITZ,
    RECOMETRICS,
    SCHROEDER,
    SPARK,
    TAMM,
    TREC_EVAL,
    Citation,
)
from recsys_metric_audit.reference.catalogue.variant import Variant

_PRECISION = (
    Variant("precision@k", ("precision", "P@k"), "",
            (Citation(TAMM, "§4.1"), Citation(GIORGI, "Precision and Recall"), Citation(BELLEI, "§1"),
             Citation(SPARK, "Precision at k"))),
    Variant("precision@k|denominator:shown", ("precision over what is shown", "tp / (tp + fp)"),
            "Higher for users whose list is shorter than k: what is not shown cannot be wrong.",
            (Citation(SCHROEDER, "§4.2", "tp / (tp + fp)"),
             Citation(ELASTICSEARCH, "Precision at K", "over the documents returned, in its code"))),
    Variant("precision@k|denominator:min", ("precision with the smaller denominator", "truncated precision"),
            "Higher for users with fewer than k relevant items, whose best precision is otherwise r / k.",
            (Citation(RECOMETRICS, "TP@K"),)),
    Variant("precision@k|pooling:pooled", ("micro-averaged precision",),
            "Differs only where users' denominators do, which k is not: visible with users left out or edge rules.",
            (Citation(MANNING, "§13.6", "micro-averaging"),)),
)  # fmt: skip
_RECALL = (
    Variant("recall@k", ("recall", "R@k", "sensitivity", "true positive rate"), "",
            (Citation(TAMM, "§4.1"), Citation(GIORGI, "Precision and Recall"), Citation(BELLEI, "§2"),
             Citation(SCHROEDER, "§4.2"), Citation(ELASTICSEARCH, "Recall at K"))),
    Variant("recall@k|denominator:min", ("recall that can reach 1", "Mult-VAE recall"),
            "Higher for users with more than k relevant items, who cannot all be shown.",
            (Citation(TAMM, "§5", "on Mult-VAE"), Citation(LIANG, "§4.2"))),
)  # fmt: skip
_HIT_RATE = (
    Variant("hit_rate@k", ("hit rate", "HR@k", "success@k"), "",
            (Citation(TAMM, "§4.2"), Citation(TREC_EVAL, "measure success"))),
    Variant("hit_rate@k|counts:hits", ("number of hits",),
            "Exceeds 1 as soon as a user has two hits: it is k times precision.",
            (Citation(TAMM, "§4.2", "on DL RS Evaluation"),)),
    Variant("hit_rate@k|counts:recall", ("hit rate as recall",),
            "Below 1 for every user who has a hit but not all relevant items shown; equal when r = 1.",
            (Citation(TAMM, "§4.2, §5", "on CoupledCF and TriRank"),)),
)  # fmt: skip
_F_SCORE = (
    Variant("f_score@k", ("F1", "F1-measure", "mean of per-user F1"), "",
            (Citation(SCHROEDER, "§4.2"), Citation(GIORGI, "Precision and Recall"), Citation(BELLEI, "§3"))),
    Variant("f_score@k|of:means", ("F1 of the averaged values",),
            "Differs as soon as users do: the harmonic mean of two means is not the mean of harmonic means.",
            (Citation(OPITZ, "F1 of averages", "over classes instead of users"),)),
    Variant("f_score@k|beta:2", ("F2", "F-beta with β = 2"), "Weighs recall four times as much as precision.",
            (Citation(SCHROEDER, "§4.2", "F-beta"),)),
    Variant("f_score@k|precision:shown", ("F1 of tp / (tp + fp) and tp / (tp + fn)",),
            "Higher for users whose list is shorter than k.", (Citation(SCHROEDER, "§4.2"),)),
)  # fmt: skip
_R_PRECISION = (
    Variant("r_precision", ("R-precision", "Rprec"), "",
            (Citation(MANNING, "§8.4"), Citation(TREC_EVAL, "measure Rprec"))),
)  # fmt: skip

SETS = (*_PRECISION, *_RECALL, *_HIT_RATE, *_F_SCORE, *_R_PRECISION)
