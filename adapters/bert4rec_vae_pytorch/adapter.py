"""BERT4Rec-VAE-Pytorch: recall and NDCG of a matrix of scores and one of labels, a row for each user."""

from types import SimpleNamespace

import numpy as np
import torch
from audit_harness import Unaskable
from trainers import utils


def prepare(case):
    shown, truth = case.recommended, case.relevant
    own = truth.gain >= case.threshold
    users = np.unique(truth.user[own])
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item]))
    labels = np.zeros((len(users), len(items)), dtype=np.int64)
    labels[np.searchsorted(users, truth.user[own]), np.searchsorted(items, truth.item[own])] = 1
    asked = np.isin(shown.user, users)
    scores = np.full(labels.shape, -np.inf)
    scores[np.searchsorted(users, shown.user[asked]), np.searchsorted(items, shown.item[asked])] = shown.score[asked]
    listed = np.isfinite(scores)
    return SimpleNamespace(
        users=users,
        scores=torch.tensor(scores),
        labels=torch.tensor(labels),
        lengths=listed.sum(axis=1),
        unlisted=(labels.astype(bool) & ~listed).any(axis=1),
        twice=asked.sum() != listed.sum(),
    )


def ask(call):
    def answer(data, k):
        if data.twice:
            raise Unaskable("every item has one score: an item that is recommended twice has two")
        if (data.unlisted & (data.lengths < k)).any():
            raise Unaskable("every item has a score: a relevant item that is not recommended has none")
        rows = [call(data.scores[[row]], data.labels[[row]], k) for row in range(len(data.users))]
        return call(data.scores, data.labels, k), data.users, rows

    return answer


def both(name):
    return lambda scores, labels, k: utils.recalls_and_ndcgs_for_ks(scores, labels, [k])["%s@%d" % (name, k)]


PLACE = "trainers.utils."
FUNCTIONS = {PLACE + name: ask(getattr(utils, name)) for name in ("recall", "ndcg")}
FUNCTIONS.update({PLACE + "recalls_and_ndcgs_for_ks[%s]" % name: ask(both(name)) for name in ("Recall", "NDCG")})
