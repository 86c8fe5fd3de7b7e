"""Yandex Cup 2022, likes of tracks: a metric for boosted trees, of flat predictions, targets and sizes of groups."""

import numpy as np


def mrr(preds, targets, groups):
    total, first = 0.0, 0
    for size in groups:
        order = np.argsort(preds[first : first + size])[::-1]
        for place in range(min(len(order), 100)):
            if targets[first + order[place]] == 1:
                total += 1 / (place + 1)
        first += size
    return total / len(groups)
