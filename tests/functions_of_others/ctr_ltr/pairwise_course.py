"""Scores from small implementations of pairwise and listwise networks."""

import math

import numpy as np


def ndcg_k(scores, k):
    """scores: labels of the documents of one query in ranked order"""

    def dcg(labels):
        return sum((np.power(2.0, label) - 1) / np.log2(place + 2) for place, label in enumerate(labels))

    best = dcg(sorted(scores)[::-1][:k])
    if best == 0:
        return np.nan
    return dcg(scores[:k]) / best


def _discounted(labels):
    return np.sum((np.power(2, labels) - 1) / np.log2(np.arange(2, labels.size + 2)))


def ndsg(predicted_ranks, actual_ranks):
    """predicted_ranks, actual_ranks: predicted and true grade of each document of a query"""
    actual_ranks += 1
    found = actual_ranks[np.flip(np.argsort(predicted_ranks))]
    return _discounted(found) / _discounted(np.flip(np.sort(actual_ranks)))


def test_step(model, ranknet_test_ds):
    values = []
    for batch in ranknet_test_ds:
        label, pred = np.asarray(batch["y"]), np.asarray(model.predict(batch["data"])).squeeze(1)
        best, found = np.sort(label)[::-1][:10], label[np.argsort(pred)[::-1][:10]]
        value = _discounted(found) / _discounted(best)
        if not math.isnan(value):
            values.append(value)

        return sum(values) / len(values)
    return None
