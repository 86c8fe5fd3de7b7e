"""Adversarial personalized ranking: the scores of one user's candidates, the held-out item at the end of the array."""

import math

import numpy as np


def eval_by_user(predictions, K=100):
    predictions = np.asarray(predictions).reshape(-1)
    others, own = predictions[:-1], predictions[-1]
    position = (others >= own).sum()
    hr, ndcg, auc = [], [], []
    for k in range(1, K + 1):
        hr.append(position < k)
        ndcg.append(math.log(2) / math.log(position + 2) if position < k else 0)
        auc.append(1 - position / len(others))
    return hr, ndcg, auc
