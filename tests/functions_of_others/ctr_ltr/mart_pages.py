"""Validation score of boosted regression trees for ranking: pages are runs of rows of one query."""

import math

import numpy as np


def groupby(score, query):
    pages, last = [], None
    for s, q in zip(score, query, strict=False):
        if q != last:
            pages.append([])
            last = q
        pages[-1].append(s)
    return [np.array(page) for page in pages]


def _point(rel, i):
    return rel if i == 0 else rel / math.log(1 + i, 2)


def compute_dcg(array):
    return sum(_point(rel, i) for i, rel in enumerate(array))


def compute_ndcg(page, k=10):
    best = compute_dcg(np.sort(page)[::-1][:k])
    if best == 0:
        return 1
    return compute_dcg(page[:k]) / best


def ndcg(prediction, true_score, query, k=10):
    truths, predictions = groupby(true_score, query), groupby(prediction, query)
    values = [compute_ndcg(t[np.argsort(p)[::-1]], k) for t, p in zip(truths, predictions, strict=False)]
    return sum(values) / len(values)
