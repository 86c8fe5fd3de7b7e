"""Batch metrics of a variational autoencoder: predictions of all items and the held-out matrix."""

import numpy as np


def _binary(x_pred, k):
    rows = np.arange(x_pred.shape[0])[:, np.newaxis]
    out = np.zeros_like(x_pred, dtype=bool)
    out[rows, np.argpartition(-x_pred, k, axis=1)[:, :k]] = True
    return out


def recall_at_k_batch(x_pred, heldout_batch, k=100):
    held = heldout_batch > 0
    found = (held & _binary(x_pred, k)).sum(axis=1).astype(np.float32)
    with np.errstate(invalid="ignore"):
        recall = found / np.minimum(k, held.sum(axis=1))
    recall[np.isnan(recall)] = 0
    return recall


def hit_at_k_batch(X_pred, heldout_batch, k=100):
    found = ((heldout_batch > 0) & _binary(X_pred, k)).sum(axis=1)
    return found.astype(np.float32).sum()
