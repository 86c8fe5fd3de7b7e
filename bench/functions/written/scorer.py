"""Scorers as scikit-learn calls them: (estimator, X, y)."""

import numpy as np


def precision_at_3(estimator, X, y):
    order = np.argsort(-estimator.predict(X), kind="stable")[:3]
    return (np.asarray(y)[order] > 0).sum() / 3


def roc_auc(estimator, X, y):
    scores, labels = estimator.decision_function(X), np.asarray(y) > 0
    if labels.all() or not labels.any():
        return float("nan")
    won = scores[labels][:, None] - scores[~labels][None, :]
    return ((won > 0) + 0.5 * (won == 0)).mean()


def ndcg_of_all_rows(estimator, X, y):
    gains = 2.0 ** np.asarray(y, dtype=float) - 1
    discount = np.log2(np.arange(2, len(gains) + 2))
    best = (np.sort(gains)[::-1] / discount).sum()
    return (gains[np.argsort(-estimator.predict(X), kind="stable")] / discount).sum() / best if best else 0.0
