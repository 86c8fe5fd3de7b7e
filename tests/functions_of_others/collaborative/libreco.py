"""List-wise metrics of a recommender package: dicts from user to items, the users to look at, k."""

import numpy as np


def precision_at_k(y_true_list, y_reco_list, users, k):
    each = []
    for u in users:
        each.append(len(set(y_reco_list[u]) & set(y_true_list[u])) / k)
    return np.mean(each)


def ndcg_at_k(y_true_list, y_reco_list, users, k):
    each = []
    for u in users:
        flags = np.zeros(k)
        _, _, where = np.intersect1d(list(set(y_true_list[u])), y_reco_list[u], assume_unique=True, return_indices=True)
        if where.size == 0:
            each.append(0)
            continue
        flags[where] = 1
        weights = 1 / np.log2(np.arange(2, k + 2))
        each.append(flags.dot(weights) / np.sort(flags)[::-1].dot(weights))
    return np.mean(each)
