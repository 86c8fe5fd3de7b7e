"""recoder: x are the recommended items of one user, y the items of the user."""

import numpy as np


def _found(x, y):
    return np.isin(x, y, assume_unique=True).astype(int)


def average_precision(x, y, k, normalize=True):
    hit = _found(x[:k], y)
    precision = hit.cumsum() / (1 + np.arange(len(hit)))
    total = (precision * hit).sum()
    return total / min(k, len(y)) if normalize else k


def recall(x, y, k, normalize=True):
    return _found(x[:k], y).sum() / min(k, len(y)) if normalize else k
