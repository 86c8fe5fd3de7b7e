"""Draws train rows for synthetic data, for functions that count who has an item."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from recsys_metric_audit.reference.input.case import Case, Predictions, Train
from recsys_metric_audit.reference.input.distinct import distinct

_SEED = 27
_ROWS = 12
_NAME = re.compile(r"synthetic:\d+x\d+")
TRAIN_DRAWN = "train rows drawn by seed, without which synthetic data are; what is in them is not recommended"
"""What a finding says of a function that was asked with them."""


def with_train_rows(case: Case) -> Case:
    """Return synthetic data with train rows, whose pairs are recommended no more; any other data as they are.

    Each user has a tenth of the items, at most twelve, none of which is in the user's truth; an item that nobody has
    goes to one user more. Few items are popular.
    """
    if not _NAME.fullmatch(case.name) or len(case.train.user):
        return case
    users, items = distinct(case.predictions.user), case.catalogue
    rng = np.random.default_rng([_SEED, len(users), len(items)])
    liking = rng.gumbel(size=(len(users), len(items))) - np.log(rng.permutation(len(items)) + 3.0)
    liking[np.searchsorted(users, case.truth.user), np.searchsorted(items, case.truth.item)] = -np.inf
    count = max(min(_ROWS, len(items) // 10), 1)
    has = np.zeros(liking.shape, dtype=np.bool_)
    has[np.arange(len(users))[:, None], np.argpartition(-liking, count - 1, axis=1)[:, :count]] = True
    left = np.flatnonzero(~has.any(axis=0) & np.isfinite(liking).any(axis=0))
    has[np.argmax(liking[:, left], axis=0), left] = True
    user, item = np.nonzero(has)
    shown = case.predictions
    keep = ~has[np.searchsorted(users, shown.user), np.searchsorted(items, shown.item)]
    return replace(
        case,
        predictions=Predictions(shown.user[keep], shown.item[keep], shown.score[keep]),
        train=Train(users[user], items[item]),
    )
