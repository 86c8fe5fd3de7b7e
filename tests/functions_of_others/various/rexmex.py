"""rexmex: relevant items first, then the ranking of one user."""

import numpy as np


def reciprocal_rank(relevant_item, ranking):
    return 1.0 / (np.isin(ranking, relevant_item).argmax() + 1)


def mean_reciprocal_rank(relevant_items, ranking):
    return np.mean([reciprocal_rank(item, ranking) for item in relevant_items])


def average_percision_at_k(relevant_items, ranking, k=10):
    if len(ranking) > k:
        ranking = ranking[:k]
    ranks = np.arange(1, k + 1)[np.isin(ranking, relevant_items)]
    return np.mean(np.arange(1, len(ranks) + 1) / ranks)


def hits_at_k(relevant_items, ranking, k=10):
    if len(ranking) > k:
        ranking = ranking[:k]
    return np.isin(ranking, relevant_items).astype(int).sum() / len(ranking)
