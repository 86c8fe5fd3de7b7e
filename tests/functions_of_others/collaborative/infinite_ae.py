"""Evaluation of an infinitely wide autoencoder: logits of all items, the items of train and test of each user."""

import numpy as np

INF = 1e6


def evaluate(logits, train_positive, test_positive_set, topk=(10, 100)):
    metrics = {}
    logits = np.array(logits, dtype=float)
    for b in range(len(logits)):
        logits[b][train_positive[b]] = -INF
    ranked = (-logits).argsort()[:, : max(topk)].tolist()
    for k in topk:
        hr = ndcg = 0.0
        for b in range(len(logits)):
            held = test_positive_set[b]
            hr += len(set(ranked[b][:k]) & held) / float(min(len(held), k))
            got = best = 0.0
            for at, item in enumerate(ranked[b][:k]):
                if item in held:
                    got += 1.0 / np.log2(at + 2)
                if at < len(held):
                    best += 1.0 / np.log2(at + 2)
            ndcg += got / best
        metrics[f"HR@{k}"] = round(100.0 * hr / len(logits), 4)
        metrics[f"NDCG@{k}"] = round(100.0 * ndcg / len(logits), 4)
    return metrics


def fast_auc(y_true, y_prob):
    y_true = y_true[np.argsort(y_prob)]
    below, won = 0, 0
    for label in y_true:
        below += 1 - label
        won += label * below
    return won / (below * (len(y_true) - below))
