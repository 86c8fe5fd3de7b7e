"""Linear NDCG by user, and the number that comes out where nobody is left: 1, or 0."""

import numpy as np


def _users(scores, labels, users, empty, k=10):
    vals = []
    for u in np.unique(users):
        y = np.asarray(labels, float)[np.asarray(users) == u]
        s = np.asarray(scores, float)[np.asarray(users) == u]
        y = y[np.argsort(-s, kind="stable")]
        w = 1 / np.log2(np.arange(len(y)) + 2)
        ideal = (np.sort(y)[::-1] * w)[:k].sum()
        if ideal > 0:
            vals.append((y * w)[:k].sum() / ideal)
    return float(np.mean(vals)) if vals else empty


def ndcg_one(scores, labels, users, k=10):
    return _users(scores, labels, users, 1.0, k)


def ndcg_zero(scores, labels, users, k=10):
    return _users(scores, labels, users, 0.0, k)
