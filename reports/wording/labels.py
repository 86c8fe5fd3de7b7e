"""Labels of all reports: titles of metrics, meanings and signs of verdicts, labels of statuses."""

from __future__ import annotations

from collections.abc import Mapping

from recsys_metric_audit.reference.metrics import FAMILIES

METRIC_TITLES: Mapping[str, str] = {
    "hit_rate": "HitRate",
    "average_precision": "MAP",
    "reciprocal_rank": "MRR",
    "ndcg": "NDCG",
    "precision": "Precision",
    "recall": "Recall",
    "auc": "AUC",
    "f_score": "F-score",
    "average_recall": "MAR",
    "r_precision": "R-precision",
    "rbp": "RBP",
}
"""Titles of metrics: those of the paper's Table 1 in its order, then others."""

PAPER_METRICS = ("hit_rate", "average_precision", "reciprocal_rank", "ndcg", "precision", "recall", "auc")
"""The metrics of the paper's Table 1, in its order."""

LOWER_IS_BETTER = ("mae", "mse", "rmse", "nmae", "log_loss")
"""Error metrics: the smallest value is the best."""

VERDICT_MEANINGS: Mapping[str, str] = {
    "agrees": "computes the canonical formula",
    "variant": "computes another documented formula",
    "undocumented": "computes a formula that neither its documentation nor a source of the catalogue states",
    "ambiguous": "several formulas fit all that was asked",
    "unexplained": "no definition fits",
    "unstable": "gives different answers to the same question",
}

VERDICT_SIGNS: Mapping[str, str] = {"ambiguous": "~", "unexplained": "?", "unstable": "!"}
"""Marks of findings that were measured but not identified; identified variants are marked with letters."""

SIGN_MEANINGS: Mapping[str, str] = {
    "ambiguous": "not known which formula",
    "unexplained": "no formula fits",
    "unstable": "not reproducible",
}
"""Meanings of these marks, short enough to stand side by side."""

STATUS_LABELS: Mapping[str, str] = {
    "not_offered": "–",
    "failed": "failed",
    "crashed": "crashed",
    "timed_out": "timed out",
    "unavailable": "unavailable",
}


PER_USER = "per user"
"""Shown in place of a mean for a function that gives a value for each user and no mean."""


def metric_title(metric: str) -> str:
    """Return the usual name of ``metric``: ``NDCG`` for ``ndcg``."""
    known = FAMILIES.get(metric)
    return METRIC_TITLES.get(metric) or (known.title if known else metric.replace("_", " "))


def count(number: int, singular: str, plural: str = "") -> str:
    """Return ``number`` with its noun: ``1 user``, ``2,733 users``; ``plural`` is needed if it does not end in -s."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def joined(names: list[str]) -> str:
    """Return ``names`` joined for a sentence: ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
