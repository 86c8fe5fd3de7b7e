"""Neural Bellman-Ford networks: metrics of scores of all entities, with or without a mask of true negatives."""

import math

import numpy as np


def evaluate(pred, target, mask=None):
    """pred: (batch, entities); target: (batch,)"""
    pred = np.asarray(pred, float)
    own = pred[np.arange(len(pred)), target][:, None]
    above = own <= pred
    if mask is not None:
        above &= mask
    ranking = above.sum(axis=1) + 1
    hits = {f"hits@{threshold}": (ranking <= threshold).mean() for threshold in (1, 3, 10)}
    return {"mr": ranking.mean(), "mrr": (1 / ranking).mean(), **hits}


def evaluate_inductive(pred, target, mask, num_sample=50):
    """hits@k_50: as if against as many negatives"""
    pred = np.asarray(pred, float)
    own = pred[np.arange(len(pred)), target][:, None]
    ranking = ((own <= pred) & mask).sum(axis=1) + 1
    fp_rate = (ranking - 1) / mask.sum(axis=1)
    metric = {"mrr": (1 / ranking).mean()}
    for threshold in (1, 3, 10):
        score = 0
        for i in range(threshold):
            num_comb = math.factorial(num_sample) / math.factorial(i) / math.factorial(num_sample - i)
            score = score + num_comb * fp_rate**i * (1 - fp_rate) ** (num_sample - i)
        metric[f"hits@{threshold}_{num_sample}"] = score.mean()
    return metric
