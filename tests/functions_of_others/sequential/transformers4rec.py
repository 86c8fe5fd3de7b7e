"""Metrics of Transformers4Rec: scores and labels of all items; an array with the mean at each of two cut-offs."""

import numpy as np

TOP_KS = (2, 5)


def _extract_topk(ks, scores, labels):
    order = np.argsort(-scores, axis=1, kind="stable")[:, : max(ks)]
    return np.take_along_axis(scores, order, axis=1), np.take_along_axis(labels, order, axis=1)


def _dcg_at(ks, scores, labels):
    _, top = _extract_topk(ks, scores, labels)
    discounts = 1 / np.log2(np.arange(top.shape[1]) + 2)
    return np.stack([(top[:, :k] * discounts[:k]).sum(axis=1) for k in ks], axis=1)


def ndcg_at(preds, target):
    scores, labels = np.asarray(preds, float), np.asarray(target, float)
    top_scores, top_labels = _extract_topk(TOP_KS, scores, labels)
    gains = _dcg_at(TOP_KS, top_scores, top_labels)
    normalizing = _dcg_at(TOP_KS, top_labels, top_labels)
    there = normalizing != 0
    gains[~there] = 0
    gains[there] /= normalizing[there]
    return gains.mean(0)


def recall_at(preds, target):
    scores, labels = np.asarray(preds, float), np.asarray(target, float)
    _, top_labels = _extract_topk(TOP_KS, scores, labels)
    number = labels.sum(axis=-1)
    some = number != 0
    recalls = np.zeros((len(scores), len(TOP_KS)))
    for at, k in enumerate(TOP_KS):
        recalls[some, at] = top_labels[some, :k].sum(axis=-1) / number[some]
    return recalls.mean(0)
