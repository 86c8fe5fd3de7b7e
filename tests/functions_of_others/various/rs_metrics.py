"""rs_metrics: dicts user -> list of items, or data frames with user_id and item_id."""

import numpy as np
import pandas as pd


def _dict(data):
    return data.groupby("user_id")["item_id"].agg(list).to_dict() if isinstance(data, pd.DataFrame) else data


def _user_mean(score, true, pred, k):
    true, pred = _dict(true), _dict(pred)
    return np.mean([score(true[user], pred.get(user, [])[:k]) for user in true])


def _found(true, pred):
    return pd.Series(pred, dtype=object).isin(true)


def _ndcg_score(true, pred):
    weights = 1 / np.log2(np.arange(len(pred)) + 2)
    return np.sum(_found(true, pred) * weights) / np.sum(weights[: len(true)])


def _map(true, pred):
    found = _found(true, pred)
    return (found.cumsum() / np.arange(1, len(pred) + 1) * found).mean()


def _mar(true, pred):
    found = _found(true, pred)
    return (found.cumsum() / len(true) * found).mean()


def ndcg(true, pred, k=10):
    return _user_mean(_ndcg_score, true, pred, k)


def mapr(true, pred, k=10):
    return _user_mean(_map, true, pred, k)


def mar(true, pred, k=10):
    return _user_mean(_mar, true, pred, k)
