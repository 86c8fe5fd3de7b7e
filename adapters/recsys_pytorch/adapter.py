"""RecSys_PyTorch: functions of (first items of each user, {user: items}, cut-offs), and its Evaluator on given scores.

What the functions take as prediction is what the Evaluator hands to them: a rectangle of item ids, best first. The
Evaluator takes its target as a matrix or as a dictionary; the latter has the users with truth and no others. Longer
than 60 lines: two protocols in Python, compiled, and through the Evaluator.
"""

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp
from evaluation.evaluator import Evaluator

HOLDOUT, LOO = ("Prec", "Recall", "NDCG"), ("HR", "NDCG")


def prepare(case):
    target = case.relevant.by_user("item", users=case.relevant.users)
    listed = list(case.recommended.by_user("item", users=target).values())
    scores = case.score_matrix()
    train = sp.csr_matrix(case.train.coordinates(), shape=case.shape)
    return SimpleNamespace(target=target, listed=listed, scores=scores, train=train)


def function(backend, protocol, metric):
    def answer(data, k):
        module = import_module("evaluation.backend.%s.%s" % (backend, protocol))
        name = "compute_%s_metrics_%s" % (protocol, {"python": "py", "cython": "cy"}[backend])
        pred = np.array([items[:k] for items in data.listed])
        statistics = getattr(module, name)(pred, dict(data.target), [k])[metric][k]
        return statistics.mean, list(data.target), statistics.history

    return answer


class Model:
    def __init__(self, scores):
        self.scores = scores

    def eval(self):
        pass

    def predict(self, users, eval_input, batch_size):
        scores = self.scores[users].copy()
        scores[eval_input[users].nonzero()] = -np.inf  # as its models do with what was seen
        return scores


def route(protocol, metric):
    def answer(data, k):
        evaluator = Evaluator(data.train, dict(data.target), protocol, [k])
        name, model = "%s@%d" % (metric, k), Model(data.scores)
        mean, each = evaluator.evaluate(model)[name], evaluator.evaluate(model, mean=False)[name]
        return mean, list(evaluator.eval_target), each

    return answer


FUNCTIONS = {}
for protocol, metrics in (("holdout", HOLDOUT), ("loo", LOO)):
    for metric in metrics:
        for backend, end in (("python", "py"), ("cython", "cy")):
            path = "evaluation.backend.%s.%s.compute_%s_metrics_%s[%s]" % (backend, protocol, protocol, end, metric)
            FUNCTIONS[path] = function(backend, protocol, metric)
        called = {"holdout": "holdout", "loo": "leave_one_out"}[protocol]
        path = "evaluation.evaluator.Evaluator.evaluate[protocol=%s,%s]" % (called, metric)
        FUNCTIONS[path] = route(called, metric)
