"""A recommendation pipeline: metrics of one user's list, which is cut before."""

import numpy as np


def get_ndcg(pred_list, true_list):
    ndcg = 0
    for rank, pred in enumerate(pred_list):
        if pred in true_list:
            ndcg += 1 / np.log2(rank + 2)
    return ndcg
