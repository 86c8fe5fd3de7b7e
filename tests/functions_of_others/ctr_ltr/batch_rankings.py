"""Metrics of a platform for neural ranking: matrices of labels in predicted and in ideal order."""

import numpy as np


def _binary(rankings, cutoff):
    return np.clip(np.asarray(rankings, float)[:, :cutoff], 0, 1)


def precision_at_k(batch_predict_rankings, k=None):
    """Return (batch, 1)."""
    used = min(np.shape(batch_predict_rankings)[1], k)
    found = np.cumsum(_binary(batch_predict_rankings, used), axis=1)
    return (found / (np.arange(used) + 1.0))[:, used - 1 : used]


def ap_at_ks(batch_predict_rankings, batch_ideal_rankings, ks=None):
    """Return (batch, len(ks))."""
    length = np.shape(batch_predict_rankings)[1]
    used = [k for k in ks if k <= length]
    deepest = max(used)
    binary = _binary(batch_predict_rankings, deepest)
    precision = np.cumsum(binary, axis=1) / (np.arange(deepest) + 1.0)
    summed = np.cumsum(precision * binary, axis=1)
    standard = np.cumsum(np.asarray(batch_ideal_rankings, float), axis=1)[:, :deepest]
    found = (summed / standard)[:, np.array(used) - 1]
    padded = np.zeros((len(found), len(ks)))
    padded[:, : len(used)] = found
    return padded


def _rankwise_err(rankings, max_label, k):
    satisfied = (np.power(2.0, rankings[:, :k]) - 1.0) / np.power(2.0, max_label)
    goes_on = np.ones_like(satisfied)
    goes_on[:, 1:] = np.cumprod(1.0 - satisfied, axis=1)[:, :-1]
    return np.sum(satisfied * goes_on / (np.arange(satisfied.shape[1]) + 1.0), axis=1, keepdims=True)


def nerr_at_k(batch_predict_rankings, batch_ideal_rankings, k=None, max_label=None):
    predicted, ideal = np.asarray(batch_predict_rankings, float), np.asarray(batch_ideal_rankings, float)
    cutoff = min(predicted.shape[1], k)
    if max_label is None:
        max_label = ideal.max()
    return _rankwise_err(predicted, max_label, cutoff) / _rankwise_err(ideal, max_label, cutoff)
