"""LightGCN (PyTorch): its test of all users, with a model that returns the scores given.

Its modules stand in a folder named as a module of Python is, and read the command line when they are imported. All
users are one batch: its test refuses a number of users that its batch size divides. Longer than most: for a data set
and a model that its test can ask.
"""

import os
import sys
from types import SimpleNamespace

import torch

sys.path.insert(0, os.path.join(sys.path[0], "code"))
sys.argv = ["main.py"]
import Procedure
import utils
import world


def prepare(case):
    test = {user: own.tolist() for user, own in case.relevant.by_user("item").items()}
    train = case.train.by_user("item", users=range(case.shape[0]))
    ranked = case.recommended.by_user("item", users=test)
    return SimpleNamespace(test=test, train=train, ranked=ranked, scores=torch.from_numpy(case.score_matrix()))


class Data:
    def __init__(self, data):
        self.testDict, self.train = data.test, data.train

    def getUserPosItems(self, users):  # noqa: N802
        return [self.train[user] for user in users]


class Model:
    def __init__(self, scores):
        self.scores = scores

    def eval(self):
        return self

    def getUsersRating(self, users):  # noqa: N802
        return self.scores[users]


def route(name):
    def answer(data, k):
        world.topks, world.config["test_u_batch_size"] = [k], len(data.test) + 1
        return float(Procedure.Test(Data(data), Model(data.scores), 0)[name][0])

    world.tensorboard = False
    return answer


def reciprocal_rank(data, k):
    values = []
    for user, items in data.test.items():
        labels = utils.getLabel([items], [data.ranked[user][:k].tolist()])
        values.append(utils.MRRatK_r(labels, k))
    return None, list(data.test), values


FUNCTIONS = {"Procedure.Test[%s]" % name: route(name) for name in ("precision", "recall", "ndcg")}
FUNCTIONS["utils.MRRatK_r"] = reciprocal_rank
