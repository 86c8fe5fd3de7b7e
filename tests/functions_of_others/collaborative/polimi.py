"""Evaluation of a study of reproducibility: a boolean array that says of each recommended item if it is relevant."""

import numpy as np


def roc_auc(is_relevant):
    place = np.arange(len(is_relevant))
    good, bad = place[is_relevant], place[~is_relevant]
    if len(bad) == 0:
        return 1.0
    score = 0.0
    if len(good) > 0:
        for one in good:
            score += (one < bad).sum()
        score /= len(good) * len(bad)
    return score


def arhr(is_relevant):
    return is_relevant.dot(1 / np.arange(1, len(is_relevant) + 1, 1.0))


def precision_recall_min_denominator(is_relevant, n_test_items):
    if len(is_relevant) == 0:
        return 0.0
    return is_relevant.sum() / min(n_test_items, len(is_relevant))
