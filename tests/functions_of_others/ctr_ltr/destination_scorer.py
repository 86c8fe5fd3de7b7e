"""Scorer of a competition on the first booking of a new user: classes are ranked by their probabilities."""

import numpy as np


def dcg_score(y_true, y_score, k=5):
    top = np.take(y_true, np.argsort(y_score)[::-1][:k])
    return np.sum((2**top - 1) / np.log2(np.arange(len(top)) + 2))


def ndcg_score(ground_truth, predictions, k=5):
    """ground_truth: a class for each sample; predictions: (samples, classes)"""
    classes = np.arange(len(predictions) + 1)
    one_hot = (np.asarray(ground_truth)[:, None] == classes).astype(int)
    scores = []
    for y_true, y_score in zip(one_hot, predictions, strict=False):
        actual = dcg_score(y_true, y_score, k)
        best = dcg_score(y_true, y_true, k)
        scores.append(float(actual) / float(best))
    return np.mean(scores)
