"""Metrics of news recommendation by impression, asked for by texts such as "ndcg@5;10"."""

import numpy as np


def mrr_score(y_true, y_score):
    ranked = np.take(y_true, np.argsort(y_score)[::-1])
    return np.sum(ranked / (np.arange(len(ranked)) + 1)) / np.sum(ranked)


def dcg_score(y_true, y_score, k=10):
    k = min(np.shape(y_true)[-1], k)
    top = np.take(y_true, np.argsort(y_score)[::-1][:k])
    return np.sum((2**top - 1) / np.log2(np.arange(k) + 2))


def ndcg_score(y_true, y_score, k=10):
    return dcg_score(y_true, y_score, k) / dcg_score(y_true, y_true, k)


def hit_score(y_true, y_score, k=10):
    wanted = np.where(np.asarray(y_true) == 1)[0]
    for index in np.argsort(y_score)[::-1][:k]:
        if index in wanted:
            return 1
    return 0


def compute_metrics(labels, preds, metrics):
    """labels, preds: a list for each impression"""
    res = {}
    for metric in metrics:
        name, _, cutoffs = metric.partition("@")
        if metric == "mean_mrr":
            res[metric] = round(np.mean([mrr_score(y, s) for y, s in zip(labels, preds, strict=False)]), 4)
        elif name in ("ndcg", "hit"):
            one = ndcg_score if name == "ndcg" else hit_score
            for k in [int(part) for part in cutoffs.split(";")] if cutoffs else [1, 2]:
                value = np.mean([one(y, s, k) for y, s in zip(labels, preds, strict=False)])
                res[f"{name}@{k}"] = round(value, 4)
        else:
            raise ValueError(f"no metric {metric}")
    return res
