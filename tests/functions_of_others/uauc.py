"""torchrec PR3781: AUC by user; left out: one label only, under two rows, all predictions equal. wuAUC: by rows."""

import numpy as np


def _auc(labels, scores):
    pos, neg = scores[labels > 0], scores[labels <= 0]
    diff = pos[:, None] - neg[None, :]
    return ((diff > 0) + 0.5 * (diff == 0)).mean()


def uauc(predictions, labels, user_ids, weighted=False):
    predictions, labels, user_ids = np.asarray(predictions, float), np.asarray(labels, float), np.asarray(user_ids)
    total = weight = 0.0
    for user in np.unique(user_ids):
        own = user_ids == user
        y, s = labels[own], predictions[own]
        if len(y) < 2 or (y > 0).all() or not (y > 0).any() or (s == s[0]).all():
            continue
        w = len(y) if weighted else 1.0
        total, weight = total + w * _auc(y, s), weight + w
    return total / weight if weight else 0.5


def wuauc(predictions, labels, user_ids):
    return uauc(predictions, labels, user_ids, weighted=True)
