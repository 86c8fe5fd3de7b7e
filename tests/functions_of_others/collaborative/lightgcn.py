"""Light graph convolution in PyTorch: a batch of hits in rows, and the test items of the users; numbers of a batch."""

import numpy as np


def RecallPrecision_ATk(test_data, r, k):
    found = r[:, :k].sum(1)
    held = np.array([len(items) for items in test_data])
    return {"recall": np.sum(found / held), "precision": np.sum(found) / k}


def NDCGatK_r(test_data, r, k):
    weights = 1.0 / np.log2(np.arange(2, k + 2))
    ideal = np.zeros((len(r), k))
    for row, items in enumerate(test_data):
        ideal[row, : min(k, len(items))] = 1
    best = (ideal * weights).sum(axis=1)
    best[best == 0.0] = 1.0
    values = (r[:, :k] * weights).sum(axis=1) / best
    values[np.isnan(values)] = 0.0
    return np.sum(values)
