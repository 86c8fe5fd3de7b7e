"""PyTorch-Ignite: metrics of a matrix of scores and one of relevance, a row for each user."""

from types import SimpleNamespace

import ignite.metrics.rec_sys
import numpy as np
import torch
from audit_harness import Unaskable


def prepare(case):
    shown, truth = case.recommended, case.relevant
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item]))
    users = np.unique(np.concatenate([shown.user, truth.user]))
    size = (len(users), len(items))
    row, column = np.searchsorted(users, shown.user), np.searchsorted(items, shown.item)
    gains = np.zeros(size)
    gains[np.searchsorted(users, truth.user), np.searchsorted(items, truth.item)] = truth.gain
    listed, scores = np.zeros(size, dtype=bool), np.zeros(size)
    listed[row, column] = True
    scores[row, column] = shown.score
    if len(shown.user):
        lowest = np.where(listed, scores, np.inf).min(axis=1)
        scores = np.where(listed, scores, np.where(np.isfinite(lowest), lowest - 1 - abs(lowest), 0)[:, None])
    labels = (gains >= case.threshold).astype(float)
    return SimpleNamespace(
        scores=torch.tensor(scores), gains=torch.tensor(gains), labels=torch.tensor(labels),
        unlisted={"gains": bool((gains[~listed] != 0).any()), "labels": bool((labels[~listed] != 0).any())},
        twice=len(shown.user) != listed.sum(),
    )  # fmt: skip


def ask(name, truth, **options):
    def answer(data, k):
        if data.unlisted[truth]:
            raise Unaskable("every item has a score: a relevant item that is not recommended has none")
        if data.twice:
            raise Unaskable("every item has one score: an item that is recommended twice has two")
        metric = getattr(ignite.metrics.rec_sys, name)(top_k=[k], **options)
        metric.update((data.scores, getattr(data, truth)))
        return np.float32(metric.compute()[0])  # a float32 that tolist() made a float of

    return answer


NAME = "ignite.metrics.rec_sys."
FUNCTIONS = {
    NAME + "HitRate": ask("HitRate", "labels"),
    NAME + "HitRate[ignore_zero_hits=False]": ask("HitRate", "labels", ignore_zero_hits=False),
    NAME + "NDCG": ask("NDCG", "gains"),
    NAME + "NDCG[ignore_zero_hits=False]": ask("NDCG", "gains", ignore_zero_hits=False),
    NAME + "NDCG[gain_function=linear_rank]": ask("NDCG", "gains", gain_function="linear_rank"),
}
