"""The removal of one unusual feature from the rows of a draft; everything else stays as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import compress
from math import ceil

import numpy as np

from recsys_metric_audit.audit.refutation.draft import Draft, DraftUser
from recsys_metric_audit.reference.placement.row_selection import relevant_gains

_GRID = 1 / 1024
_HIGH = 4.0
"""Bounds the gains from below where all truth rows are made relevant."""
_SHORT_RUN, _RUNS = 3, 2
"""Bound the rows that tie, and the runs of equal scores of a user, where longer runs are removed."""


def usual_gains(draft: Draft) -> Draft:
    """Raise gains below 1/8 to it."""
    return _each_truth(draft, lambda user: tuple((item, max(gain, 0.125)) for item, gain in user.truth))


def separate_scores(draft: Draft) -> Draft:
    """Lower scores a little that are less than a ten-millionth below another one of the user."""

    def lowered(user: DraftUser) -> tuple[tuple[int, float], ...]:
        close = {one for _, one in user.rows for _, other in user.rows if 0 < other - one < 1e-7}
        return tuple((item, score - (score in close) * _GRID / 8) for item, score in user.rows)

    return _each_list(draft, lowered)


def equal_copies(draft: Draft) -> Draft:
    """Give all truth rows of an item the gain of the first one."""
    return _each_truth(draft, lambda user: tuple((item, dict(_first_rows(user.truth))[item]) for item, _ in user.truth))


def whole_gains(draft: Draft) -> Draft:
    """Round all gains up to whole numbers."""
    return _each_truth(draft, lambda user: tuple((item, float(ceil(gain))) for item, gain in user.truth))


def gains_of_1(draft: Draft) -> Draft:
    """Replace all gains and the threshold by 1."""
    draft = _each_truth(draft, lambda user: tuple((item, 1.0) for item, _ in user.truth))
    return replace(draft, threshold=1.0)


def all_relevant(draft: Draft, rule: str) -> Draft:
    """Make every truth row relevant, from whatever gain of up to 4 on rows are; the order of gains stays.

    Where only gains of 1 are relevant, all become 1.
    """
    if rule == "equal_1":
        return gains_of_1(draft)
    gains = [gain for user in draft.users for _, gain in user.truth]
    if min(gains, default=_HIGH) >= _HIGH > draft.threshold:
        return draft
    if all(gain == ceil(gain) for gain in gains):
        draft = _each_truth(draft, lambda user: tuple((item, _HIGH + (gain >= 3)) for item, gain in user.truth))
    else:
        draft = _each_truth(draft, lambda user: tuple((item, _HIGH + max(gain, 0.0) / 8) for item, gain in user.truth))
    return replace(draft, threshold=3.5)


def truth_once(draft: Draft) -> Draft:
    """Keep the first truth row of every item."""
    return _each_truth(draft, lambda user: _first_rows(user.truth))


def one_relevant(draft: Draft, rule: str) -> Draft:
    """Keep the first relevant truth row of each user."""
    return _each_truth(draft, lambda user: _relevant_rows(draft, user, rule)[:1])


def listed_truth(draft: Draft) -> Draft:
    """Drop the truth rows of items that are not recommended, but of users without any recommendation."""

    def listed(user: DraftUser) -> tuple[tuple[int, float], ...]:
        items = dict(user.rows)
        return tuple(row for row in user.truth if row[0] in items or not items)

    return _each_truth(draft, listed)


def items_once(draft: Draft) -> Draft:
    """Keep the first row of every recommended item."""
    return _each_list(draft, lambda user: _first_rows(user.rows))


def no_training_items(draft: Draft) -> Draft:
    """Drop the train rows of items that are recommended or relevant."""

    def kept(user: DraftUser) -> DraftUser:
        own = {**dict(user.rows), **dict(user.truth)}
        return replace(user, train=tuple(item for item in user.train if item not in own))

    return draft.of_users(tuple(map(kept, draft.users)))


def positive_scores(draft: Draft) -> Draft:
    """Raise all scores by one amount, so that all are above 0."""
    lowest = min((score for user in draft.users for _, score in user.rows), default=1.0)
    if lowest > 0:
        return draft
    raised = ceil(-lowest / _GRID) * _GRID + _GRID
    return _each_list(draft, lambda user: tuple((item, score + raised) for item, score in user.rows))


def distinct_scores(draft: Draft) -> Draft:
    """Lower tied scores a little, in the order of the rows, so that no two rows of any users tie."""
    times = Counter(score for user in draft.users for _, score in user.rows)
    size = max(times.values(), default=1)
    if size == 1:
        return draft
    # A run of ties must not reach down to the next lower score.
    gap = min(np.diff(sorted(times)), default=_GRID)
    step, seen = min(float(gap), _GRID) / 2 ** ceil(np.log2(size + 1)), Counter[float]()

    def lowered(user: DraftUser) -> tuple[tuple[int, float], ...]:
        out = []
        for item, score in user.rows:
            out.append((item, score - seen[score] * step))
            seen[score] += 1
        return tuple(out)

    return _each_list(draft, lowered)


def short_runs(draft: Draft) -> Draft:
    """Lower tied scores a little, in the order of the rows, so that few rows of a user tie."""

    def lowered(user: DraftUser) -> tuple[tuple[int, float], ...]:
        times = Counter(score for _, score in user.rows)
        tied = {score for score, _ in [pair for pair in times.items() if pair[1] > 1][:_RUNS]}
        seen, out = Counter[float](), []
        for item, score in user.rows:
            past = max(0, seen[score] - _SHORT_RUN + 1) if score in tied else seen[score]
            out.append((item, score - past * _GRID / 2**10))
            seen[score] += 1
        return tuple(out)

    return _each_list(draft, lowered)


def sorted_rows(draft: Draft) -> Draft:
    """Put the rows of each user in the order of their scores; tied rows keep theirs."""
    return _each_list(draft, lambda user: tuple(sorted(user.rows, key=lambda row: -row[1])))


def filled_lists(draft: Draft) -> Draft:
    """Fill lists that are shorter than the cut-off with irrelevant items, behind and with lower scores."""

    def filled(user: DraftUser) -> tuple[tuple[int, float], ...]:
        missing = draft.k - len(user.rows)
        if not user.rows or missing <= 0:
            return user.rows
        own = {*dict(user.rows), *dict(user.truth), *user.train}
        free = [item for item in draft.items if item not in own][:missing]
        lowest = min(score for _, score in user.rows)
        return (*user.rows, *((item, lowest - (place + 1) * _GRID) for place, item in enumerate(free)))

    return _each_list(draft, filled)


def several_users(draft: Draft) -> Draft:
    """Drop a user who is the only one."""
    return _only(draft, lambda user: len(draft.users) > 1)


def several_pairs(draft: Draft) -> Draft:
    """Drop the only user with the only row."""
    return _only(draft, lambda user: len(draft.users) > 1 or len(user.rows) > 1)


def k_within_items(draft: Draft) -> Draft:
    """Lower a cut-off above the number of items to 10."""
    return replace(draft, k=10) if draft.k > len(draft.items) else draft


def only_users_with_list(draft: Draft) -> Draft:
    """Drop users without recommendations."""
    return _only(draft, lambda user: bool(user.rows))


def only_users_with_relevant(draft: Draft, rule: str) -> Draft:
    """Drop users without relevant items."""
    return _only(draft, lambda user: bool(_relevant_items(draft, user, rule)))


def only_users_with_irrelevant(draft: Draft, rule: str, cutoff: bool) -> Draft:
    """Drop users with recommendations of whom no irrelevant row is within the cut-off, whatever orders rows."""
    return _only(draft, lambda user: not user.rows or _within_cutoff(draft, user, rule, cutoff, relevant=False))


def only_users_with_hit(draft: Draft, rule: str, cutoff: bool) -> Draft:
    """Drop users with relevant items of whom none is surely within the cut-off, whatever orders rows."""

    def kept(user: DraftUser) -> bool:
        idle = not user.rows or not _relevant_items(draft, user, rule)
        return idle or _within_cutoff(draft, user, rule, cutoff, relevant=True)

    return _only(draft, kept)


def _within_cutoff(draft: Draft, user: DraftUser, rule: str, cutoff: bool, *, relevant: bool) -> bool:
    """Return True if a row that is relevant, or one that is not, is within the cut-off by rows and by scores."""
    chosen, depth = _relevant_items(draft, user, rule), max(1, draft.k - 1) if cutoff else len(user.rows)
    scores = [score for _, score in user.rows]
    return any(
        (item in chosen) == relevant and score > 0 and sum(other >= score for other in scores) <= depth
        for item, score in user.rows[:depth]
    )


def _relevant_items(draft: Draft, user: DraftUser, rule: str) -> set[int]:
    return set(dict(_relevant_rows(draft, user, rule)))


def _relevant_rows(draft: Draft, user: DraftUser, rule: str) -> tuple[tuple[int, float], ...]:
    gains = np.array([gain for _, gain in user.truth], dtype=np.float64)
    kept = relevant_gains(gains, draft.threshold, rule).tolist()
    return tuple(compress(user.truth, kept))


def _first_rows(rows: tuple[tuple[int, float], ...]) -> tuple[tuple[int, float], ...]:
    """Return the first row of each item, in the order of the rows."""
    first: dict[int, float] = {}
    for item, number in rows:
        first.setdefault(item, number)
    return tuple(first.items())


def _each_truth(draft: Draft, changed: Callable[[DraftUser], tuple[tuple[int, float], ...]]) -> Draft:
    return draft.of_users(tuple(replace(user, truth=changed(user)) for user in draft.users))


def _each_list(draft: Draft, changed: Callable[[DraftUser], tuple[tuple[int, float], ...]]) -> Draft:
    return draft.of_users(tuple(replace(user, rows=changed(user)) for user in draft.users))


def _only(draft: Draft, kept: Callable[[DraftUser], bool]) -> Draft:
    return replace(draft, users=tuple(user for user in draft.users if kept(user)))
