"""Cornac: ranking_eval, which asks a model for the scores of each test user's items.

Longer than most: it makes the model, and the numbered users and items that Cornac's own splits would make.
"""

from collections import OrderedDict
from types import SimpleNamespace

import numpy as np
from audit_harness import Unaskable
from cornac import metrics
from cornac.data import Dataset
from cornac.eval_methods.base_method import ranking_eval
from cornac.models import Recommender


class Given(Recommender):
    """Scores all items of a user as it was told."""

    def __init__(self, scores):
        super().__init__(name="given")
        self.given = scores

    def score(self, user_idx, item_idx=None):
        return self.given[user_idx] if item_idx is None else self.given[user_idx][item_idx]


def prepare(case):
    shown, truth, train = case.recommended, case.relevant, case.train
    users = np.unique(np.concatenate([shown.user, truth.user, train.user]))
    users = np.append(users, users.max(initial=0) + 1)  # one with train data in any case: a model needs some to fit to
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item, train.item]))
    maps = [OrderedDict((key, place) for place, key in enumerate(keys.tolist())) for keys in (users, items)]

    def cells(part):
        return np.searchsorted(users, part.user), np.searchsorted(items, part.item)

    def dataset(part, values):  # of a pair that stands there twice the first row, as its own Dataset.build
        where = np.sort(np.unique(np.stack([part.user, part.item]), axis=1, return_index=True)[1])
        return Dataset(len(users), len(items), *maps, tuple(column[where] for column in (*cells(part), values)))

    listed = np.zeros((len(users), len(items)), dtype=bool)
    listed[cells(shown)] = True
    scores = np.zeros(listed.shape)
    scores[cells(shown)] = shown.score
    if len(shown.user):
        lowest = np.where(listed, scores, np.inf).min(axis=1)
        scores = np.where(listed, scores, np.where(np.isfinite(lowest), lowest - 1 - abs(lowest), 0)[:, None])
    both = np.zeros(listed.shape, dtype=bool)
    both[cells(train)] = True
    relevant = np.zeros(listed.shape, dtype=bool)
    relevant[cells(truth)] = truth.gain >= case.threshold
    known = SimpleNamespace(user=np.append(train.user, users[-1]), item=np.append(train.item, items[0]))
    test, before = dataset(truth, truth.gain), dataset(known, np.full(len(known.user), case.threshold))
    return SimpleNamespace(
        users=users, scores=scores, test=test, train=before, threshold=case.threshold,
        missing=(relevant & ~listed).any(), both=(relevant & both).any(), twice=listed.sum() != len(shown.user),
    )  # fmt: skip


def ask(name):
    def answer(data, k):
        if data.missing:
            raise Unaskable("a model scores every item: a relevant item that is not recommended has no score")
        if data.both:
            raise Unaskable("its splits put a pair into train or into test data, never into both")
        if data.twice:
            raise Unaskable("every item has one score: an item that is recommended twice has two")
        metric = getattr(metrics, name)(**({"k": k} if k else {}))
        means, values = ranking_eval(
            Given(data.scores).fit(data.train), [metric], data.train, data.test, rating_threshold=data.threshold
        )
        return means[0], data.users[list(values[0])], list(values[0].values())

    return answer


NAMES = ("NDCG", "NCRR", "Precision", "Recall", "FMeasure", "HitRatio", "AUC", "MAP", "MRR")
FUNCTIONS = {"cornac.eval_methods.base_method.ranking_eval[%s]" % name: ask(name) for name in NAMES}
