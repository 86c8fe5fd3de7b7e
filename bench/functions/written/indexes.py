"""Functions of (preds, target, indexes, k), arrays with a row for each user and item."""

import numpy as np


def queries(preds, target, indexes):
    for query in np.unique(indexes):
        own = indexes == query
        yield preds[own], target[own] > 0


def precision(preds, target, indexes, k):
    values = [
        labels[np.argsort(-scores, kind="stable")][:k].sum() / k for scores, labels in queries(preds, target, indexes)
    ]
    return float(np.mean(values))


def fallout(preds, target, indexes, k):
    values = []
    for scores, labels in queries(preds, target, indexes):
        others = ~labels
        top = others[np.argsort(-scores, kind="stable")][:k].sum()
        values.append(top / others.sum() if others.any() else 0.0)
    return float(np.mean(values))


def auc_ties_won(preds, target, indexes):
    values = []
    for scores, labels in queries(preds, target, indexes):
        if labels.any() and not labels.all():
            values.append((scores[labels][:, None] >= scores[~labels][None, :]).mean())
    return float(np.mean(values)) if values else 0.0
