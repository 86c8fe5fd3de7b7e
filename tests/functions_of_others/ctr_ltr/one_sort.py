"""Group metrics of click-through models by one sort of the group ids."""

from collections import OrderedDict

import numpy as np


def _auc_of_ranks(y, s):
    order = np.argsort(s, kind="mergesort")
    y, s = y[order], s[order]
    starts = np.r_[0, np.flatnonzero(s[1:] != s[:-1]) + 1]
    ends = np.r_[starts[1:], len(s)]
    positives = np.add.reduceat(y, starts).astype(float)
    n_pos = int(y.sum())
    ranks = np.dot(positives, (starts + 1 + ends) * 0.5)
    return (ranks - n_pos * (n_pos + 1) * 0.5) / (n_pos * (len(y) - n_pos))


def _reciprocal(y, s):
    y = y[np.argsort(s)[::-1]]
    return float(np.sum(y / (np.arange(len(y)) + 1)) / (np.sum(y) + 1e-12))


def _ndcg(y, s, k):
    def dcg(by):
        top = y[np.argsort(by)[::-1][:k]]
        return np.sum((2**top - 1) / np.log2(np.arange(len(top)) + 2))

    return float(dcg(s) / (dcg(y) + 1e-12))


def evaluate_groups(y_true, y_pred, group_id, group_metrics=("gAUC", "avgAUC", "MRR", "NDCG(5)")):
    y_true, y_pred = np.asarray(y_true).reshape(-1), np.asarray(y_pred, float).reshape(-1)
    group_id = np.asarray(group_id).reshape(-1)
    if not len(y_true) == len(y_pred) == len(group_id):
        raise ValueError("lengths differ")
    order = np.argsort(group_id, kind="mergesort")
    y_true, y_pred, group_id = y_true[order], y_pred[order], group_id[order]
    cuts = np.flatnonzero(group_id[1:] != group_id[:-1]) + 1
    sums = OrderedDict((name, 0.0) for name in group_metrics)
    weights = dict.fromkeys(group_metrics, 0.0)
    for labels, scores in zip(np.split(y_true, cuts), np.split(y_pred, cuts), strict=False):
        clicked = (labels > 0).astype(int)
        mixed = 0 < clicked.sum() < len(clicked)
        for name in group_metrics:
            weight = 1.0
            if name in ("gAUC", "avgAUC"):
                if not mixed:
                    continue
                value = _auc_of_ranks(clicked, scores)
                weight = float(len(clicked)) if name == "gAUC" else 1.0
            elif name == "MRR":
                value = _reciprocal(clicked, scores)
            else:
                value = _ndcg(clicked, scores, int(name[5:-1]))
            sums[name] += value * weight
            weights[name] += weight
    return OrderedDict((name, sums[name] / weights[name] if weights[name] else 0.0) for name in group_metrics)
