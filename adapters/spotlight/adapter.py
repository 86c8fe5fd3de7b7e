"""Spotlight: its evaluation of test interactions, with a model that gives the scores of all items of a user.

Longer than most: test interactions as a matrix and as pairs, and the model that is replaced.
"""

from types import SimpleNamespace

import numpy as np
from audit_harness import Unaskable
from spotlight import evaluation
from spotlight.interactions import Interactions


def prepare(case):
    shown, truth = case.recommended, case.relevant
    users = np.unique(np.concatenate([shown.user, truth.user]))
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item]))
    scores = np.full((len(users), len(items)), -np.inf)
    scores[np.searchsorted(users, shown.user), np.searchsorted(items, shown.item)] = shown.score
    row, column = np.searchsorted(users, truth.user), np.searchsorted(items, truth.item)
    listed = np.isfinite(scores)
    rated = listed[row, column]
    return SimpleNamespace(
        users=truth.users,
        scores=scores,
        test=lambda: Interactions(row, column, num_users=len(users), num_items=len(items)),
        rated=lambda: Interactions(row[rated], column[rated], ratings=truth.gain[rated]),
        unlisted=set(row[~rated].tolist()),
        lengths=listed.sum(axis=1),
        twice=len(shown.user) != listed.sum(),
    )


class Model:
    def __init__(self, scores):
        self.scores = scores

    def predict(self, user_ids, item_ids=None):
        return self.scores[user_ids] if item_ids is None else self.scores[user_ids, item_ids]


def check(data, k):
    if data.twice:
        raise Unaskable("every item has one score: an item that is recommended twice has two")
    if any(k is None or data.lengths[user] < k for user in data.unlisted):
        raise Unaskable("every item has a score: a relevant item that is not recommended has none")


def precision_recall(place):
    def answer(data, k):
        check(data, k)
        values = evaluation.precision_recall_score(Model(data.scores), data.test(), k=k)[place]
        return None, data.users, np.atleast_1d(values)  # of one user it gives no array but the value

    return answer


def mrr(data, k):
    check(data, k)
    return None, data.users, evaluation.mrr_score(Model(data.scores), data.test())


def rmse(data, k):
    return evaluation.rmse_score(Model(data.scores), data.rated())


PLACE = "spotlight.evaluation."
FUNCTIONS = {
    PLACE + "precision_recall_score[precision]": precision_recall(0),
    PLACE + "precision_recall_score[recall]": precision_recall(1),
    PLACE + "mrr_score": mrr,
    PLACE + "rmse_score": rmse,
}
