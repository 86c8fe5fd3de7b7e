"""Top-n evaluation of matrix factorization: item numbers on top of each user, and the matrix of test ratings."""

import numpy as np


def recall_precision(topn, test_mat):
    hits = total_pred = total_true = 0.0
    for u in range(test_mat.shape[0]):
        hits += len([i for i in topn[u, :] if test_mat[u, i] > 0])
        total_pred += len(topn[u, :])
        total_true += np.sum(test_mat[u, :] > 0)
    return hits / total_true, hits / total_pred
