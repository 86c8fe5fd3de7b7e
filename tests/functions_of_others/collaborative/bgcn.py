"""Bundle recommendation: a matrix of scores and one with ones for the bundles that a user has."""

import numpy as np


def get_is_hit(scores, ground_truth, topk):
    columns = np.argsort(-scores, axis=1)[:, :topk]
    return np.take_along_axis(ground_truth, columns, axis=1)


def mrr(scores, ground_truth, topk):
    found = get_is_hit(scores, ground_truth, topk) / np.arange(1, topk + 1)
    users = scores.shape[0] - (ground_truth.sum(axis=1) == 0).sum()
    return found.max(axis=1).sum() / users


def ndcg(scores, ground_truth, topk):
    weights = 1 / np.log2(np.arange(2, topk + 2))
    best = np.concatenate([[1.0], weights.cumsum()])
    held = ground_truth.sum(axis=1).clip(0, topk).astype(int)
    values = (get_is_hit(scores, ground_truth, topk) * weights).sum(axis=1) / best[held]
    users = scores.shape[0] - (held == 0).sum()
    return values.sum() / users
