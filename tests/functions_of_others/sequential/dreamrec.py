"""Evaluation of DreamRec: lists with the best item last; hits and gains are added to arrays that are given."""

import numpy as np


def calculate_hit(sorted_list, topk, true_items, hit_purchase, ndcg_purchase):
    for i in range(len(topk)):
        rec_list = sorted_list[:, -topk[i] :]
        for j in range(len(true_items)):
            if true_items[j] in rec_list[j]:
                rank = topk[i] - np.argwhere(rec_list[j] == true_items[j])[0][0]
                hit_purchase[i] += 1.0
                ndcg_purchase[i] += 1.0 / np.log2(rank + 1)


def evaluate(sorted_list, true_items, topk=(1, 5, 10)):
    sorted_list = np.asarray(sorted_list)
    hits, gains = np.zeros(len(topk)), np.zeros(len(topk))
    calculate_hit(sorted_list, topk, true_items, hits, gains)
    return hits / len(true_items), gains / len(true_items)
