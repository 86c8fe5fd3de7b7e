"""Temporal-set metrics of DNNTSP: truth and scores as matrices over all items."""

import numpy as np


def _topk(y_pred, top_k):
    if top_k > y_pred.shape[-1]:
        raise RuntimeError("selected index k out of range")
    return np.argsort(-y_pred, axis=-1, kind="stable")[:, :top_k]


def _dcg(y_true, y_pred, top_k):
    gain = np.take_along_axis(y_true, _topk(y_pred, top_k), axis=-1)
    return (gain / np.log2(np.arange(gain.shape[-1]) + 2)).sum(-1)


def ndcg_score(y_true, y_pred, top_k):
    y_true, y_pred = np.asarray(y_true, float), np.asarray(y_pred, float)
    return (_dcg(y_true, y_pred, top_k) / _dcg(y_true, y_true, top_k)).mean()


def PHR(y_true, y_pred, top_k=5):
    y_true, y_pred = np.asarray(y_true, float), np.asarray(y_pred, float)
    predict = np.zeros(y_pred.shape)
    np.put_along_axis(predict, _topk(y_pred, top_k), 1, axis=1)
    hit_num = np.count_nonzero((predict * y_true).sum(axis=1))
    return hit_num / y_true.shape[0]
