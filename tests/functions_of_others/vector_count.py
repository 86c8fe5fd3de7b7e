"""KGAT, NGCF family: the vector of hits, k, and the number of relevant items of the user; HR, recall, F1."""

import numpy as np


def recall_at_k(r, k, all_pos_num):
    return float(np.asarray(r, float)[:k].sum() / all_pos_num)


def f1_at_k(r, k, all_pos_num):
    pre, rec = float(np.mean(np.asarray(r, float)[:k])), recall_at_k(r, k, all_pos_num)
    return 2 * pre * rec / (pre + rec) if pre + rec else 0.0


def average_precision(r, cut):
    r = np.asarray(r)[:cut]
    out = [r[: i + 1].mean() for i in range(len(r)) if r[i]]
    return float(np.sum(out) / min(cut, r.sum())) if out else 0.0
