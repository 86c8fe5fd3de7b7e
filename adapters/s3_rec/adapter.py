"""S3-Rec: functions of lists of relevant and of recommended items, and the ranks that its trainer counts."""

import os
from types import SimpleNamespace

import numpy as np
import trainers
import utils
from audit_harness import Unaskable


def prepare(case):
    users = np.unique(np.concatenate([case.relevant.user, case.recommended.user])).tolist()
    truth = case.relevant.by_user("item", users=users)
    shown = case.recommended.by_user("item", "score", users=users)
    rows, unlisted = [], False
    for user in case.relevant.users:
        test = truth[user][0]
        items, scores = shown[user]
        unlisted = unlisted or test not in items
        rows.append([*scores[items == test][:1].tolist(), *scores[items != test].tolist()])
    table = np.full((len(rows), max([1, *map(len, rows)])), -np.inf)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return SimpleNamespace(
        truth=[items.tolist() for items in truth.values()],
        shown=[items.tolist() for items, _ in shown.values()],
        table=table,
        unlisted=unlisted,
    )


def lists(name):
    return lambda data, k: float(getattr(utils, name)(data.truth, data.shown, k))


def sampled(data, k):
    if data.unlisted:
        raise Unaskable("a test item has a score: a relevant item that is not recommended has none")
    trainer = SimpleNamespace(args=SimpleNamespace(log_file=os.devnull))
    return float(trainers.Trainer.get_sample_scores(trainer, 0, data.table)[0][-1])


FUNCTIONS = {"utils." + name: lists(name) for name in ("precision_at_k", "recall_at_k", "mapk", "ndcg_k")}
FUNCTIONS["trainers.Trainer.get_sample_scores[MRR]"] = sampled
