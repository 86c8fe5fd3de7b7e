"""Mobility prediction: top-1, top-5 and top-10 of a batch; place 0 is padding."""

import numpy as np


def get_acc(target, scores):
    top10 = np.argsort(-np.asarray(scores), axis=1)[:, :10]
    acc = np.zeros((3, 1))
    for wanted, places in zip(np.asarray(target), top10, strict=True):
        if wanted in places[:10] and wanted > 0:
            acc[0] += 1
        if wanted in places[:5] and wanted > 0:
            acc[1] += 1
        if wanted == places[0] and wanted > 0:
            acc[2] += 1
    return acc
