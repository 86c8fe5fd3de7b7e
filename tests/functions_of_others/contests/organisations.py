"""Yandex Cup, places to eat: two tables of users, with lists of organisations in a column."""

import numpy as np


def user_mnap(y_true, preds, N):
    preds = np.asarray(preds[:N])
    scores = np.zeros(len(preds))
    weights = np.array([1 / place for place in range(1, len(preds) + 1)])
    for place, pred in enumerate(preds):
        if pred in y_true:
            scores[place] = 1
    return np.sum(np.cumsum(scores) * scores / weights) / min(len(y_true), N)


def mnap(y_true, y_predict, N=20):
    """columns user_id and target"""
    match = y_true.merge(y_predict, on="user_id")
    return match.apply(lambda r: user_mnap(r["target_x"], r["target_y"], N), axis=1).mean()


def recall(y_true, y_predict):
    match = y_true.merge(y_predict, on="user_id")
    return match.apply(lambda r: len(np.intersect1d(r["target_x"], r["target_y"])) / len(r["target_x"]), axis=1).mean()
