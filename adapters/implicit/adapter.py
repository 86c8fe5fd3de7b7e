"""implicit: functions that ask a model for the lists of all users of a test matrix."""

from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp
from implicit import evaluation


class Given:
    """Recommends the lists it was given, as its models do: a row for each user, -1 where there is nothing more."""

    def __init__(self, lists):
        self.lists = lists

    def recommend(self, userid, user_items, N=10):  # noqa: N803 (the name that is called)
        ids = np.full((len(userid), N), -1, dtype=np.int32)
        for row, user in enumerate(userid):
            own = self.lists[user][:N]
            ids[row, : len(own)] = own
        return ids, np.zeros(ids.shape, dtype=np.float32)


def prepare(case):
    shown, truth, train = case.recommended, case.relevant, case.train
    users = np.unique(np.concatenate([shown.user, truth.user]))
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item, train.item]))

    def matrix(part):
        known = np.isin(part.user, users)
        row, column = np.searchsorted(users, part.user[known]), np.searchsorted(items, part.item[known])
        return sp.csr_matrix((np.ones(len(row)), (row, column)), shape=(len(users), len(items)))

    row, column = np.searchsorted(users, shown.user), np.searchsorted(items, shown.item)
    lists = [column[row == user].astype(np.int32) for user in range(len(users))]
    return SimpleNamespace(model=Given(lists), train=matrix(train), test=matrix(truth))


def ask(name):
    def answer(data, k):
        return getattr(evaluation, name)(data.model, data.train, data.test, K=k, show_progress=False)

    return answer


NAMES = ("precision_at_k", "mean_average_precision_at_k", "ndcg_at_k", "AUC_at_k")
FUNCTIONS = {"implicit.evaluation." + name: ask(name) for name in NAMES}
