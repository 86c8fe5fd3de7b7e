"""Homework on recommender systems: the list of true items, the list of recommended ones, k; both lists are cut."""

import numpy as np


def _p_k(y_true, y_pred, k):
    return len(np.intersect1d(y_pred[:k], y_true[:k])) / k


def map_k(y_true, y_pred, k):
    total = 0
    for i in range(k):
        if y_pred[i] in y_true[:k]:
            total += _p_k(y_true, y_pred, i + 1)
    return total / k


def ndcg_k(y_true, y_pred, k):
    got = 0
    for i in range(k):
        if y_pred[i] in y_true[:k]:
            got += np.log2(i + 1)
    return got / np.sum([1 / np.log2(i + 2) for i in range(k)])
