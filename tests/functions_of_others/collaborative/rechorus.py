"""Runner of a recommender framework: scores of candidates, the ground truth in the first column."""

import numpy as np


def evaluate_method(predictions: np.ndarray, topk: list, metrics: list) -> dict[str, float]:
    results = {}
    place = np.argwhere((-predictions).argsort(axis=1) == 0)[:, 1] + 1
    for k in topk:
        inside = place <= k
        for metric in metrics:
            if metric == "HR":
                results[f"{metric}@{k}"] = inside.mean()
            elif metric == "NDCG":
                results[f"{metric}@{k}"] = (inside / np.log2(place + 1)).mean()
            else:
                raise ValueError(f"Undefined evaluation metric: {metric}.")
    return results
