"""recometrics: one function of user factors, item factors and sparse matrices, with a value for each user.

Longer than most: scores are passed on as factors times a unit matrix, truth and train as sparse matrices.
"""

from types import SimpleNamespace

import numpy as np
import recometrics
from audit_harness import Unaskable
from scipy.sparse import csr_matrix

COLUMNS = {
    "precision": "P@K",
    "trunc_precision": "TP@K",
    "recall": "R@K",
    "average_precision": "AP@K",
    "trunc_average_precision": "TAP@K",
    "ndcg": "NDCG@K",
    "hit": "Hit@K",
    "rr": "RR@K",
    "roc_auc": "ROC_AUC",
    "pr_auc": "PR_AUC",
}


def prepare(case):
    shown, truth, train = case.recommended, case.relevant, case.train
    users = np.unique(np.concatenate([shown.user, truth.user]))
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item, train.item]))
    size = (len(users), len(items))

    def cells(user, item):
        return np.searchsorted(users, user), np.searchsorted(items, item)

    listed, gains = np.zeros(size, dtype=bool), np.full(size, np.nan)
    listed[cells(shown.user, shown.item)] = True
    gains[cells(truth.user, truth.item)] = truth.gain
    scores = np.zeros(size)
    scores[cells(shown.user, shown.item)] = shown.score
    if len(shown.user):
        lowest = np.where(listed, scores, np.inf).min(axis=1)
        scores = np.where(listed, scores, np.where(np.isfinite(lowest), lowest - 1 - abs(lowest), 0)[:, None])
    given = ~np.isnan(gains)
    test = csr_matrix((gains[given], np.nonzero(given)), shape=size)
    known = np.isin(train.user, users)
    before = csr_matrix((np.ones(known.sum()), cells(train.user[known], train.item[known])), shape=size)
    return SimpleNamespace(
        users=users, scores=scores, items=np.eye(len(items)), test=test, train=before,
        missing=(given & ~listed).any(), twice=listed.sum() != len(shown.user),
    )  # fmt: skip


def ask(name, **options):
    def answer(data, k):
        if data.missing:
            raise Unaskable("a model scores every item: a relevant item that is not recommended has no score")
        if data.twice:
            raise Unaskable("every item has one score: an item that is recommended twice has two")
        values = recometrics.calc_reco_metrics(
            data.train, data.test, data.scores, data.items, k=k or 1, all_metrics=True, rename_k=False,
            nthreads=1, **options,
        )  # fmt: skip
        return None, data.users, values[COLUMNS[name]].to_numpy()

    return answer


FUNCTIONS = {"recometrics.calc_reco_metrics[%s]" % name: ask(name) for name in COLUMNS}
FUNCTIONS["recometrics.calc_reco_metrics[ndcg,break_ties_with_noise=False]"] = ask("ndcg", break_ties_with_noise=False)
