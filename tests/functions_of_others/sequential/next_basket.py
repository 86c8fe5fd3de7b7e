"""Next-basket metrics of one user: the truth is a list, ranked items are counted up to k."""

import numpy as np


def get_HT(truth_list, pred_rank_list, k):
    for count, pred in enumerate(pred_rank_list):
        if count >= k:
            break
        if pred in truth_list:
            return 1
    return 0


def get_Recall(truth_list, pred_rank_list, k):
    correct = 0.0
    for count, pred in enumerate(pred_rank_list):
        if count >= k:
            break
        if pred in truth_list:
            correct += 1
    return correct / len(truth_list)


def precision(predict, truth, top_k=5):
    """Take two matrices, baskets x items."""
    predict, truth = np.asarray(predict, float), np.asarray(truth).astype(int)
    if top_k > predict.shape[1]:
        raise RuntimeError("selected index k out of range")
    chosen = np.zeros(predict.shape, int)
    np.put_along_axis(chosen, np.argsort(-predict, axis=1, kind="stable")[:, :top_k], 1, axis=1)
    tp, p = ((chosen == truth) & (truth == 1)).sum(-1), chosen.sum(-1)
    return float((tp / (p + 1e-7)).mean())
