"""Sampled evaluation of a multi-modal graph network: of each user the scores of negatives and of positives."""

import math

import numpy as np


def accuracy(dataset, topk=10):
    sum_pre = sum_recall = sum_ndcg = 0.0
    users = 0
    for neg_score, pos_score in dataset:
        users += 1
        n_neg, n_pos = len(neg_score), len(pos_score)
        ranked = list(np.argsort(-np.concatenate((neg_score, pos_score)), kind="stable")[:topk])
        found = len([index for index in ranked if index >= n_neg])
        sum_pre += found / topk
        sum_recall += found / n_pos
        ndcg = 0.0
        for i in range(n_pos):
            if n_neg + i in ranked:
                ndcg += math.log(2) / math.log(ranked.index(n_neg + i) + 2)
        sum_ndcg += ndcg / n_pos
    return sum_pre / users, sum_recall / users, sum_ndcg / users
