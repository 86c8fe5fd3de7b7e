"""KPI functions of a benchmark for reproducible recommendation: truth by user, a matrix of lists, and its users."""

import numpy as np


def MAP(test_ur, pred_ur, test_u):
    res = []
    for row, user in enumerate(test_u):
        found = np.isin(pred_ur[row], list(test_ur[user]))
        pre = [found[: at + 1].sum() / (at + 1) for at in range(found.size) if found[at]]
        res.append(np.mean(pre) if pre else 0.0)
    return np.mean(res)


def NDCG(test_ur, pred_ur, test_u):
    def dcg(flags):
        flags = np.asarray(flags, dtype=float)
        return (np.power(2, flags) - 1).dot(1 / np.log2(np.arange(2, flags.size + 2)))

    res = []
    for row, user in enumerate(test_u):
        found = np.isin(pred_ur[row], list(test_ur[user]))
        top = dcg(sorted(found, reverse=True))
        res.append(dcg(found) / top if top else 0.0)
    return np.mean(res)


def AUC(test_ur, pred_ur, test_u):
    res = []
    for row, user in enumerate(test_u):
        found = np.isin(pred_ur[row], list(test_ur[user]))
        n_pos = found.sum()
        n_neg = len(pred_ur[row]) - n_pos
        pairs = 0
        for at in range(len(found) - 1):
            if found[at]:
                pairs += (~found[at + 1 :]).sum()
        res.append(pairs / (n_pos * n_neg))
    return np.mean(res)


def F1(test_ur, pred_ur, test_u):
    res = []
    for row, user in enumerate(test_u):
        n_hit = np.isin(pred_ur[row], list(test_ur[user])).sum()
        pre = n_hit / len(pred_ur[row])
        rec = n_hit / len(test_ur[user])
        res.append(2 * pre * rec / (pre + rec))
    return np.mean(res)
