"""TorchMetrics: retrieval metrics of flat rows of all users, a score, a target and the index of the query for each.

Longer than most: each metric is a class that takes all users' rows and a function that takes one user's, and rows are
refused that cannot be labelled or graded.
"""

from types import SimpleNamespace

import numpy as np
import torch
import torchmetrics.functional.retrieval
import torchmetrics.retrieval
from audit_harness import Unaskable


def prepare(case):
    shown, truth = case.recommended, case.relevant
    gain = dict(zip(zip(truth.user.tolist(), truth.item.tolist()), truth.gain.tolist()))
    rows = list(zip(shown.user.tolist(), shown.item.tolist()))
    grades = np.array([gain.get(row, 0.0) for row in rows])
    relevant = {row for row, own in gain.items() if own >= case.threshold}
    return SimpleNamespace(
        preds=torch.tensor(shown.score),
        indexes=torch.tensor(shown.user),
        labels=torch.tensor([row in relevant for row in rows], dtype=torch.long),
        grades=torch.tensor(grades.astype(np.int64)),
        refused=refusals(gain, rows, relevant),
    )


def refusals(gain, rows, relevant):
    """Return why rows cannot be labelled, and why they cannot be graded."""
    fractions = any(own % 1 or own < 0 for own in gain.values())
    unlisted = "every target has a prediction: a relevant item that is not recommended has none"
    if len(set(rows)) < len(rows):
        twice = "every candidate has one prediction: an item that is recommended twice has two"
        return {"labels": twice, "grades": twice}
    return {
        "labels": unlisted if relevant - set(rows) else "",
        "grades": "a target is a whole number from 0 up" if fractions else unlisted if set(gain) - set(rows) else "",
    }


def all_users(name, target, cut):
    def answer(data, k):
        if data.refused[target]:
            raise Unaskable(data.refused[target])
        metric = getattr(torchmetrics.retrieval, name)(**({"top_k": k} if cut else {}))
        return metric(data.preds, getattr(data, target), indexes=data.indexes)

    return answer


def each_user(name, target, cut):
    def answer(data, k):
        if data.refused[target]:
            raise Unaskable(data.refused[target])
        function, users = getattr(torchmetrics.functional.retrieval, name), torch.unique(data.indexes)
        values = []
        for user in users:
            own = data.indexes == user
            values.append(function(data.preds[own], getattr(data, target)[own], **({"top_k": k} if cut else {})))
        return None, users.numpy(), values

    return answer


NAMES = {
    "RetrievalNormalizedDCG": ("retrieval_normalized_dcg", "grades", True),
    "RetrievalMAP": ("retrieval_average_precision", "labels", True),
    "RetrievalMRR": ("retrieval_reciprocal_rank", "labels", True),
    "RetrievalPrecision": ("retrieval_precision", "labels", True),
    "RetrievalRecall": ("retrieval_recall", "labels", True),
    "RetrievalHitRate": ("retrieval_hit_rate", "labels", True),
    "RetrievalFallOut": ("retrieval_fall_out", "labels", True),
    "RetrievalRPrecision": ("retrieval_r_precision", "labels", False),
    "RetrievalAUROC": ("retrieval_auroc", "labels", False),
}
FUNCTIONS = {"torchmetrics.retrieval." + name: all_users(name, *own[1:]) for name, own in NAMES.items()}
FUNCTIONS.update({"torchmetrics.functional.retrieval." + own[0]: each_user(*own) for own in NAMES.values()})
