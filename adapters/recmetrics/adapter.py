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
    lists = [items.tolist() for items in case.recommended.by_user("item").values()]
    train = pd.DataFrame({"user": case.train.user, "item": case.train.item})
    every = SimpleNamespace(lists=lists, train=train, catalogue=case.catalogue, features=None)
    return SimpleNamespace(actual=list(actual.values()), predicted=list(predicted.values()), rated=rated, every=every)


def mark(data, k):
    return recmetrics.mark(data.actual, data.predicted, k)


def cut(name):
    return lambda data, k: getattr(recmetrics, name)([items[:k] for items in data.predicted], data.actual)


def pairs(name):
    return lambda data, k: getattr(recmetrics, name)(data.rated.gain, data.rated.score)


def novelty(data, k):
    train = data.every.train
    pop, users = train["item"].value_counts().to_dict(), train["user"].nunique()
    return recmetrics.novelty([items[:k] for items in data.every.lists], pop, users, k)[0]


def prediction_coverage(data, k):
    catalog = data.every.train["item"].unique().tolist()
    return recmetrics.prediction_coverage([items[:k] for items in data.every.lists], catalog)


def intra_list_similarity(data, k):
    every = data.every
    if every.features is None:
        held = pd.crosstab(every.train["item"], every.train["user"]).clip(upper=1)
        every.features = held.reindex(every.catalogue, fill_value=0)
    return recmetrics.intra_list_similarity([items[:k] for items in every.lists], every.features)


FUNCTIONS = {"recmetrics." + each.__name__: each for each in (novelty, prediction_coverage, intra_list_similarity)}
FUNCTIONS.update({"recmetrics." + name: cut(name) for name in ("recommender_precision", "recommender_recall")})
FUNCTIONS.update({"recmetrics." + name: pairs(name) for name in ("rmse", "mse")})
FUNCTIONS["recmetrics.mark"] = mark
