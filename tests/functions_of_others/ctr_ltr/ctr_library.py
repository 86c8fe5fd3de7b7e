"""Metrics of a library of click-through models: some return a value and its weight, one is an object."""

from collections import OrderedDict

import numpy as np
import pandas as pd


def _roc_auc(y_true, y_pred):
    ranks = pd.Series(y_pred).rank().to_numpy()
    pos = y_true > 0
    n_pos, n_neg = pos.sum(), (~pos).sum()
    return (ranks[pos].sum() - n_pos * (n_pos + 1) / 2) / (n_pos * n_neg)


def avgAUC(y_true, y_pred):
    if 0 < np.sum(y_true) < len(y_true):
        return (_roc_auc(y_true, y_pred), 1)
    return (0, 0)


def gAUC(y_true, y_pred):
    if 0 < np.sum(y_true) < len(y_true):
        return (_roc_auc(y_true, y_pred) * len(y_true), len(y_true))
    return (0, 0)


def MRR(y_true, y_pred):
    y_true = np.take(y_true, np.argsort(y_pred)[::-1])
    return np.sum(y_true / (np.arange(len(y_true)) + 1)) / (np.sum(y_true) + 1e-12)


class NDCG:
    def __init__(self, k=1):
        self.topk = k

    def dcg_score(self, y_true, y_pred):
        top = np.take(y_true, np.argsort(y_pred)[::-1][: self.topk])
        return np.sum((2**top - 1) / np.log2(np.arange(len(top)) + 2))

    def __call__(self, y_true, y_pred):
        best = self.dcg_score(y_true, y_true)
        return self.dcg_score(y_true, y_pred) / (best + 1e-12)


_KNOWN = {"avgAUC": avgAUC, "gAUC": gAUC, "MRR": MRR}


def evaluate_metrics(y_true, y_pred, metrics, group_id=None):
    """metrics: names such as gAUC, avgAUC, MRR, NDCG(5)"""
    assert group_id is not None, "a group is needed"
    table = pd.DataFrame({"group_index": group_id, "y_true": y_true, "y_pred": y_pred})
    result = OrderedDict()
    for metric in metrics:
        of_one = NDCG(k=int(metric[5:-1])) if metric.startswith("NDCG(") else _KNOWN[metric]
        values = []
        for _, group in table.groupby("group_index", sort=False):
            value = of_one(group["y_true"].to_numpy(), group["y_pred"].to_numpy())
            values.append(value if isinstance(value, tuple) else (value, 1))
        total, weight = np.array(values).sum(0)
        result[metric] = total / weight
    return result
