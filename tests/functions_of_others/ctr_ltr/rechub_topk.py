"""Match metrics of a library of recommendation models: dicts of users, several cut-offs, lines of text."""

from collections import defaultdict

import numpy as np


def topk_metrics(y_true, y_pred, topKs=None):
    """y_true, y_pred: dicts of user to item ids; topKs: list or tuple"""
    if topKs is None:
        topKs = [5]
    assert len(y_true) == len(y_pred)
    if not isinstance(topKs, (tuple, list)):
        raise ValueError("topKs should be a tuple or a list")
    users = list(y_true)
    results = defaultdict(list)
    for k in topKs:
        sums = dict.fromkeys(("ndcg", "mrr", "hit", "precision", "recall"), 0.0)
        wanted = 0
        for u in users:
            truth, shown = y_true[u], y_pred[u]
            if len(truth) == 0:
                continue
            first, hits, dcg, idcg = 0.0, 0.0, 0.0, 0.0
            for j in range(k):
                if shown[j] in truth:
                    hits += 1.0
                    if not first:
                        first = 1.0 / (1 + j)
                    dcg += 1.0 / np.log2(j + 2)
                if j < len(truth):
                    idcg += 1.0 / np.log2(j + 2)
            wanted += len(truth)
            sums["hit"] += hits
            sums["mrr"] += first
            sums["recall"] += hits / len(truth)
            sums["precision"] += hits / k
            if idcg != 0:
                sums["ndcg"] += dcg / idcg
        n = len(users)
        results["NDCG"].append(f"NDCG@{k}: {round(sums['ndcg'] / n, 4)}")
        results["MRR"].append(f"MRR@{k}: {round(sums['mrr'] / n, 4)}")
        results["Recall"].append(f"Recall@{k}: {round(sums['recall'] / n, 4)}")
        results["Hit"].append(f"Hit@{k}: {round(sums['hit'] / wanted, 4)}")
        results["Precision"].append(f"Precision@{k}: {round(sums['precision'] / n, 4)}")
    return results


def hit_score(y_true, y_pred, topKs=None):
    return topk_metrics(y_true, y_pred, topKs)["Hit"]


def mrr_score(y_true, y_pred, topKs=None):
    return topk_metrics(y_true, y_pred, topKs)["MRR"]
