"""NDCG and recall by session, as session recommenders have them."""

import numpy as np


def _ndcg(p, y, s, k=None):
    p, y, s = np.asarray(p, float), np.asarray(y, float), np.asarray(s)
    v = []
    for g in np.unique(s):
        a, b = y[s == g], p[s == g]
        w = 1 / np.log2(np.arange(len(a)) + 2)
        if k:
            w = np.where(np.arange(len(a)) < k, w, 0)
        ideal = (np.sort(a)[::-1] * w).sum()
        v.append((a[np.argsort(-b, kind="stable")] * w).sum() / ideal if ideal else 0.0)
    return float(np.mean(v))


def ndcg_sessions(predictions, labels, session_ids):
    return _ndcg(predictions, labels, session_ids)


def ndcg_sess_k(predictions, labels, session_ids, k):
    return _ndcg(predictions, labels, session_ids, k)


def recall_sess(logits, clicked, sid, k=10):
    p, y, s = np.asarray(logits, float), np.asarray(clicked, float), np.asarray(sid)
    v = []
    for g in np.unique(s):
        a, b = y[s == g], p[s == g]
        if (a > 0).any():
            v.append((a[np.argsort(-b, kind="stable")][:k] > 0).sum() / (a > 0).sum())
    return float(np.mean(v))
