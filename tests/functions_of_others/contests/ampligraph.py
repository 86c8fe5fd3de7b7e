"""A library of graph embeddings: metrics of the ranks of test statements, (n,) or (n, 2)."""

import numpy as np


def hits_at_n_score(ranks, n):
    ranks = np.asarray(ranks).reshape(-1)
    return np.sum(ranks <= n) / len(ranks)


def mrr_score(ranks):
    ranks = np.asarray(ranks).reshape(-1)
    return np.sum(1 / ranks) / len(ranks)
