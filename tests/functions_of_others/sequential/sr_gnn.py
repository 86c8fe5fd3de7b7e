"""Test loop of SR-GNN: scores of all items but the padding item, item ids as targets; (hit, mrr) in percent."""

import numpy as np


def evaluate(scores, targets):
    hit, mrr = [], []
    sub_scores = np.argsort(-np.asarray(scores), axis=1)[:, :20]
    for row, target in zip(sub_scores, targets, strict=False):
        hit.append(np.isin(target - 1, row))
        if len(np.where(row == target - 1)[0]) == 0:
            mrr.append(0)
        else:
            mrr.append(1 / (np.where(row == target - 1)[0][0] + 1))
    return np.mean(hit) * 100, np.mean(mrr) * 100
