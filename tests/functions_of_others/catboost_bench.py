"""catboost/benchmarks #19: NDCG, 1 for a query without a positive; ties put the worse document first."""

from functools import cmp_to_key

import numpy as np


def _compare(a, b):
    if a[1] != b[1]:
        return -1 if a[1] > b[1] else 1
    return -1 if a[0] < b[0] else (1 if a[0] > b[0] else 0)


def _gain(labels):
    labels = np.asarray(labels, float)
    return float(((2**labels - 1) / np.log2(np.arange(len(labels)) + 2)).sum())


def ndcg(y_pred, y_true, top):
    y_pred, y_true = np.asarray(y_pred, float), np.asarray(y_true, float)
    top = min(top, len(y_pred))
    ranked = [pair[0] for pair in sorted(zip(y_true, y_pred, strict=False), key=cmp_to_key(_compare))][:top]
    ideal = _gain(np.sort(y_true)[::-1][:top])
    return _gain(ranked) / ideal if ideal > 0 else 1.0
