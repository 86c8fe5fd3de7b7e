"""Facts about a case: what is legal but unusual in it is counted and reported, never repaired."""

from __future__ import annotations

from collections.abc import Iterator
from typing import SupportsInt

import numpy as np

from recsys_metric_audit.audit.data.dataset import Fact
from recsys_metric_audit.audit.data.pairs import are_among, distinct, key_blocks, pair_keys
from recsys_metric_audit.reference.input.case import Case


def counted(slug: str, count: SupportsInt, what: str) -> Fact:
    """Return the fact that ``what`` occurs ``count`` times, as a sentence that is right for any number."""
    return Fact(slug, int(count), f"{what}: {int(count):,}.")


def facts_of(case: Case) -> tuple[Fact, ...]:
    """Return every fact whose count is not zero; predictions must be grouped by user, best first."""
    found = (*_users(case), *_lists(case), *_pairs(case), *_items(case), *_gains(case))
    return tuple(fact for fact in found if fact.count)


def _users(case: Case) -> Iterator[Fact]:
    predicted = distinct(case.predictions.user)
    relevant, true = distinct(case.truth.user[case.truth.gain >= case.threshold]), distinct(case.truth.user)
    no_list = np.count_nonzero(~are_among(true, predicted))
    yield counted("users-without-recommendations", no_list, "Users in the truth without recommendations")
    no_truth = np.count_nonzero(~are_among(predicted, true))
    yield counted("users-without-truth", no_truth, "Users with recommendations who are not in the truth")
    none = np.count_nonzero(~are_among(true, relevant))
    what = f"Users in the truth without a relevant item (gain of {case.threshold:g} or more)"
    yield counted("users-without-relevant-items", none, what)
    if len(case.train.user):
        new = np.count_nonzero(~are_among(distinct(np.concatenate([true, predicted])), case.train.user))
        yield counted("users-not-in-train", new, "Users of predictions or truth who have no train data")


def _lists(case: Case) -> Iterator[Fact]:
    user, score = case.predictions.user, case.predictions.score
    starts = np.flatnonzero(np.r_[len(user) > 0, user[1:] != user[:-1]])
    users, lengths = user[starts], np.diff(np.r_[starts, len(user)])
    trained = np.sort(case.train.user)
    seen = np.searchsorted(trained, users, side="right") - np.searchsorted(trained, users)
    longest = int(lengths.max(initial=0))
    # a list of all items that the user has not in train cannot be longer, so it is not short
    short = np.count_nonzero((lengths < longest) & (lengths + seen < len(case.catalogue)))
    span = f"Lists shorter than the longest, which has {longest:,} items (shortest: {lengths.min(initial=longest):,})"
    yield counted("short-lists", short, span)
    level = (user[1:] == user[:-1]) & (score[1:] == score[:-1])
    tied = np.count_nonzero(np.r_[level, False] | np.r_[False, level])
    yield counted("tied-scores", tied, "Predicted rows that share their score with another row of the user")


def _pairs(case: Case) -> Iterator[Fact]:
    shown, true, seen = ((table.user, table.item) for table in (case.predictions, case.truth, case.train))
    relevant = (case.truth.gain >= case.threshold) & are_among(case.truth.user, distinct(case.predictions.user))
    missed = known = 0
    for listed, own_relevant, own_seen in key_blocks(shown, (true[0][relevant], true[1][relevant]), seen):
        missed += int(np.count_nonzero(~are_among(own_relevant, listed)))
        known += int(np.count_nonzero(are_among(listed, own_seen)))
    yield counted("relevant-not-recommended", missed, "Pairs from the threshold up that are not in their user's list")
    true_keys, seen_keys = pair_keys([true, seen])
    repeated = len(seen_keys) - len(distinct(seen_keys))
    yield counted("train-duplicates", repeated, "Train rows that repeat an earlier (user, item) pair")
    yield counted("train-items-recommended", known, "Predicted rows that are in the user's train data")
    leaked = np.count_nonzero(are_among(true_keys, seen_keys))
    yield counted("truth-in-train", leaked, "Rows of the truth that are in the train data as well")


def _items(case: Case) -> Iterator[Fact]:
    if not len(case.train.item):
        yield Fact("no-train", 1, "There is no train data.")
        return
    items = distinct(np.concatenate([distinct(case.predictions.item), distinct(case.truth.item)]))
    new = np.count_nonzero(~are_among(items, case.train.item))
    yield counted("items-not-in-train", new, "Items of predictions or truth that are not in the train data")


def _gains(case: Case) -> Iterator[Fact]:
    below = np.count_nonzero(case.truth.gain < case.threshold)
    what = f"Rows of the truth below the threshold that libraries are told, {case.threshold:g}"
    yield counted("truth-below-threshold", below, what)
    yield counted("negative-gains", np.count_nonzero(case.truth.gain < 0), "Rows of the truth with negative gain")
