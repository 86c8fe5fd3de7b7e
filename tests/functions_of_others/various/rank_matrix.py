"""LightFM and TensorRec: the rank of each item (users x items, from 0), and the matrix of test interactions."""

import numpy as np


def precision_at_k(ranks, test_interactions, k=10, preserve_rows=False):
    ranks, test = np.asarray(ranks), np.asarray(test_interactions) > 0
    found = ((ranks < k) & test).sum(axis=1) / k
    return found if preserve_rows else found[test.any(axis=1)]


def recall_at_k(ranks, test_interactions, k=10, preserve_rows=False):
    ranks, test = np.asarray(ranks), np.asarray(test_interactions) > 0
    hit = ((ranks < k) & test).sum(axis=1)
    retrieved = test.sum(axis=1)
    if not preserve_rows:
        hit, retrieved = hit[retrieved > 0], retrieved[retrieved > 0]
    return hit / retrieved


def reciprocal_rank(ranks, test_interactions, preserve_rows=False):
    ranks, test = np.asarray(ranks), np.asarray(test_interactions) > 0
    best = np.where(test, 1.0 / (ranks + 1.0), 0.0).max(axis=1)
    return best if preserve_rows else best[test.any(axis=1)]
