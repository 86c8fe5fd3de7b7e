"""Faults that no axis of the definition space covers: each changes what a definition gives on some inputs only.

``answer(case, k)`` is the definition's own result: its mean, and (value, counted) of each user in order of ids.
``answer(case, k, axis=value)`` is that of the definition with another value.
"""

import copy
import math
from types import SimpleNamespace

import numpy as np


def altered(case, predictions=None, truth=None):
    """Return the case with other rows."""
    changed = {"predictions": predictions or case.predictions, "truth": truth or case.truth}
    made = copy.copy(case)
    vars(made).update(changed)
    return made


def kept(table, keep):
    return SimpleNamespace(**{name: column[keep] for name, column in vars(table).items()})


def gains(change):
    def wrong(answer, case, k):
        truth = SimpleNamespace(user=case.truth.user, item=case.truth.item, gain=change(case.truth.gain))
        return answer(altered(case, truth=truth), k).mean

    return wrong


def rows(keep):
    """Recommended rows for which ``keep(table)`` does not hold are gone, and the list closes up."""

    def wrong(answer, case, k):
        return answer(altered(case, predictions=kept(case.predictions, keep(case.predictions))), k).mean

    return wrong


def truths(keep):
    return lambda answer, case, k: answer(altered(case, truth=kept(case.truth, keep(case.truth))), k).mean


def cut(change):
    return lambda answer, case, k: answer(case, change(k)).mean


def averaged(how):
    """``how(values, users, case, k)`` in place of the mean, where there are several users."""

    def wrong(answer, case, k):
        made = answer(case, k)
        ids = sorted({*case.predictions.user.tolist(), *case.truth.user.tolist()})
        users = [user for user, (_, counted) in zip(ids, made.users) if counted]
        values = [value for value, counted in made.users if counted]
        return made.mean if len(values) < 2 else float(how(values, users, case, k))

    return wrong


def told(change):
    """``change(mean, case, k)`` of what the definition says."""
    return lambda answer, case, k: change(answer(case, k).mean, case, k)


def count(column, user):
    return int((column == user).sum())


def nth(user):
    """0, 1, 2, … for the rows of each user."""
    seen = {}
    return np.array([seen.setdefault(one, []).append(0) or len(seen[one]) - 1 for one in user.tolist()], dtype=int)


def weighted(weight):
    def how(values, users, case, k):
        weights = [weight(user, case, k) for user in users]
        return sum(value * w for value, w in zip(values, weights)) / sum(weights)

    return averaged(how)


def mean(values):
    return sum(values) / len(values)


def longest(case):
    return max((count(case.predictions.user, user) for user in case.predictions.user.tolist()), default=0)


def most_relevant(case):
    return max((count(case.truth.user, user) for user in case.truth.user.tolist()), default=0)


def listed(change):
    """Each user's list is what ``change(rows, missed, k)`` makes of it: rows (item, score), missed relevant items."""

    def wrong(answer, case, k):
        made = []
        for user in dict.fromkeys(case.predictions.user.tolist()):
            own = case.predictions.user == user
            items, scores = case.predictions.item[own].tolist(), case.predictions.score[own].tolist()
            relevant = case.truth.item[case.truth.user == user].tolist()
            missed = [item for item in dict.fromkeys(relevant) if item not in items]
            made += [(user, item, score) for item, score in change(list(zip(items, scores)), missed, k)]
        names = ("user", "item", "score")
        columns = (np.array([row[place] for row in made]) for place in range(3))
        table = SimpleNamespace(**dict(zip(names, columns))) if made else case.predictions
        return answer(altered(case, predictions=table), k).mean

    return wrong


def scrambled(rows, missed, k):
    """Ties of long lists come out in an order of their own, as of a sort that is stable up to 16 rows."""
    if len(rows) <= 16:
        return rows
    return [row for _, row in sorted(enumerate(rows), key=lambda each: each[0] * 7919 % 1009)]


def first_copies(rows, missed, k):
    """Of an item that a long list holds twice only the first row stays."""
    if len(rows) <= 16:
        return rows
    items = [item for item, _ in rows]
    return [row for place, row in enumerate(rows) if row[0] not in items[:place]]


