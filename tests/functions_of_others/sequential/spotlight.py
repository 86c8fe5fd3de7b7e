"""MRR of Spotlight: scores of all items and the item that ends each sequence; tied items share the mean rank."""

import numpy as np


def _rankdata(values):
    values = np.asarray(values, float)
    return ((values[:, None] > values).sum(1) + (values[:, None] >= values).sum(1) + 1) / 2


def sequence_mrr_score(predictions, targets):
    """Take (sequences, items) scores and (sequences, 1) targets; return one value a sequence."""
    mrrs = []
    for row, target in zip(predictions, targets, strict=False):
        mrrs.append((1.0 / _rankdata(-np.asarray(row, float))[np.asarray(target)]).mean())
    return np.array(mrrs)
