"""scikit-learn: ``ndcg_score`` on matrices of users and items; items that are not listed score below all others."""

import numpy as np
from sklearn.metrics import ndcg_score

DEFINITIONS = {"ndcg": "ndcg@k|gain:linear"}


def convert(column, ordered):
    size = [int(max(column[name].max(), column["truth_" + name].max())) + 1 for name in ("user", "item")]
    score = np.full(size, column["score"].min() - 1)
    score[column["user"], column["item"]] = column["score"]
    gain = np.zeros(size)
    gain[column["truth_user"], column["truth_item"]] = column["truth_gain"]
    return gain, score


def usual(data, k):
    return {"ndcg": ndcg_score(*data, k=k)}
