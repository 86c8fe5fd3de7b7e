"""LightFM: functions that ask a model for the ranks of each user's relevant items among all items.

Longer than most: a model is made whose factors are the scores, with truth and train as sparse matrices.
"""

from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp
from audit_harness import Unaskable
from lightfm import LightFM, evaluation


def prepare(case):
    shown, truth, train = case.recommended, case.relevant, case.train
    users = np.unique(np.concatenate([shown.user, truth.user]))
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item, train.item]))
    size = (len(users) + 1, len(items))  # its functions raise IndexError where there is one row alone

    def cells(part):
        known = np.isin(part.user, users)
        return np.searchsorted(users, part.user[known]), np.searchsorted(items, part.item[known])

    def matrix(part):
        return sp.csr_matrix((np.ones(len(cells(part)[0]), dtype=np.float32), cells(part)), shape=size)

    listed, scores = np.zeros(size, dtype=bool), np.zeros(size)
    listed[cells(shown)] = True
    scores[cells(shown)] = shown.score
    if len(shown.user):
        lowest = np.where(listed, scores, np.inf).min(axis=1)
        scores = np.where(listed, scores, np.where(np.isfinite(lowest), lowest - 1 - abs(lowest), 0)[:, None])
    test = matrix(truth)
    return SimpleNamespace(
        users=users[test.getnnz(axis=1)[:-1] > 0], model=scoring(scores), test=test, train=matrix(train),
        missing=(test.toarray() > 0)[~listed].any(), twice=listed.sum() != len(shown.user),
    )  # fmt: skip


def scoring(scores):
    """Return a model that scores an item by its column: the user's factors are the scores, the item's a unit vector."""
    model = LightFM(no_components=max(1, scores.shape[1]))
    model.fit(sp.coo_matrix(scores.shape, dtype=np.float32), epochs=0)
    model.user_embeddings[:] = scores
    model.item_embeddings[:] = np.eye(scores.shape[1])
    model.user_biases[:] = 0
    model.item_biases[:] = 0
    return model


def ask(name, with_k):
    def answer(data, k):
        if data.missing:
            raise Unaskable("a model scores every item: a relevant item that is not recommended has no score")
        if data.twice:
            raise Unaskable("every item has one score: an item that is recommended twice has two")
        cut = {"k": k} if with_k else {}
        metric = getattr(evaluation, name)
        return None, data.users, metric(data.model, data.test, train_interactions=data.train, **cut)

    return answer


CUT = {"precision_at_k": True, "recall_at_k": True, "auc_score": False, "reciprocal_rank": False}
FUNCTIONS = {"lightfm.evaluation." + name: ask(name, with_k) for name, with_k in CUT.items()}
