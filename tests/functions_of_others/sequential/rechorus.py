"""Evaluation of ReChorus: the first column is the item to be found; cut-offs and metrics are lists."""

import numpy as np


def evaluate_method(predictions: np.ndarray, topk: list, metrics: list):
    evaluations = {}
    sort_idx = (-np.asarray(predictions, float)).argsort(axis=1)
    gt_rank = np.argwhere(sort_idx == 0)[:, 1] + 1
    for k in topk:
        hit = gt_rank <= k
        for metric in metrics:
            key = f"{metric}@{k}"
            if metric == "HR":
                evaluations[key] = hit.mean()
            elif metric == "NDCG":
                evaluations[key] = (hit / np.log2(gt_rank + 1)).mean()
            else:
                raise ValueError(f"Undefined evaluation metric: {metric}.")
    return evaluations
