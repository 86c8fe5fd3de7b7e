"""Metrics of a knowledge graph attention network: hits of complete rankings as 0 and 1."""

import numpy as np


def precision_at_k(hit, k):
    return np.mean(np.asarray(hit)[:k])


def average_precision(hit, cut):
    hit = np.asarray(hit)
    steps = [precision_at_k(hit, n + 1) for n in range(cut) if len(hit) >= n]
    if not steps:
        return 0.0
    return np.sum(steps) / float(min(cut, np.sum(hit)))


def ndcg_at_k_batch(hits, k):
    weights = 1 / np.log2(np.arange(2, k + 2))
    got = ((2 ** hits[:, :k] - 1) * weights).sum(axis=1)
    best = ((2 ** np.flip(np.sort(hits), axis=1)[:, :k] - 1) * weights).sum(axis=1)
    best[best == 0] = np.inf
    return got / best


def recall_at_k_batch(hits, k):
    return hits[:, :k].sum(axis=1) / hits.sum(axis=1)
