"""Functions of (labels of the ranked items, k)."""

import numpy as np


def ndcg_of_2002(relevance, k):
    def dcg(gains):
        gains = np.asarray(gains, dtype=float)[:k]
        return (gains / np.log2(np.maximum(np.arange(1, len(gains) + 1), 2))).sum()

    best = dcg(sorted(relevance, reverse=True))
    return dcg(relevance) / best if best else 0.0


def ndcg_ideal_of_the_top(relevance, k):
    top = 2.0 ** np.asarray(relevance, dtype=float)[:k] - 1
    discount = np.log2(np.arange(2, len(top) + 2))
    best = (np.sort(top)[::-1] / discount).sum()
    return (top / discount).sum() / best if best else 0.0


def reciprocal_rank_one_too_far(relevance, k):
    for place, label in enumerate(relevance[:k]):
        if label > 0:
            return 1 / (place + 2)
    return 0.0
