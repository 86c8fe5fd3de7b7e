"""GAUC of arrays, under the names that people give to what says whose each row is."""

import numpy as np


def _gauc(s, y, u):
    s, y, u = np.asarray(s, float), np.asarray(y, float), np.asarray(u)
    v = []
    for g in np.unique(u):
        a, b = s[(u == g) & (y > 0)], s[(u == g) & (y <= 0)]
        if len(a) and len(b):
            v.append(((a[:, None] > b) + 0.5 * (a[:, None] == b)).mean())
    return float(np.mean(v)) if v else float("nan")


def g1(preds, labels, user_of_row):
    return _gauc(preds, labels, user_of_row)


def g2(preds, labels, impression):
    return _gauc(preds, labels, impression)


def g3(preds, labels, sessions):
    return _gauc(preds, labels, sessions)


def g4(preds, labels, whose):
    return _gauc(preds, labels, whose)


def g6(logits, clicks, request_id):
    return _gauc(logits, clicks, request_id)


def h1(preds, labels, qid):
    return _gauc(preds, labels, qid)


def h2(preds, labels, session_ids):
    return _gauc(preds, labels, session_ids)


def h3(preds, labels, impression_ids):
    return _gauc(preds, labels, impression_ids)


def h4(preds, labels, query_ids):
    return _gauc(preds, labels, query_ids)


def h5(preds, labels, groups):
    return _gauc(preds, labels, groups)


def h6(preds, labels, group_id):
    return _gauc(preds, labels, group_id)
