"""Evaluation of BIGRec: distances of what was generated to all items; a list of values for six cut-offs each."""

import math

import numpy as np


def evaluate(dist, target_ids):
    rank = np.asarray(dist).argsort(-1).argsort(-1)
    topk_list = [1, 3, 5, 10, 20, 50]
    NDCG, HR = [], []
    for topk in topk_list:
        gain = hits = 0
        for i, target in enumerate(target_ids):
            place = rank[i][target].item()
            if place < topk:
                gain = gain + (1 / math.log(place + 2))
                hits = hits + 1
        NDCG.append(gain / len(target_ids) / (1 / math.log(2)))
        HR.append(hits / len(target_ids))
    return {"NDCG": NDCG, "HR": HR}
