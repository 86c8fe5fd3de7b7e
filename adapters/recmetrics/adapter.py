"""recmetrics: functions of lists of lists, what is relevant and what is predicted, best first."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import recmetrics


def prepare(case):
    users = np.unique(np.concatenate([case.recommended.user, case.relevant.user])).tolist()
    actual, predicted = {user: [] for user in users}, {user: [] for user in users}
    for user, item in zip(case.relevant.user.tolist(), case.relevant.item.tolist()):
        actual[user].append(item)
    for user, item in zip(case.recommended.user.tolist(), case.recommended.item.tolist()):
        predicted[user].append(item)
    true = pd.DataFrame({"user": case.relevant.user, "item": case.relevant.item, "gain": case.relevant.gain})
    pred = pd.DataFrame({"user": case.recommended.user, "item": case.recommended.item, "score": case.recommended.score})
    rated = true.merge(pred, on=["user", "item"])
    return SimpleNamespace(actual=list(actual.values()), predicted=list(predicted.values()), rated=rated)


def mark(data, k):
    return recmetrics.mark(data.actual, data.predicted, k)


def cut(name):
    return lambda data, k: getattr(recmetrics, name)([items[:k] for items in data.predicted], data.actual)


def pairs(name):
    return lambda data, k: getattr(recmetrics, name)(data.rated.gain, data.rated.score)


FUNCTIONS = {"recmetrics." + name: cut(name) for name in ("recommender_precision", "recommender_recall")}
FUNCTIONS.update({"recmetrics." + name: pairs(name) for name in ("rmse", "mse")})
FUNCTIONS["recmetrics.mark"] = mark
