"""Tells whether data are of a kind on which functions of libraries are known to depart from their definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from recsys_metric_audit.audit.data.pairs import pair_keys
from recsys_metric_audit.audit.libraries.contract import Data
from recsys_metric_audit.reference.input.case import Bools, Case, Ids


def occurs(kind: Data, case: Case, k: int | None) -> bool:
    """Return True if data, or the cut-off asked of them, are of a kind; predictions are by user and best first."""
    return _OCCURS[kind](case, k)


def _listed(case: Case) -> Bools:
    """Tell of each truth row whether its item is in the user's list."""
    shown, true = pair_keys([(case.predictions.user, case.predictions.item), (case.truth.user, case.truth.item)])
    return np.isin(true, shown)


def _hits(case: Case) -> Bools:
    """Tell of each predicted row whether the user's truth has its item, at any gain."""
    shown, true = pair_keys([(case.predictions.user, case.predictions.item), (case.truth.user, case.truth.item)])
    return np.isin(shown, true)


def _ranked(case: Case) -> Bools:
    """Tell of each predicted row whether its user has truth rows."""
    return np.isin(case.predictions.user, case.truth.user)


def _lengths(case: Case, users: Ids) -> Ids:
    """Return the length of the list of each user; 0 without one."""
    shown = np.sort(case.predictions.user)
    return np.searchsorted(shown, users, side="right") - np.searchsorted(shown, users)


def _k_above_the_candidates(case: Case, k: int | None) -> bool:
    users = np.unique(np.concatenate([case.predictions.user, case.truth.user]))
    trained = np.unique(np.stack([case.train.user, case.train.item]), axis=1)[0]
    taken = np.searchsorted(trained, users, side="right") - np.searchsorted(trained, users)
    return k is not None and k > len(case.catalogue) - int(taken.max(initial=0))


def _k_and_truth_above_the_items(case: Case, k: int | None) -> bool:
    return k is not None and k + int(np.unique(case.truth.user, return_counts=True)[1].max()) > len(case.catalogue)


def _equal_scores(case: Case, k: int | None) -> bool:
    user, score = case.predictions.user, case.predictions.score
    return bool(((user[1:] == user[:-1]) & (score[1:] == score[:-1])).any())


def _equal_in_single_precision(case: Case, k: int | None) -> bool:
    user, score = case.predictions.user, case.predictions.score
    narrow = score.astype(np.float32)
    return bool(((user[1:] == user[:-1]) & (score[1:] != score[:-1]) & (narrow[1:] == narrow[:-1])).any())


def _one_label(case: Case, k: int | None) -> bool:
    shown, true = pair_keys([(case.predictions.user, case.predictions.item), (case.truth.user, case.truth.item)])
    positive = np.isin(shown, true[case.truth.gain >= case.threshold])
    return bool(positive.all() or not positive.any())


def _one_label_of_rated_pairs(case: Case, k: int | None) -> bool:
    positive = case.truth.gain[_listed(case)] >= case.threshold
    return bool(positive.all() or not positive.any())


def _list_shorter_than_k(case: Case, k: int | None) -> bool:
    return bool((_lengths(case, case.truth.user) < (np.inf if k is None else k)).any())


def _lists_of_unequal_length(case: Case, k: int | None) -> bool:
    users = np.unique(np.concatenate([case.predictions.user, case.truth.user]))
    return len(np.unique(np.minimum(_lengths(case, users), np.iinfo(np.int64).max if k is None else k))) > 1


def _unlisted_and_short(case: Case, k: int | None) -> bool:
    short = _lengths(case, case.truth.user) < (np.inf if k is None else k)
    return bool((short & ~_listed(case)).any())


def _train_items_in_lists(case: Case, k: int | None) -> bool:
    shown, seen = pair_keys([(case.predictions.user, case.predictions.item), (case.train.user, case.train.item)])
    return bool(np.isin(shown, seen).any())


def _hits_below_r_alone(case: Case, k: int | None) -> bool:
    """Return True if a user has hits in the first k rows, and none in the first r of them."""
    user, hit = case.predictions.user, _hits(case)
    place = np.arange(len(user)) - np.searchsorted(user, user) + 1
    true = np.sort(case.truth.user)
    relevant = np.searchsorted(true, user, side="right") - np.searchsorted(true, user)
    inside = hit & (place <= (np.inf if k is None else k))
    return not np.isin(user[inside], user[inside & (place <= relevant)]).all()


def _no_hit_of_any_user(case: Case, k: int | None) -> bool:
    """Return True if no predicted row within the cut-off has an item of positive gain in the user's truth."""
    user = case.predictions.user
    shown, true = pair_keys([(user, case.predictions.item), (case.truth.user, case.truth.item)])
    place = np.arange(len(user)) - np.searchsorted(user, user) + 1
    hit = np.isin(shown, true[case.truth.gain > 0]) & (place <= (np.inf if k is None else k))
    return not hit.any()


def _user_without_gains(case: Case, k: int | None) -> bool:
    return not np.isin(case.truth.user, case.truth.user[case.truth.gain != 0]).all()


def _every_item_relevant(case: Case, k: int | None) -> bool:
    relevant = case.truth.user[case.truth.gain >= case.threshold]
    return bool((np.unique(relevant, return_counts=True)[1] == len(case.catalogue)).any())


_OCCURS: Final[Mapping[Data, Callable[[Case, int | None], bool]]] = {
    "a catalogue of one item": lambda case, _: len(case.catalogue) == 1,
    "k above the items": lambda case, k: k is not None and k > len(case.catalogue),
    "k above the candidates of a user": _k_above_the_candidates,
    "k and a user's truth above the items": _k_and_truth_above_the_items,
    "equal scores of a user": _equal_scores,
    "scores equal in single precision": _equal_in_single_precision,
    "one ranked pair": lambda case, _: np.count_nonzero(_ranked(case)) == 1,
    "one rated pair with a score": lambda case, _: np.count_nonzero(_listed(case)) == 1,
    "one kind of label": _one_label,
    "one kind of label among the rated pairs": _one_label_of_rated_pairs,
    "negative gains": lambda case, _: bool((case.truth.gain < 0).any()),
    "fractional or negative gains": lambda case, _: bool(((case.truth.gain < 0) | (case.truth.gain % 1 != 0)).any()),
    "a user whose gains are all 0": _user_without_gains,
    "a user for whom every item is relevant": _every_item_relevant,
    "a truth user without a list": lambda case, _: not np.isin(case.truth.user, case.predictions.user).all(),
    "a list shorter than k": _list_shorter_than_k,
    "lists of unequal length": _lists_of_unequal_length,
    "an unlisted item of the truth": lambda case, _: not _listed(case).all(),
    "an unlisted relevant item": lambda case, _: not _listed(case)[case.truth.gain >= case.threshold].all(),
    "an unlisted item of the truth and a list shorter than k": _unlisted_and_short,
    "no train data": lambda case, _: not len(case.train.user),
    "train items in lists": _train_items_in_lists,
    "hits in the first k rows and none in the first r": _hits_below_r_alone,
    "no hit of any user": _no_hit_of_any_user,
    "any data": lambda case, _: True,
}
