"""Helpers of a recommender with cold items: of each user an array of positive scores and one of negative scores."""

import math

import numpy as np


def hr_ndcg_at_k(scores_pos, scores_neg, k=10):
    hr_list, ndcg_list = [], []
    for own, others in zip(scores_pos, scores_neg, strict=False):
        scores = np.concatenate([np.asarray(own), np.asarray(others)])
        labels = np.concatenate([np.ones(len(own)), np.zeros(len(others))])
        head = labels[np.argsort(-scores)][:k]
        dcg = 0.0
        for rank, label in enumerate(head, start=1):
            if label == 1:
                dcg = 1.0 / math.log2(rank + 1)
                break
        hr_list.append(1.0 if head.sum() > 0 else 0.0)
        ndcg_list.append(dcg / 1.0)
    return float(np.mean(hr_list)), float(np.mean(ndcg_list))
