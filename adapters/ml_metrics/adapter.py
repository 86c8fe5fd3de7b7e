"""ml_metrics: functions of lists of what is relevant and what is predicted, best first, and of labels and scores."""

from types import SimpleNamespace

import ml_metrics
import numpy as np
import pandas as pd
from audit_harness import Unaskable


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
    return SimpleNamespace(
        users=users, actual=actual, predicted=predicted, true=true, pred=pred, rated=rated, threshold=case.threshold
    )


def mapk(data, k):
    return ml_metrics.mapk(list(data.actual.values()), list(data.predicted.values()), k)


def apk(data, k):
    return None, data.users, [ml_metrics.apk(data.actual[user], data.predicted[user], k) for user in data.users]


def auc(data, k):
    positive = data.true[data.true.gain >= data.threshold].drop_duplicates(["user", "item"])
    labelled = data.pred.merge(positive, how="left", on=["user", "item"])
    if labelled.gain.count() != len(positive) or data.pred.duplicated(["user", "item"]).any():
        raise Unaskable("every label has one score: a relevant item that is not recommended has none")
    values = []
    for user in data.users:
        own = labelled[labelled.user == user]
        values.append(ml_metrics.auc(own.gain.notna().astype(int).tolist(), own.score.tolist()))
    return None, data.users, values


def pairs(name):
    return lambda data, k: getattr(ml_metrics, name)(data.rated.gain.to_numpy(), data.rated.score.to_numpy())


FUNCTIONS = {"ml_metrics." + name: pairs(name) for name in ("rmse", "mse", "mae")}
FUNCTIONS.update({"ml_metrics.mapk": mapk, "ml_metrics.apk": apk, "ml_metrics.auc": auc})
