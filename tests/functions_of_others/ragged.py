"""NDCG of matrices, which refuses lists of unequal length; the truth is cut at k, too."""

import numpy as np


def ndcg_m(retrieved, expected, k=10):
    a, b = np.array(retrieved)[:, :k], np.array(expected)[:, :k]
    w = 1 / np.log2(np.arange(2, a.shape[1] + 2))
    dcg = np.array([(np.isin(x, y) * w).sum() for x, y in zip(a, b, strict=False)])
    return float((dcg / (1 / np.log2(np.arange(2, b.shape[1] + 2))).sum()).mean())
