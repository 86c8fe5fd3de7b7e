"""Metrics of padded slates for a listwise network: a value for each slate and each rank asked for."""

import numpy as np

PADDED = -1


def _sorted_by_pred(y_pred, y_true):
    padding = y_true == PADDED
    y_pred[padding] = float("-inf")
    y_true[padding] = 0.0
    return np.take_along_axis(y_true, np.argsort(-y_pred, axis=-1, kind="stable"), axis=1)


def dcg(y_pred, y_true, ats=None):
    y_pred, y_true = np.array(y_pred, float), np.array(y_true, float)
    length = y_true.shape[1]
    ats = [min(at, length) for at in ([length] if ats is None else ats)]
    ranked = _sorted_by_pred(y_pred, y_true)
    gained = (np.power(2, ranked) - 1) / np.log2(np.arange(length) + 2.0)
    return np.cumsum(gained[:, : max(ats)], axis=1)[:, np.array(ats) - 1]


def ndcg(y_pred, y_true, ats=None):
    """y_pred, y_true: (batch, slate length); returns (batch, len(ats))"""
    ideal = dcg(y_true, y_true, ats)
    value = dcg(y_pred, y_true, ats) / np.where(ideal == 0, 1, ideal)
    value[ideal == 0] = 0.0
    return value


def mrr(y_pred, y_true, ats=None):
    y_pred, y_true = np.array(y_pred, float), np.array(y_true, float)
    ats = [y_true.shape[1]] if ats is None else ats
    ranked = _sorted_by_pred(y_pred, y_true)
    best, where = ranked.max(axis=1), ranked.argmax(axis=1)[:, None]
    result = np.repeat(1.0 / (where + 1.0), len(ats), axis=1)
    if best.sum() == 0:
        result[:] = 0.0
    return result * (where < np.array(ats))
