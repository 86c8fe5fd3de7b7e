"""Recommender autoencoder: predictions of all items and the held-out matrix; an array with a number a user."""

import numpy as np


def ndcg(X_pred, heldout_batch, k=100):
    rows = np.arange(X_pred.shape[0])[:, np.newaxis]
    some = np.argpartition(-X_pred, k, axis=1)[:, :k]
    top = some[rows, np.argsort(-X_pred[rows, some], axis=1)]
    tp = 1.0 / np.log2(np.arange(2, k + 2))
    DCG = (heldout_batch[rows, top] * tp).sum(axis=1)
    IDCG = np.array([tp[: min(n, k)].sum() for n in np.count_nonzero(heldout_batch, axis=1)])
    return DCG / IDCG
