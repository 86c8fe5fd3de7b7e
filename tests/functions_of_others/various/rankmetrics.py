"""rankmetrics: scikit-learn's manner: y_true a 0/1 matrix, y_pred scores; curves over the cut-offs 1..max_k."""

import numpy as np


def _check_targets(y_true, y_pred):
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    if y_true.ndim != 2 or y_true.shape[1] < 2 or len(np.unique(y_true)) > 2:
        raise ValueError("y_true should be a multilabel indicator")
    if y_pred.ndim != 2 or y_pred.dtype.kind != "f" or (y_pred == np.floor(y_pred)).all():
        raise ValueError("y_pred should be continuous")
    return y_true, y_pred


def recall_k_curve(y_true, y_pred, average="samples", max_k=0):
    if average not in ("micro", "samples"):
        raise ValueError("average has to be micro or samples")
    y_true, y_pred = _check_targets(y_true, y_pred)
    max_k = max_k or y_true.shape[1]
    order = np.argsort(y_pred)[:, ::-1][:, :max_k]
    hits = np.take_along_axis(y_true > 0, order, axis=1).astype(float)
    rated = (y_true > 0).sum(axis=1)
    if average == "micro":
        return np.cumsum(hits.sum(axis=0) / rated.sum())
    return np.cumsum((hits / rated[:, None]).mean(axis=0))


def ndcg_k_curve(y_true, y_pred, max_k=0):
    y_true, y_pred = _check_targets(y_true, y_pred)
    max_k = max_k or y_true.shape[1]
    total = 0.0
    for labels, scores in zip(y_true, y_pred, strict=True):
        shown = labels[np.argsort(scores)[::-1][:max_k]]
        best = labels[np.argsort(labels)[::-1][:max_k]]
        total = total + _dcg(shown, max_k) / _dcg(best, max_k)
    return total / len(y_true)


def _dcg(relevance, k):
    return np.cumsum((np.power(2, relevance[:k]) - 1) / np.log2(np.arange(k) + 2))