def filled(rows, missed, k):
    """A list that is ten rows short is filled up with relevant items."""
    if not rows or k is None or k - len(rows) < 10:
        return rows
    least = min(score for _, score in rows)
    return rows + [(item, least - place) for place, item in enumerate(missed[: k - len(rows)], 1)]


def shared_ranks(answer, case, k):
    """Tied rows share a rank, one plus the rows that score higher, where a list has 17 rows and more."""
    return answer(case, k, ties="shared").mean if longest(case) > 16 else answer(case, k).mean


WRONG = {
    "k is at most 10": cut(lambda k: min(k, 10)),
    "k is at least 2": cut(lambda k: max(k, 2)),
    "k of 5 is taken as 10": cut(lambda k: 10 if k == 5 else k),
    "lists are cut at 10": rows(lambda table: nth(table.user) < 10),
    "the sixth row is lost": rows(lambda table: nth(table.user) != 5),
    "scores of 0 and below are gone": rows(lambda table: table.score > 0),
    "item 13 is unknown": rows(lambda table: table.item != 13),
    "item 12 is never relevant": truths(lambda table: table.item != 12),
    "item 13 is never relevant": truths(lambda table: table.item != 13),
    "items from 502 on are never relevant": truths(lambda table: table.item < 502),
    "at most 3 relevant items a user": truths(lambda table: nth(table.user) < 3),
    "gains of 4 and more are dropped": truths(lambda table: table.gain < 4),
    "gains are cast to int": gains(np.trunc),
    "gains are rounded up": gains(np.ceil),
    "gains are capped at 4": gains(lambda gain: np.minimum(gain, 4)),
    "gains of 3 are 4": gains(lambda gain: np.where(gain == 3, 4.0, gain)),
    "median": averaged(lambda values, users, case, k: np.median(values)),
    "the first user is left out": averaged(lambda values, users, case, k: mean(values[1:])),
    "the last user is left out": averaged(lambda values, users, case, k: mean(values[:-1])),
    "over n - 1 users": averaged(lambda values, users, case, k: sum(values) / (len(values) - 1)),
    "over n + 1 users": averaged(lambda values, users, case, k: sum(values) / (len(values) + 1)),
    "the best and the worst user": averaged(lambda values, users, case, k: (max(values) + min(values)) / 2),
    "trimmed mean": averaged(lambda values, users, case, k: mean(sorted(values)[1:] or values)),
    "at most four users": averaged(lambda values, users, case, k: mean(values[:4])),
    "weighted by 1/r": weighted(lambda user, case, k: 1 / max(count(case.truth.user, user), 1)),
    "weighted by the root of r": weighted(lambda user, case, k: math.sqrt(max(count(case.truth.user, user), 1))),
    "the first user counts twice": weighted(lambda user, case, k: 2 if user == 1 else 1),
    "short lists count half": weighted(lambda user, case, k: 0.5 if count(case.predictions.user, user) < k else 1),
    "nan where k is beyond the list": told(lambda value, case, k: math.nan if longest(case) < k else value),
    "0 where k is beyond the list": told(lambda value, case, k: 0.0 if longest(case) < k else value),
    "a thousandth more from r 4 on": told(lambda value, case, k: value + (most_relevant(case) > 3) / 1000),
    "squared for r above k": told(lambda value, case, k: value**2 if most_relevant(case) > k else value),
    "halved for lists of 6 and more": told(lambda value, case, k: value / 2 if longest(case) > 5 else value),
    "rounded up from 0.9 on": told(lambda value, case, k: 1.0 if 0.9 < value < 1 else value),
    "ties of 17 rows and more in no order": listed(scrambled),
    "items twice in 17 rows and more count once": listed(first_copies),
    "lists ten rows short are filled with relevant items": listed(filled),
    "tied rows share a rank in lists of 17 and more": shared_ranks,
    "at most 0.75": told(lambda value, case, k: min(value, 0.75)),
}
