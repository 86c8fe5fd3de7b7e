"""Group recommendation: columns of candidates sorted by score, the true item being column 0 of the candidates."""

import math

import numpy as np


def get_hit_k(pred_rank, k):
    return round(np.count_nonzero(pred_rank[:, :k] == 0) / pred_rank.shape[0], 5)


def get_ndcg_k(pred_rank, k):
    gains = np.zeros(pred_rank.shape[0])
    for user in range(pred_rank.shape[0]):
        for at in range(k):
            if pred_rank[user][at] == 0:
                gains[user] = math.log(2) / math.log(at + 2)
    return np.round(np.mean(gains), decimals=5)
