"""NeuRec 2.00: functions of one user's ranking, for several relevant items and for one, and its ProxyEvaluator.

Each function gives a value for every length of the ranking; the one at k is taken, as the evaluators do. The proxy
takes matrices and prints every metric of its protocol; what it prints is read back. Longer than most: two protocols,
each by itself, in the proxy and compiled.
"""

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import scipy.sparse as sp
from audit_harness import Unaskable
from evaluator.backend.python import evaluate_foldout, evaluate_loo
from evaluator.evaluator import ProxyEvaluator

FOLDOUT, LOO = ("Precision", "Recall", "MAP", "NDCG", "MRR"), ("HitRatio", "NDCG", "MRR")


def prepare(case):
    items = case.relevant.by_user("item", users=case.relevant.users)
    truth = {user: own.tolist() for user, own in items.items()}
    ranked = case.recommended.by_user("item", users=truth)
    scores = case.score_matrix()
    test = sp.csr_matrix(case.relevant.coordinates(), shape=case.shape)
    train = sp.csr_matrix(case.train.coordinates(), shape=case.shape)
    return SimpleNamespace(truth=truth, ranked=ranked, scores=scores, test=test, train=train)


class Model:
    def __init__(self, scores):
        self.scores = scores

    def predict(self, users, items):
        return self.scores[users]


def function(module, name, only_one):
    def answer(data, k):
        call, values = getattr(module, name), []
        for user, items in data.truth.items():
            # of one relevant item the item itself; its evaluator refuses users with more in words of its own
            target = items[0] if only_one and len(items) == 1 else items
            values.append(call(data.ranked[user][:k], target)[k - 1])
        return None, list(data.truth), values

    return answer


def refuse_unscored(data, k):
    """Refuse what would rank items without a score among the first k; the proxy takes what is compiled, if it is."""
    short = np.isfinite(data.scores).sum(1) < k
    if (np.isneginf(data.scores) & (data.test.toarray() > 0))[short].any():
        raise Unaskable("a relevant item without a score cannot be put to it: it takes a score for every item")


def route(splitter, names, name):
    def answer(data, k):
        refuse_unscored(data, k)
        config = {"topk": [k], "test_batch_size": 1024, "test_view": None, "splitter": splitter}
        printed = ProxyEvaluator(data.train, data.test, None, config).evaluate(Model(data.scores))
        return float(printed.split()[names.index(name)])

    return answer


def compiled(protocol, names, name):
    def answer(data, k):
        module = import_module("evaluator.backend.cpp.evaluate_" + protocol)
        targets = list(data.truth.values()) if protocol == "foldout" else [items[0] for items in data.truth.values()]
        call = getattr(module, "eval_score_matrix_" + protocol)
        refuse_unscored(data, k)
        values = call(data.scores[list(data.truth)].astype(np.float32), targets, top_k=k, thread_num=1)
        return None, list(data.truth), values.reshape(len(targets), len(names), k)[:, names.index(name), k - 1]

    return answer


FUNCTIONS = {}
for name in ("precision", "recall", "map", "ndcg", "mrr"):
    FUNCTIONS["evaluator.backend.python.evaluate_foldout." + name] = function(evaluate_foldout, name, False)
for name in ("hit", "ndcg", "mrr"):
    FUNCTIONS["evaluator.backend.python.evaluate_loo." + name] = function(evaluate_loo, name, True)
for splitter, protocol, names in (("ratio", "foldout", FOLDOUT), ("loo", "loo", LOO)):
    for name in names:
        path = "evaluator.evaluator.ProxyEvaluator.evaluate[splitter=%s,%s]" % (splitter, name)
        FUNCTIONS[path] = route(splitter, names, name)
        path = "evaluator.backend.cpp.evaluate_%s.eval_score_matrix_%s[%s]" % (protocol, protocol, name)
        FUNCTIONS[path] = compiled(protocol, names, name)
