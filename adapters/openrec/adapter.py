"""OpenRec's tf1 evaluators, through the managers that its trainers call for one user after the other."""

from collections import defaultdict
from functools import partial
from importlib import import_module
from importlib.util import find_spec

import numpy as np
from audit_harness import Unaskable

TF1 = "openrec.tf1." if find_spec("openrec.tf1") else "openrec."  # where its code for TensorFlow 1 is
MANAGERS = (("utils.evaluators", "EvalManager"), ("legacy.utils.evaluators", "ImplicitEvalManager"))


def prepare(case):
    items = np.unique(np.concatenate([case.catalogue, case.recommended.item, case.relevant.item]))
    scores = defaultdict(partial(np.full, len(items), -np.inf))
    shown, relevant = case.recommended, defaultdict(list)
    for user, item, score in zip(shown.user.tolist(), np.searchsorted(items, shown.item).tolist(), shown.score):
        scores[user][item] = score
    for user, item in zip(case.relevant.user.tolist(), np.searchsorted(items, case.relevant.item).tolist()):
        relevant[user].append(item)
    # A model scores every item, and its samplers exclude the user's train items: what is not ranked here is excluded.
    rows = []
    for user, positive in relevant.items():
        excluded = np.setdiff1d(np.flatnonzero(np.isneginf(scores[user])), positive)
        rows.append((user, positive, excluded.tolist(), scores[user]))
    return rows


def ask(module, manager, route, name):
    compared_with_all = (manager, route) == ("ImplicitEvalManager", "full_eval")

    def answer(users, k):
        evaluators = import_module(module)
        metric = getattr(evaluators, name)(*([[k]] if k else []))
        run = getattr(getattr(evaluators, manager)(evaluators=[metric]), route)
        values = []
        for _, positive, excluded, scores in users:
            # What has no score would count as found where the list has room for it, and where relevant items are
            # compared with relevant ones, too, it would win against others that have none.
            room = len(scores) - len(set(positive)) - len(excluded) <= k if k else compared_with_all
            if room and np.isneginf(scores[positive]).any():
                raise Unaskable("a relevant item without a score cannot be put to it: its models score every item")
            given = (positive, excluded, scores)
            if route == "partial_eval":
                negative = np.setdiff1d(np.arange(len(scores)), np.concatenate([positive, excluded]).astype(int))
                given = (scores[positive], scores[negative])
            values.append(np.ravel(run(*given)[metric.name])[0])
        return None, [user for user, *_ in users], values

    return answer


FUNCTIONS = {}
for part, manager in MANAGERS:
    for route in ("full_eval", "partial_eval"):
        for name in ("AUC", "Recall", "Precision", "NDCG"):
            function = "{}{}.{}.{}[{}]".format(TF1, part, manager, route, name)
            FUNCTIONS[function] = ask(TF1 + part, manager, route, name)
