"""The generator of held-out cases: many users with everything unusual mixed, drawn from a seed of its own."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from recsys_metric_audit.audit.refutation.draft import Draft, DraftUser
from recsys_metric_audit.reference.input.case import Ids

_SEED = 77_240_611
"""Seeds all held-out cases; it must not change, since recordings hold answers by the digest of the input."""
CASES = 12
"""Counts the mixed cases of a series: 12 of 110 users are more than a thousand after unusual ones are left out."""
_USERS = 110
_ITEMS = 240
_GRID = 1024
"""Scores are multiples of 1 / 1024, exact in single precision too."""
_GAINS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0)

# The cut-off and the threshold of each case; thresholds lie between gains, and on some.
_K = (5, 1, 10, 20, 3, 7, 25, 10, 2, 15, 40, 20)
_THRESHOLDS = (2.25, 0.375, 1.0, 3.0, 1.25, 0.625, 2.0, 3.25, 0.5, 1.75, 4.0, 2.75)


_SMALL = (-2.0, -1.0, -0.5, 0.0, 0.03125, 0.0625, 0.1)
_FEWER_USERS = 30
"""So many users of a mixed case are in a rare one."""


@cache
def held_out_case(series: int, number: int, k: int | None = None) -> Draft:
    """Draw a held-out case.

    Args:
        series: The series; each is drawn from other numbers.
        number: The number of the case in the series, from 0 to ``CASES - 1``, or beyond that of a rare one.
        k: The cut-off; None for the case's own.
    """
    if number >= CASES:
        mixed = held_out_case(series, number - CASES + 2, k)  # the second one is cut at 1, where little is seen
        rng = np.random.default_rng([_SEED, series, number])
        made = _RARE[number - CASES](rng, mixed.of_users(mixed.users[:_FEWER_USERS]))
        return made if k is None else replace(made, k=k)
    rng = np.random.default_rng([_SEED, series, number])
    place = (number + 5 * series) % CASES
    cut = _K[place] if k is None else k
    threshold = _THRESHOLDS[(number + 7 * series) % CASES]
    ids = np.sort(rng.choice(np.arange(1, 1000), _USERS, replace=False)).tolist()
    items = np.sort(rng.choice(np.arange(1, 2000), _ITEMS, replace=False))
    negative = bool(number % 2)
    users = tuple(_user(rng, user, items, cut, threshold, negative) for user in ids)
    return Draft((), tuple(items.tolist()), threshold, cut).of_users(users)


def _user(rng: np.random.Generator, user: int, items: Ids, k: int, threshold: float, negative: bool) -> DraftUser:
    """Draw one user of a case."""
    pool = rng.permutation(items).tolist()
    length = _length(rng, k)
    listed, others = pool[:length], pool[length:]
    truth = _truth(rng, listed, others, threshold)
    if length and rng.random() < 0.04:  # all that is recommended is relevant
        length = min(length, 6)
        listed = listed[:length]
        truth = [(item, float(rng.choice((4.0, 4.5, 5.0)))) for item in listed]
    rows = list(zip(listed, _scores(rng, length, negative), strict=True))
    if length > 2 and rng.random() < 0.15:
        for _ in range(int(rng.integers(1, 4))):
            target, source = rng.choice(length, 2, replace=False).tolist()
            rows[target] = (rows[source][0], rows[target][1])
    if rng.random() < 0.3:
        rows = [rows[place] for place in rng.permutation(length)]
    if truth and rng.random() < 0.12:
        truth += [truth[place] for place in rng.integers(0, len(truth), int(rng.integers(1, 3))).tolist()]
    train = pool[-int(rng.integers(1, 7)) :]
    if rng.random() < 0.25:
        train += [item for item, _ in dict(rows).items() if rng.random() < 0.3]
    return DraftUser(user, tuple(rows), tuple(truth), tuple(train))


def _length(rng: np.random.Generator, k: int) -> int:
    """Draw the length of a list: none, shorter than k, about k, or long."""
    kind = rng.random()
    if kind < 0.06:
        return 0
    if kind < 0.2:
        return int(rng.integers(1, max(2, k)))
    if kind < 0.72:
        return int(rng.integers(k, 2 * k + 6))
    return int(rng.integers(max(30, k), max(30, k) + 45))


def _truth(rng: np.random.Generator, listed: list[int], others: list[int], threshold: float) -> list[tuple[int, float]]:
    """Draw the truth rows of a user, in no order: some listed, some not, some below the threshold."""
    kind = rng.random()
    if kind < 0.05:
        return []
    count = int(rng.integers(1, 9)) if kind < 0.85 else int(rng.integers(9, 24))
    hits = int(rng.binomial(count, 0.65)) if rng.random() > 0.06 else 0
    # Better ranks are likelier, so that small cut-offs see hits too.
    places = np.minimum(rng.geometric(0.12, hits) - 1, len(listed) - 1) if listed else np.empty(0, dtype=np.int64)
    chosen = [listed[place] for place in dict.fromkeys(places.tolist())]
    chosen += others[: count - hits]
    gains = [float(gain) for gain in rng.choice(_GAINS, len(chosen))]
    if rng.random() < 0.05:  # nothing is relevant where the threshold decides
        gains = [threshold / 2 for _ in chosen]
    rows = list(zip(chosen, gains, strict=True))
    return [rows[place] for place in rng.permutation(len(rows))]


def _scores(rng: np.random.Generator, length: int, negative: bool) -> list[float]:
    """Draw scores, best first: distinct ones, few values with many ties, or one run of 20 to 60 equal scores."""
    lowest = -_GRID if negative else 1
    kind = rng.random()
    if kind < 0.5:
        scores = rng.choice(np.arange(lowest, 3 * _GRID), length, replace=False)
    elif kind < 0.75:
        scores = rng.choice(rng.integers(lowest, 3 * _GRID, 6), length)
        scores = np.where(rng.random(length) < 0.1, 0 if negative else 1, scores)
    else:
        scores = rng.choice(np.arange(lowest, 3 * _GRID), length, replace=False)
        scores = np.sort(scores)[::-1]
        run = min(length, int(rng.integers(20, 61)))
        start = int(rng.integers(0, length - run + 1))
        scores[start : start + run] = scores[start : start + 1]
    return [float(score) / _GRID for score in np.sort(scores)[::-1]]


def _with_small_gains(rng: np.random.Generator, draft: Draft) -> Draft:
    """Give a third of the truth rows gains below 1/8, of 0 and less."""

    def changed(user: DraftUser) -> DraftUser:
        drawn = [(item, gain, rng.random() < 1 / 3, float(rng.choice(_SMALL))) for item, gain in user.truth]
        return replace(user, truth=tuple((item, small if is_small else gain) for item, gain, is_small, small in drawn))

    return draft.of_users(tuple(map(changed, draft.users)))


def _with_close_scores(rng: np.random.Generator, draft: Draft) -> Draft:
    """Give each user scores of which some are a billionth below those of the rows above, best row first or last."""

    def changed(user: DraftUser) -> DraftUser:
        scores = np.sort(rng.choice(np.arange(1, 3 * _GRID), len(user.rows), replace=False))[::-1] / _GRID
        close = np.flatnonzero(rng.random(len(scores)) < 0.5)[::2]
        close = close[close > 0]
        scores[close] = scores[close - 1] - 1e-9
        rows = tuple(zip((item for item, _ in user.rows), scores.tolist(), strict=True))
        return replace(user, rows=rows[::-1] if rng.random() < 0.5 else rows)

    return draft.of_users(tuple(map(changed, draft.users)))


def _with_other_copies(rng: np.random.Generator, draft: Draft) -> Draft:
    """Repeat truth rows with other gains, behind all rows of their user."""

    def changed(user: DraftUser) -> DraftUser:
        copies = [(item, float(rng.choice(_GAINS))) for item, _ in user.truth if rng.random() < 0.3]
        return replace(user, truth=(*user.truth, *copies))

    return draft.of_users(tuple(map(changed, draft.users)))


def _with_few_items(rng: np.random.Generator, draft: Draft) -> Draft:
    """Cut each list above the number of items."""
    return replace(draft, k=len(draft.items) + int(rng.integers(1, 60)))


def _of_one_user(rng: np.random.Generator, draft: Draft) -> Draft:
    """Keep the items, and draw one plain user: hits and misses in turn, best first."""
    chosen = rng.choice(draft.items, 2 * draft.k + 4, replace=len(draft.items) < 2 * draft.k + 4).tolist()
    rows = tuple((item, 2.0 - place / _GRID) for place, item in enumerate(dict.fromkeys(chosen)))
    truth = tuple((item, 4.5) for item, _ in rows[::2])
    return replace(draft, threshold=2.0, users=(DraftUser(int(rng.integers(1, 1000)), rows, truth),))


def _of_one_pair(rng: np.random.Generator, draft: Draft) -> Draft:
    """Keep the items, and draw one user who is shown one item and likes it."""
    item = int(rng.choice(draft.items))
    return replace(draft, threshold=2.0, k=1, users=(DraftUser(7, ((item, 0.5),), ((item, 4.5),)),))


_RARE = (_with_small_gains, _with_close_scores, _with_other_copies, _with_few_items, _of_one_user, _of_one_pair)
RARE = len(_RARE)
"""Counts the cases of a series in which something is that no mixed one has."""
