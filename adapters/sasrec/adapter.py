"""SASRec (PyTorch): its evaluation among sampled items, of a model that returns the scores given.

Users and items are numbered from 1, as its data sets are. Its dictionaries of training and validation hold the padding
item 0 for a user without a row there, whom it would pass over otherwise.
"""

import sys
from os import path
from types import SimpleNamespace

import numpy as np
from audit_harness import Unaskable

sys.path.insert(0, path.join(sys.path[0], "python"))
import utils


def prepare(case):
    users = np.unique(np.concatenate([case.relevant.user, case.recommended.user])).tolist()
    shown, known, train = case.recommended, case.relevant, case.train
    items = np.unique(np.concatenate([case.catalogue, shown.item, known.item, train.item]))
    listed = shown.by_user("item", "score")
    scores, test, seen = {}, {}, {}
    for number, user in enumerate(users, 1):
        scores[number] = np.full(len(items) + 1, -np.inf)
        if user in listed:
            own, values = listed[user]
            scores[number][np.searchsorted(items, own) + 1] = values
        truth = known.item[known.user == user][:1]
        test[number] = (np.searchsorted(items, truth) + 1).tolist()
        seen[number] = (np.searchsorted(items, train.item[train.user == user]) + 1).tolist() or [0]
    valid = {number: [0] for number in test}
    unlisted = any(scores[number][own[0]] == -np.inf for number, own in test.items() if own)
    return SimpleNamespace(data=[seen, valid, test, len(users), len(items)], scores=scores, unlisted=unlisted)


class Model:
    def __init__(self, scores):
        self.scores = scores

    def predict(self, users, sequences, items):
        return self.scores[users[0]][items][np.newaxis]


def ask(place):
    def answer(data, k):
        if data.unlisted:
            raise Unaskable("a test item has a score: a relevant item that is not recommended has none")
        return float(utils.evaluate(Model(data.scores), data.data, SimpleNamespace(maxlen=50))[place])

    return answer


FUNCTIONS = {"utils.evaluate[%s]" % name: ask(place) for place, name in enumerate(("NDCG", "HT"))}
