"""What is done to a case in an experiment: one change each, everything else as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reference.input.case import Case, Predictions, Train, Truth

Ids = NDArray[np.int64]
Relabel = Callable[[Ids], Ids]

USER_SUM = 90
"""Users are renamed to this minus their id: another order, and no id stays."""


def old_user(user: int) -> int:
    """The user who was renamed to ``user`` by :func:`users_renamed`."""
    return USER_SUM - user


def items_renamed(case: Case, relabel: Relabel) -> Case:
    """The same case with every item under another id."""
    rec, rel, train = case.predictions, case.truth, case.train
    return replace(
        case,
        predictions=Predictions(rec.user, relabel(rec.item), rec.score),
        truth=Truth(rel.user, relabel(rel.item), rel.gain),
        train=Train(train.user, relabel(train.item)),
        catalogue=np.sort(relabel(case.catalogue)),
    )


def users_renamed(case: Case) -> Case:
    """The same rows with every user under another id."""
    rec, rel, train = case.predictions, case.truth, case.train
    return replace(
        case,
        predictions=Predictions(USER_SUM - rec.user, rec.item, rec.score),
        truth=Truth(USER_SUM - rel.user, rel.item, rel.gain),
        train=Train(USER_SUM - train.user, train.item),
    )


def rescored(case: Case, times: float = 1.0, plus: float = 0.0) -> Case:
    """Scores times a positive number plus another: their order stays."""
    rec = case.predictions
    return replace(case, predictions=Predictions(rec.user, rec.item, rec.score * times + plus))


def rows_moved(case: Case, order: Ids) -> Case:
    """Predictions in another order of rows."""
    rec = case.predictions
    return replace(case, predictions=Predictions(rec.user[order], rec.item[order], rec.score[order]))


def truth_moved(case: Case, order: Ids) -> Case:
    """Truth in another order of rows."""
    rel = case.truth
    return replace(case, truth=Truth(rel.user[order], rel.item[order], rel.gain[order]))


def interleaved(user: Ids) -> Ids:
    """An order of rows that takes one row of each user in turn: within a user the order stays."""
    turn = np.empty(len(user), dtype=np.int64)
    for each in np.unique(user):
        turn[user == each] = np.arange((user == each).sum())
    return np.lexsort((user, turn)).astype(np.int64)


def shuffled(rows: int) -> Ids:
    """A fixed order of rows that keeps nothing of the old one."""
    return np.random.default_rng(4).permutation(rows).astype(np.int64)


def without_user(case: Case, user: int) -> Case:
    """The case as if that user did not exist."""
    rec, rel, train = case.predictions, case.truth, case.train
    kept, held, seen = rec.user != user, rel.user != user, train.user != user
    return replace(
        case,
        predictions=Predictions(rec.user[kept], rec.item[kept], rec.score[kept]),
        truth=Truth(rel.user[held], rel.item[held], rel.gain[held]),
        train=Train(train.user[seen], train.item[seen]),
    )


def without_truth_of(case: Case, item: int) -> Case:
    """The case without the truth's rows of one item."""
    rel = case.truth
    kept = rel.item != item
    return replace(case, truth=Truth(rel.user[kept], rel.item[kept], rel.gain[kept]))


def topped(case: Case, user: int, item: int) -> Case:
    """One more row at the head of a user's list, scored above all others."""
    rec = case.predictions
    place = int(np.argmax(rec.user == user))
    predictions = Predictions(
        np.insert(rec.user, place, user),
        np.insert(rec.item, place, item),
        np.insert(rec.score, place, rec.score.max() + 0.5),
    )
    return replace(case, predictions=predictions, catalogue=np.union1d(case.catalogue, [item]))
