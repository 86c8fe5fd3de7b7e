"""NGCF: functions of the labels of a user's first items, and its test of all users with a session that is given scores.

`utility.batch_test` reads the command line and a data set when it is imported, and so gets one of a user and an item.
What its test then looks at are the users, items and cut-offs of each case. Longer than most: for that session and data.
"""

import os
import sys
import tempfile
from types import SimpleNamespace

import numpy as np
from audit_harness import Unaskable

sys.path.insert(0, os.path.join(sys.path[0], "NGCF"))
with tempfile.TemporaryDirectory() as folder:
    for name in ("train.txt", "test.txt"):
        with open(os.path.join(folder, name), "w") as made:
            made.write("0 0\n")
    sys.argv = ["NGCF.py", "--data_path", folder, "--dataset", ""]
    from utility import batch_test, metrics


def prepare(case):
    test = {user: own.tolist() for user, own in case.relevant.by_user("item").items()}
    train = {user: own.tolist() for user, own in case.train.by_user("item").items()}
    ranked = case.recommended.by_user("item", users=test)
    rows = set(zip(case.recommended.user.tolist(), case.recommended.item.tolist()))
    refused = ""
    if len(rows) < len(case.recommended.user):
        refused = "every item has one score: an item that is recommended twice has two"
    elif set(zip(case.relevant.user.tolist(), case.relevant.item.tolist())) - rows:
        refused = "a model scores every item: a relevant item that is not recommended has no score"
    return SimpleNamespace(refused=refused, test=test, train=train, ranked=ranked, scores=case.score_matrix())


class Session:
    """Returns the scores that are given, as TensorFlow's does those of a model."""

    def __init__(self, scores):
        self.scores = scores

    def run(self, fetched, feed):
        return self.scores[np.array(feed["users"], dtype=int)]


MODEL = SimpleNamespace(batch_ratings="batch_ratings", users="users", pos_items="pos_items")


def function(name, r=False):
    def answer(data, k):
        values = []
        for user, items in data.test.items():
            labels = [int(item in items) for item in data.ranked[user][:k].tolist()]
            values.append(getattr(metrics, name)(labels, k, *([len(items)] if r else [])))
        return None, list(data.test), values

    return answer


def route(name):
    def answer(data, k):
        if data.refused:
            raise Unaskable(data.refused)
        batch_test.data_generator = SimpleNamespace(train_items=data.train, test_set=data.test)
        batch_test.ITEM_NUM, batch_test.Ks = data.scores.shape[1], [k]
        return float(batch_test.test(Session(data.scores), MODEL, list(data.test))[name][0])

    return answer


FUNCTIONS = {"utility.metrics." + name: function(name) for name in ("precision_at_k", "ndcg_at_k", "hit_at_k")}
FUNCTIONS["utility.metrics.recall_at_k"] = function("recall_at_k", r=True)
ROUTE = "utility.batch_test.test[%s]"
FUNCTIONS.update({ROUTE % name: route(name) for name in ("precision", "recall", "ndcg", "hit_ratio")})
