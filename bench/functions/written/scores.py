"""Functions of (labels, scores, k)."""

import numpy as np


def precision_of_shown(y_true, y_score, k):
    order = np.argsort(-np.asarray(y_score), kind="stable")[:k]
    return float((np.asarray(y_true)[order] > 0).mean()) if len(order) else 0.0


def ndcg(y_true, y_score, k):
    labels = (np.asarray(y_true) > 0).astype(float)
    discount = 1 / np.log2(np.arange(2, len(labels) + 2))
    discount[k:] = 0
    best = (np.sort(labels)[::-1] * discount).sum()
    return (labels[np.argsort(-np.asarray(y_score), kind="stable")] * discount).sum() / best if best else 0.0


def ndcg_turned_round(y_true, y_score, k):
    gains = 2.0 ** np.asarray(y_true, dtype=float) - 1
    ranked = gains[np.argsort(np.asarray(y_score), kind="stable")[::-1]][:k]
    best = np.sort(gains)[::-1][:k]
    discount = np.log2(np.arange(2, len(ranked) + 2))
    return (ranked / discount).sum() / (best / discount).sum() if best.sum() else 0.0
