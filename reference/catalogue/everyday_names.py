"""Everyday names of metrics: the names under which libraries, papers and tables print them."""

from __future__ import annotations

import re
from difflib import get_close_matches

from reference.metrics import METRICS

_EVERYDAY: dict[str, str] = {
    **dict.fromkeys(("hr", "hit", "hits", "hit ratio", "success"), "hit_rate"),
    **dict.fromkeys(("p", "prec", "pre"), "precision"),
    **dict.fromkeys(("r", "rec", "sensitivity", "tpr", "true positive rate"), "recall"),
    **dict.fromkeys(("f", "f1", "f measure", "fmeasure"), "f_score"),
    **dict.fromkeys(("rr", "mrr", "recip rank", "mean reciprocal rank"), "reciprocal_rank"),
    **dict.fromkeys(("ap", "map", "map cut", "mean average precision"), "average_precision"),
    **dict.fromkeys(("ar", "mar", "mean average recall"), "average_recall"),
    **dict.fromkeys(("ndcg cut", "dcg", "normalized dcg", "normalised dcg"), "ndcg"),
    **dict.fromkeys(("roc auc", "rocauc", "gauc"), "auc"),
    **dict.fromkeys(("rprec", "rprecision"), "r_precision"),
    "rank biased precision": "rbp",
    "expected reciprocal rank": "err",
    **dict.fromkeys(("fpr", "false positive rate"), "fallout"),
    **dict.fromkeys(("fnr", "false negative rate"), "miss_rate"),
    **dict.fromkeys(("acc",), "accuracy"),
    **dict.fromkeys(("mcc", "phi"), "matthews_correlation"),
    **dict.fromkeys(("tau", "kendall"), "kendall_tau"),
    **dict.fromkeys(("rho", "spearman"), "spearman_rho"),
    **dict.fromkeys(("r2", "rsquared"), "r_squared"),
    **dict.fromkeys(("exp var",), "explained_variance"),
    **dict.fromkeys(("logloss", "cross entropy"), "log_loss"),
}


def metric_named(text: str) -> str | None:
    """Return the name in signatures of the metric that ``text`` names: ``average_precision`` for ``MAP``; else None.

    Case, spaces, hyphens and a cut-off at the end (``@10``, ``_at_k``) do not matter.
    """
    words = re.sub(r"(@|_at_)\w*$", "", text.strip().lower())
    name = re.sub(r"[\s_-]+", "_", words)
    if name in METRICS:
        return name
    return _EVERYDAY.get(name.replace("_", " "))


def nearest_metric(text: str) -> str | None:
    """Return the metric whose name, in signatures or everyday, is spelled most like ``text``; None if none is near."""
    names = {**{name: name for name in METRICS}, **_EVERYDAY}
    close = get_close_matches(text.strip().lower(), names, n=1, cutoff=0.6)
    return names[close[0]] if close else None
