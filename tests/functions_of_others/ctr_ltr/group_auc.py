"""AUC by group, as scripts for click-through competitions and libraries of recommendation models have it."""

from collections import defaultdict

import numpy as np


def roc_auc_score(y_true, y_score):
    y_true, y_score = np.asarray(y_true), np.asarray(y_score, float)
    high, low = y_score[y_true > 0], y_score[y_true <= 0]
    if not len(high) or not len(low):
        raise ValueError("only one class present in y_true")
    return float(((high[:, None] > low) + 0.5 * (high[:, None] == low)).mean())


def _both_kinds(values):
    if not values:
        return False
    return any(v != values[0] for v in values[1:])


def gauc(labels, preds, uids):
    assert len(uids) == len(labels)
    assert len(uids) == len(preds)
    scores, truths = defaultdict(list), defaultdict(list)
    for row, truth in enumerate(labels):
        scores[uids[row]].append(preds[row])
        truths[uids[row]].append(truth)
    total, impressions = 0, 0
    for uid in truths:
        if _both_kinds(truths[uid]):
            total += roc_auc_score(np.asarray(truths[uid]), np.asarray(scores[uid])) * len(truths[uid])
            impressions += len(truths[uid])
    return round(float(total) / impressions if impressions else 0, 6)


def _user_pred(y_true, y_pred, users):
    found = {}
    for i, u in enumerate(users):
        own = found.setdefault(u, {"y_true": [], "y_pred": []})
        own["y_true"].append(y_true[i])
        own["y_pred"].append(y_pred[i])
    return found


def gauc_score(y_true, y_pred, users, weights=None):
    """weights: dict of user to weight; without it, a user weighs as much as it has rows"""
    assert len(y_true) == len(y_pred) and len(y_true) == len(users)
    score = num = 0
    for u, own in _user_pred(y_true, y_pred, users).items():
        weight = len(own["y_true"]) if weights is None else weights[u]
        score += roc_auc_score(own["y_true"], own["y_pred"]) * weight
        num += weight
    return score / num
