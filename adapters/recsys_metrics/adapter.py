"""recsys_metrics: functions of a matrix of scores and one of labels, a row for each user.

Longer than most: what a matrix cannot hold is refused, and lists have an input of their own.
"""

from types import SimpleNamespace

import numpy as np
import recsys_metrics
import torch
from audit_harness import Unaskable


def prepare(case):
    shown, truth = case.recommended, case.relevant
    items = np.unique(np.concatenate([case.catalogue, shown.item, truth.item]))
    users = np.unique(np.concatenate([shown.user, truth.user]))
    scores = np.full((len(users), len(items)), -np.inf)
    scores[np.searchsorted(users, shown.user), np.searchsorted(items, shown.item)] = shown.score
    labels = np.zeros(scores.shape, dtype=np.int64)
    own = truth.gain >= case.threshold
    labels[np.searchsorted(users, truth.user[own]), np.searchsorted(items, truth.item[own])] = 1
    listed = np.isfinite(scores)
    return SimpleNamespace(
        users=users,
        items=torch.tensor(items),
        scores=torch.tensor(scores),
        labels=torch.tensor(labels),
        lengths=listed.sum(axis=1),
        unlisted=(labels.astype(bool) & ~listed).any(axis=1),
        twice=len(shown.user) != listed.sum(),
    )


def check(data):
    if data.twice:
        raise Unaskable("every item has one score: an item that is recommended twice has two")


def labels(name):
    def answer(data, k):
        check(data)
        if (data.unlisted & (data.lengths < k)).any():
            raise Unaskable("every item has a score: a relevant item that is not recommended has none")
        mean, values = (
            getattr(recsys_metrics, name)(data.scores, data.labels, k=k, reduction=reduction)
            for reduction in ("mean", "none")
        )
        return mean, data.users, values

    return answer


def lists(name, **options):
    def answer(data, k):
        check(data)
        served = data.lengths > 0
        if (data.lengths[served] < k).any():
            raise Unaskable("every item has a score: a list shorter than k is filled up")
        scores = data.scores[served]
        return getattr(recsys_metrics, name)(scores, data.items.expand(scores.shape), k=k, **options)

    return answer


NAMES = ("hit_rate", "mean_reciprocal_rank", "mean_average_precision", "normalized_dcg", "precision", "recall")
FUNCTIONS = {"recsys_metrics." + name: labels(name) for name in NAMES}
FUNCTIONS["recsys_metrics.catalog_coverage"] = lists("catalog_coverage")
FUNCTIONS["recsys_metrics.distributional_coverage"] = lists("distributional_coverage")
FUNCTIONS["recsys_metrics.distributional_coverage[normalize=False]"] = lists("distributional_coverage", normalize=False)
