"""A benchmark of temporal graphs: scores of positive edges (batch,) and of their negatives (batch, n)."""

import numpy as np


def eval_rnk_metrics(y_pred_pos, y_pred_neg, k):
    pos, neg = np.asarray(y_pred_pos, float).reshape(-1, 1), np.asarray(y_pred_neg, float)
    optimistic = (neg >= pos).sum()
    pessimistic = (neg > pos).sum()
    ranking = 0.5 * (optimistic + pessimistic) + 1
    hits = (ranking <= k).astype(np.float32)
    return {f"hits@{k}": hits.mean(), "mrr": (1.0 / ranking.astype(np.float32)).mean()}


def eval_rnk_metrics_rowwise(y_pred_pos, y_pred_neg, k):
    pos, neg = np.asarray(y_pred_pos, float).reshape(-1, 1), np.asarray(y_pred_neg, float)
    optimistic = (neg > pos).sum(axis=1)
    pessimistic = (neg >= pos).sum(axis=1)
    ranking = 0.5 * (optimistic + pessimistic) + 1
    return {f"hits@{k}": (ranking <= k).mean(), "mrr": (1.0 / ranking).mean()}
