"""The placement by sorting everything: slow, plain, and what the fast one is held against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from recsys_metric_audit.reference.input.case import Case, Ids
from recsys_metric_audit.reference.placement.placement import Floats, Ints, Placement


def place(case: Case, *, stacked: bool = False) -> Placement:
    """Return the placement of a case; ``stacked`` ranks all rows of all users as one list of (user, item) pairs.

    Users are all that occur in predictions or truth, in ascending order of id.

    Raises:
        ValueError: if a score is NaN (it has no place in any order).
    """
    rec, truth = case.predictions, case.truth
    if np.isnan(rec.score).any():
        raise ValueError(f"case {case.name}: a NaN score has no place in a ranking")
    users = np.union1d(rec.user, truth.user)
    rec_user, truth_user = np.searchsorted(users, rec.user), np.searchsorted(users, truth.user)
    items = np.unique(np.concatenate([rec.item, truth.item]))
    rec_item, truth_item = rec.item, truth.item
    rec_pair = rec_user * len(items) + np.searchsorted(items, rec_item)
    truth_pair = truth_user * len(items) + np.searchsorted(items, truth_item)
    train = np.bincount(np.searchsorted(users, case.train.user[np.isin(case.train.user, users)]),
                        minlength=len(users))  # fmt: skip
    catalogue = np.full(len(users), len(case.catalogue) or len(items))
    if stacked:
        users = np.zeros(min(1, len(users)), dtype=np.int64)
        rec_user, truth_user = np.zeros_like(rec_user), np.zeros_like(truth_user)
        rec_item, truth_item = rec_pair, truth_pair
        train, catalogue = np.array([train.sum()]), np.array([catalogue.sum()])
        train, catalogue = train[: len(users)], catalogue[: len(users)]
    ranking = _rank(rec_user, rec_item, rec.score, rec_pair, len(users))
    number, place_of = _match(truth_pair, rec_pair[ranking.order])
    listed = place_of >= 0

    def of(column: Ints) -> Ints:
        out = np.full(len(place_of), -1, dtype=np.int64)
        out[listed] = column[place_of[listed]]
        return out

    order_by_row = np.lexsort((of(ranking.row), truth_user[number]))
    number, place_of = number[order_by_row], place_of[order_by_row]
    listed = place_of >= 0
    score = np.full(len(number), np.nan)
    score[listed] = rec.score[ranking.order][place_of[listed]]
    truth_start = np.searchsorted(np.sort(truth_user), np.arange(len(users)))
    truth_row = np.empty(len(truth_user), dtype=np.int64)
    by_user = np.argsort(truth_user, kind="stable")
    truth_row[by_user] = np.arange(len(truth_user)) - truth_start[truth_user[by_user]]
    filled = np.full(len(users), 1.0)
    return Placement(
        user=truth_user[number], item=truth_item[number], gain=truth.gain[number].astype(np.float64),
        score=score, row=of(ranking.row), truth_row=truth_row[number], above=of(ranking.above),
        tied=of(ranking.tied), before=of(ranking.before), before_item=of(ranking.before_item),
        before_text=of(ranking.before_text), repeat=of(ranking.repeat), copy=_occurrence(truth_pair)[number],
        users=users, length=np.bincount(rec_user, minlength=len(users)),
        given=np.bincount(rec_user, minlength=len(users)),
        repeats=np.bincount(rec_user[ranking.order], weights=ranking.repeat > 0, minlength=len(users)).astype(int),
        truth_rows=np.bincount(truth_user, minlength=len(users)), train=train, catalogue=catalogue,
        threshold=filled * case.threshold, lowest=filled * case.scale[0], highest=filled * case.scale[1],
        at_half=np.bincount(rec_user, weights=rec.score >= 0.5, minlength=len(users)).astype(int),
        case=np.zeros(len(users), dtype=np.int64),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Ranking:
    """Every row in ranked order: by user, then score descending, then as given."""

    order: Ints
    row: Ints
    above: Ints
    tied: Ints
    before: Ints
    before_item: Ints
    before_text: Ints
    repeat: Ints


def _rank(user: Ints, item: Ids, score: Floats, pair: Ints, users: int) -> _Ranking:
    order = np.lexsort((-score, user))
    position = np.arange(len(order))
    start = np.searchsorted(user[order], np.arange(users))[user[order]] if len(order) else position
    given = np.argsort(user, kind="stable")
    row = np.empty(len(order), dtype=np.int64)
    row[given] = position - start
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (user[order][1:] != user[order][:-1]) | (score[order][1:] != score[order][:-1])
    group = np.cumsum(fresh) - 1
    first = np.flatnonzero(fresh)
    size = np.diff(np.append(first, len(order)))
    return _Ranking(
        order=order, row=row[order], above=first[group] - start if len(order) else position,
        tied=size[group] if len(order) else position, before=position - first[group] if len(order) else position,
        before_item=_earlier(group, size, item[order]), before_text=_earlier(group, size, item[order], text=True),
        repeat=_occurrence(pair[order]),
    )  # fmt: skip


def _earlier(group: Ints, size: Ints, item: Ids, *, text: bool = False) -> Ints:
    """For each row, the members of its tie group whose item comes first, as numbers or as text."""
    out = np.zeros(len(group), dtype=np.int64)
    tied = np.flatnonzero(size[group] > 1) if len(group) else group
    if not len(tied):
        return out
    key = item[tied].astype(str) if text else item[tied]
    by_key = np.lexsort((key, group[tied]))
    groups = group[tied][by_key]
    start = np.searchsorted(groups, groups)
    out[tied[by_key]] = np.arange(len(groups)) - start
    return out


def _occurrence(keys: Ints) -> Ints:
    """For each entry, how many equal entries came before it."""
    by_key = np.argsort(keys, kind="stable")
    ordered = keys[by_key]
    out = np.empty(len(keys), dtype=np.int64)
    out[by_key] = np.arange(len(keys)) - np.searchsorted(ordered, ordered)
    return out


def _match(truth_pair: Ints, ranked_pair: Ints) -> tuple[Ints, Ints]:
    """(truth row, ranked row) for every place, ranked row -1 for a truth row that stands nowhere."""
    by_pair = np.argsort(ranked_pair, kind="stable")
    ordered = ranked_pair[by_pair]
    low, high = np.searchsorted(ordered, truth_pair), np.searchsorted(ordered, truth_pair, side="right")
    times = np.maximum(high - low, 1)
    number = np.repeat(np.arange(len(truth_pair)), times)
    offset = np.arange(len(number)) - np.repeat(np.cumsum(times) - times, times)
    spot = low[number] + offset
    found = (high > low)[number]
    out = np.full(len(number), -1, dtype=np.int64)
    out[found] = by_pair[spot[found]]
    return number, out
