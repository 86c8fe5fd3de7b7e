"""recmetrics: lists of lists, the truth first; mean average precision and recall, and precision of one list."""

import numpy as np


def _precision(predicted, actual):
    return sum(1 for item in predicted if item in actual) / float(len(predicted))


def _ark(actual, predicted, k=10):
    predicted = predicted[:k]
    score, found = 0.0, 0
    for place, item in enumerate(predicted):
        if item in actual and item not in predicted[:place]:
            found += 1
            score += found / (place + 1.0)
    if not actual:
        return 0.0
    return score / len(actual)


def _apk(actual, predicted, k=10):
    predicted = predicted[:k]
    if not predicted or not actual:
        return 0
    score, found = 0, 0
    for place, item in enumerate(predicted):
        if item in actual and item not in predicted[:place]:
            score += _precision(predicted[: place + 1], actual)
            found += 1
    return score / found if score else 0


def pk(actual, predicted, k):
    shown = predicted[:k] if len(predicted) > k else predicted
    return sum(item in actual for item in set(shown)) / len(shown)


def mark(actual, predicted, k=10):
    return np.mean([_ark(wanted, shown, k) for wanted, shown in zip(actual, predicted, strict=False)])


def mapk(actual, predicted, k=10):
    return np.mean([_apk(wanted, shown, k) for wanted, shown in zip(actual, predicted, strict=False)])
