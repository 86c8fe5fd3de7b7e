"""RecPack: metric objects that calculate on two sparse matrices, the truth and the scores."""

from types import SimpleNamespace

import numpy as np
from audit_harness import Unaskable
from recpack import metrics
from scipy.sparse import csr_matrix


def prepare(case):
    shown, truth = case.recommended, case.relevant
    users = np.unique(np.concatenate([shown.user, truth.user]))
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item]))
    size = (len(users), len(items))

    def cells(part):
        return np.searchsorted(users, part.user), np.searchsorted(items, part.item)

    true = csr_matrix((np.ones(len(truth.user)), cells(truth)), shape=size)
    true.data[:] = 1  # a pair that the truth lists twice was added up
    scores = csr_matrix((shown.score, cells(shown)), shape=size)
    owners, owner = np.unique(case.train.user, return_inverse=True)
    held = np.searchsorted(items, case.train.item), owner
    features = csr_matrix((np.ones(len(owner), dtype=bool), held), shape=(len(items), len(owners)))
    twice = scores.nnz != len(shown.user)
    return SimpleNamespace(users=users, true=true, scores=scores, features=features, twice=twice)


def ask(name):
    def answer(data, k):
        if data.twice:
            raise Unaskable("every item has one score: an item that is recommended twice has two")
        metric = getattr(metrics, name)(K=k)
        if name == "IntraListDiversityK":
            metric.fit(data.features)
        metric.calculate(data.true, data.scores)
        if name in ("HitK", "CoverageK"):  # their results are pairs, or the value
            return metric.value
        return metric.value, data.users[metric.results["user_id"]], metric.results["score"].to_numpy()

    return answer


NAMES = ("NDCGK", "DCGK", "PrecisionK", "RecallK", "CalibratedRecallK", "ReciprocalRankK", "HitK")
NAMES += ("CoverageK", "IntraListDiversityK")
FUNCTIONS = {"recpack.metrics." + name: ask(name) for name in NAMES}
