"""scikit-learn: ranking metrics of a row of labels and a row of scores for each user, or of flat labels and scores.

Longer than most: four forms of the data, as matrices, as flat rows of all users and as those of each user.
"""

from types import SimpleNamespace

import numpy as np
import sklearn.metrics
from audit_harness import Unaskable


def prepare(case):
    shown, truth = case.recommended, case.relevant
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item]))
    users = np.unique(np.concatenate([shown.user, truth.user]))
    size = (len(users), len(items))
    row, column = np.searchsorted(users, shown.user), np.searchsorted(items, shown.item)
    gains = np.zeros(size)
    gains[np.searchsorted(users, truth.user), np.searchsorted(items, truth.item)] = truth.gain
    listed = np.zeros(size, dtype=bool)
    listed[row, column] = True
    scores = np.zeros(size)
    scores[row, column] = shown.score
    if len(shown.user):
        lowest = np.where(listed, scores, np.inf).min(axis=1)
        scores = np.where(listed, scores, np.where(np.isfinite(lowest), lowest - 1 - abs(lowest), 0)[:, None])
    labels = (gains >= case.threshold).astype(int)
    return SimpleNamespace(
        users=users, row=row, column=column, score=shown.score, gains=gains, labels=labels, listed=listed,
        scores=scores, twice=len(shown.user) != listed.sum(),
    )  # fmt: skip


def labels(data, truth):
    true = getattr(data, truth)
    if (true[~data.listed] != 0).any():
        raise Unaskable("every label has a score: a relevant item that is not recommended has none")
    if data.twice:
        raise Unaskable("every item has one score: an item that is recommended twice has two")
    return true


def matrix(name, truth, cut, **options):
    def answer(data, k):
        true = labels(data, truth)
        return getattr(sklearn.metrics, name)(true, data.scores, **(dict(options, k=k) if cut else options))

    return answer


def candidates(data):
    return labels(data, "labels")[data.row, data.column]


def all_users(name):
    return lambda data, k: getattr(sklearn.metrics, name)(candidates(data), data.score)


def each_user(name):
    def answer(data, k):
        true, values = candidates(data), []
        for user in range(len(data.users)):
            own = data.row == user
            values.append(getattr(sklearn.metrics, name)(true[own], data.score[own]))
        return None, data.users, values

    return answer


NAME, NO_TIES = "sklearn.metrics.", {"ignore_ties": True}
FUNCTIONS = {
    NAME + "ndcg_score": matrix("ndcg_score", "gains", True),
    NAME + "ndcg_score[ignore_ties=True]": matrix("ndcg_score", "gains", True, **NO_TIES),
    NAME + "ndcg_score[y_true=labels]": matrix("ndcg_score", "labels", True),
    NAME + "dcg_score": matrix("dcg_score", "gains", True),
    NAME + "dcg_score[ignore_ties=True]": matrix("dcg_score", "gains", True, **NO_TIES),
    NAME + "dcg_score[log_base=10]": matrix("dcg_score", "gains", True, log_base=10),
    NAME + "label_ranking_average_precision_score": matrix("label_ranking_average_precision_score", "labels", False),
    NAME + "average_precision_score[average=samples]": matrix(
        "average_precision_score", "labels", False, average="samples"
    ),
}
for name in ("average_precision_score", "roc_auc_score"):
    FUNCTIONS[NAME + name + "[all users]"] = all_users(name)
    FUNCTIONS[NAME + name + "[each user]"] = each_user(name)
