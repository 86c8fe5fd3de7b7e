"""The transformations of a case in metamorphic tests: each changes one thing and leaves the rest as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth

Ids = NDArray[np.int64]
Relabel = Callable[[Ids], Ids]

USER_SUM = 90
"""Renaming maps user u to USER_SUM − u: the order of users is reversed, and no id of a scenario stays."""


def original_user(user: int) -> int:
    """Return the id that ``user`` had before :func:`rename_users`."""
    return USER_SUM - user


def rename_items(case: Case, relabel: Relabel) -> Case:
    """Return the case with ``relabel`` applied to every item id."""
    rec, rel, train = case.predictions, case.truth, case.train
    return replace(
        case,
        predictions=Predictions(rec.user, relabel(rec.item), rec.score),
        truth=Truth(rel.user, relabel(rel.item), rel.gain),
        train=Train(train.user, relabel(train.item)),
        catalogue=np.sort(relabel(case.catalogue)),
    )


def rename_users(case: Case) -> Case:
    """Return the case with every user u renamed to ``USER_SUM`` − u; rows stay where they are."""
    rec, rel, train = case.predictions, case.truth, case.train
    return replace(
        case,
        predictions=Predictions(USER_SUM - rec.user, rec.item, rec.score),
        truth=Truth(USER_SUM - rel.user, rel.item, rel.gain),
        train=Train(USER_SUM - train.user, train.item),
    )


def rescale_scores(case: Case, times: float = 1.0, plus: float = 0.0) -> Case:
    """Return the case with scores · ``times`` + ``plus``; ``times`` is positive, so the order of items stays."""
    rec = case.predictions
    return replace(case, predictions=Predictions(rec.user, rec.item, rec.score * times + plus))


def reorder_predictions(case: Case, order: Ids) -> Case:
    """Return the case with the rows of its predictions in ``order`` (positions of rows)."""
    rec = case.predictions
    return replace(case, predictions=Predictions(rec.user[order], rec.item[order], rec.score[order]))


def turn_scores(case: Case) -> Case:
    """Return the case with each user's scores in the reverse order; rows stay where they are."""
    rec = case.predictions
    score = rec.score.copy()
    for each in np.unique(rec.user):
        score[rec.user == each] = rec.score[rec.user == each][::-1]
    return replace(case, predictions=Predictions(rec.user, rec.item, score))


def exchange_gains(case: Case) -> Case:
    """Return the case with the largest gain where the smallest relevant one was, and the other way round."""
    rel = case.truth
    relevant = rel.gain >= case.threshold
    ends = rel.gain[relevant].min() + rel.gain[relevant].max()
    return replace(case, truth=Truth(rel.user, rel.item, np.where(relevant, ends - rel.gain, rel.gain)))


def without_unlisted_truth(case: Case) -> Case:
    """Return the case without the truth's rows of items that are not in their user's list."""
    rec, rel = case.predictions, case.truth
    listed = set(zip(rec.user.tolist(), rec.item.tolist(), strict=True))
    pairs = zip(rel.user.tolist(), rel.item.tolist(), strict=True)
    kept = np.array([pair in listed for pair in pairs], dtype=bool)
    return replace(case, truth=Truth(rel.user[kept], rel.item[kept], rel.gain[kept]))


def reorder_truth(case: Case, order: Ids) -> Case:
    """Return the case with the rows of its truth in ``order`` (positions of rows)."""
    rel = case.truth
    return replace(case, truth=Truth(rel.user[order], rel.item[order], rel.gain[order]))


def interleaved_order(user: Ids) -> Ids:
    """Return an order of rows that takes one row of each user in turn; within a user the order stays."""
    turn = np.empty(len(user), dtype=np.int64)
    for each in np.unique(user):
        turn[user == each] = np.arange((user == each).sum())
    return np.lexsort((user, turn)).astype(np.int64)


def shuffled_order(rows: int) -> Ids:
    """Return a fixed pseudo-random order of ``rows`` rows."""
    return np.random.default_rng(4).permutation(rows).astype(np.int64)


def without_user(case: Case, user: int) -> Case:
    """Return the case without any row of ``user``."""
    rec, rel, train = case.predictions, case.truth, case.train
    listed, held, seen = rec.user != user, rel.user != user, train.user != user
    return replace(
        case,
        predictions=Predictions(rec.user[listed], rec.item[listed], rec.score[listed]),
        truth=Truth(rel.user[held], rel.item[held], rel.gain[held]),
        train=Train(train.user[seen], train.item[seen]),
    )


def without_truth_item(case: Case, item: int) -> Case:
    """Return the case without the truth's rows of ``item``."""
    rel = case.truth
    others = rel.item != item
    return replace(case, truth=Truth(rel.user[others], rel.item[others], rel.gain[others]))


def prepend_item(case: Case, user: int, item: int) -> Case:
    """Return the case with ``item`` added at the head of the user's list, scored above all other rows."""
    rec = case.predictions
    place = int(np.argmax(rec.user == user))
    predictions = Predictions(
        np.insert(rec.user, place, user),
        np.insert(rec.item, place, item),
        np.insert(rec.score, place, rec.score.max() + 0.5),
    )
    return replace(case, predictions=predictions, catalogue=np.union1d(case.catalogue, [item]))
