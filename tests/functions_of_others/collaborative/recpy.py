"""Metrics of a course on recommender systems: the ranked list and the positive items as arrays, cut by at."""

import numpy as np


def precision(ranked_list, pos_items, at=None):
    head = ranked_list[:at]
    flags = np.isin(head, pos_items)
    return flags.sum() / len(head)


def map(ranked_list, pos_items, at=None):
    head = ranked_list[:at]
    flags = np.isin(head, pos_items)
    steps = flags * np.cumsum(flags) / np.arange(1, len(head) + 1)
    return steps.sum() / min(pos_items.shape[0], len(head))


def dcg(scores):
    return ((np.power(2.0, scores) - 1) / np.log(np.arange(len(scores)) + 2)).sum()


def ndcg(ranked_list, pos_items, relevance=None, at=None):
    if relevance is None:
        relevance = np.ones_like(pos_items)
    worth = dict(zip(pos_items, relevance, strict=True))
    gained = np.array([worth.get(item, 0.0) for item in ranked_list[:at]])
    return dcg(gained) / dcg(np.sort(relevance)[::-1])
