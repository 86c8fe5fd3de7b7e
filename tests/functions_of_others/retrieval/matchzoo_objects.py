"""Text matching: metrics as objects that hold the cut-off and are called with labels and scores of one query."""

import math

import numpy as np


def sort_and_couple(labels, scores):
    return np.array(sorted(zip(labels, scores, strict=True), key=lambda pair: pair[1], reverse=True))


class DiscountedCumulativeGain:
    def __init__(self, k=1, threshold=0.0):
        self._k, self._threshold = k, threshold

    def __call__(self, y_true, y_pred):
        if self._k <= 0:
            return 0.0
        total = 0.0
        for place, (label, _) in enumerate(sort_and_couple(y_true, y_pred)[: self._k]):
            if label > self._threshold:
                total += (math.pow(2.0, label) - 1.0) / math.log(2.0 + place)
        return total


class MeanAveragePrecision:
    def __init__(self, k=1, threshold=0.0):
        if k <= 0:
            raise ValueError(f"k must be greater than 0. {k} received.")
        self._k, self._threshold = k, threshold

    def __call__(self, y_true, y_pred):
        total, found = 0.0, 0
        for place, (label, _) in enumerate(sort_and_couple(y_true, y_pred)):
            if label > self._threshold:
                found += 1.0
                total += found / (place + 1.0) if place < self._k else 0.0
        return total / found if found else 0.0


dcg_at_5 = DiscountedCumulativeGain(k=5)
map_at_3 = MeanAveragePrecision(k=3)
