"""AUC and grouped AUC written down for an interview on recommendation models."""

import collections


def auc(scores, labels):
    pairs = sorted(zip(scores, labels, strict=False), key=lambda p: p[0])
    n_pos = sum(labels)
    n_neg = len(labels) - n_pos
    value, seen = 0, 0
    for _, label in pairs:
        if label == 1:
            seen += 1
        else:
            value += seen
    return value / (n_pos * n_neg)


def gauc(scores, labels, user_id):
    by_user = collections.defaultdict(list)
    for score, label, user in zip(scores, labels, user_id, strict=False):
        by_user[user].append((score, label))
    per_user = {}
    for user, rows in by_user.items():
        s, y = zip(*rows, strict=False)
        per_user[user] = auc(s, y)
    rows_in_all = sum(len(rows) for rows in by_user.values())
    return sum(len(rows) * per_user[user] for user, rows in by_user.items()) / rows_in_all
