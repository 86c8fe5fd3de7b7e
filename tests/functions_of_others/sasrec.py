"""SASRec.pytorch #43: 1 + 100 candidates, the target first; rank read from index 0."""

import numpy as np


def evaluate(predictions, k=10):
    order = (-np.asarray(predictions, float)).argsort().argsort()
    rank = int(order[0])
    return (1 / np.log2(rank + 2), 1.0) if rank < k else (0.0, 0.0)


def evaluate_users(predictions, k=10):
    """Take a matrix, one row a user, the target in column 0."""
    values = [evaluate(row, k) for row in np.asarray(predictions, float)]
    return {"NDCG": float(np.mean([v[0] for v in values])), "HR": float(np.mean([v[1] for v in values]))}
