"""Unbiased implicit recommendation: labels and scores of one user as arrays, with propensities if there are any."""

import numpy as np

eps = 10e-3


def _sorted(y_true, y_score, pscore):
    order = y_score.argsort()[::-1]
    weights = np.ones(len(order)) if pscore is None else np.maximum(pscore[order], eps)
    return y_true[order], weights


def dcg_at_k(y_true: np.ndarray, y_score: np.ndarray, k: int, pscore: np.ndarray | None = None) -> float:
    labels, weights = _sorted(y_true, y_score, pscore)
    total = 0.0
    if labels.sum() != 0:
        total = labels[0] / weights[0]
        for place in range(1, k):
            total += labels[place] / (weights[place] * np.log2(place + 1))
    return total if pscore is None else total / (1.0 / weights[labels == 1]).sum()


def average_precision_at_k(y_true: np.ndarray, y_score: np.ndarray, k: int, pscore: np.ndarray | None = None) -> float:
    labels, weights = _sorted(y_true, y_score, pscore)
    total = 0.0
    if labels.sum() != 0:
        for place in range(k):
            if labels[place] == 1:
                total += (labels[: place + 1] / weights[: place + 1]).sum() / (place + 1)
    return total if pscore is None else total / (1.0 / weights[labels == 1]).sum()
