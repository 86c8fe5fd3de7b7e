"""The metric of many Kaggle contests (products of a customer, tracks, events): MAP over lists of lists."""

import numpy as np


def apk(actual, predicted, k=10):
    if not actual:
        return 1.0
    predicted = predicted[:k] if len(predicted) > k else predicted
    total, found = 0.0, 0.0
    for place, item in enumerate(predicted):
        if item in actual and item not in predicted[:place]:
            found += 1.0
            total += found / (place + 1.0)
    return total / min(len(actual), k)


def mapk(actual, predicted, k=10):
    return np.mean([apk(a, p, k) for a, p in zip(actual, predicted, strict=False)])
