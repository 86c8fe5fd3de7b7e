"""Multi-user probes: they determine which users are averaged, how, and what a user in an unusual state counts as.

Every unusual state stands beside ordinary users, first alone, then together with the other states.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from recsys_metric_audit.reference.cases.probe import (
    THRESHOLD,
    Kind,
    Probe,
    User,
    Variant,
    above_threshold,
    case_from_rows,
    case_from_users,
    unit_gains,
)

_HIT = User((2, 0, 0, 0, 0), (2,), train=1)
_TWO = User((0, 2, 2, 0), (2, 2, 4), train=3)
_LATE = User((0, 0, 4, 0, 0, 0, 0), (), train=0)
_FULL = User((4, 0, 2, 2, 0, 2, 0, 0), (2,), train=5)
_ONE = User((0, 2, 0), (), train=2)
_SHORT = User((0, 2), (2, 4), train=2)
_NO_HIT = User((0, 0, 0, 0, 2), (4,), train=2)
_NO_HIT_ONE = User((0, 0, 0, 0), (2,), train=2)
_NO_TRUTH = User((0, 0, 0, 0), (), train=2)
_NO_TRUTH_LONG = User((0, 0, 0, 0, 0, 0), (), train=1)
_NO_LIST = User((), (2,), train=2)
_NO_LIST_TWO = User((), (2, 4), train=1)
_ALL_RELEVANT = User((2, 4, 2), (), train=2)

_TABLE = (
    ("ordinary users of unequal r and list length", (_HIT, _TWO, _LATE, _FULL, _ONE), 3),
    ("with a short list", (_SHORT, _HIT, _FULL), 3),
    ("with users without a hit", (_HIT, _NO_HIT, _TWO, _NO_HIT_ONE, _FULL), 3),
    ("a user without a hit first", (_NO_HIT, _TWO, _HIT), 3),
    ("with users without relevant items", (_HIT, _NO_TRUTH, _TWO, _FULL, _NO_TRUTH_LONG), 3),
    ("a user without relevant items first", (_NO_TRUTH, _FULL, _HIT), 3),
    ("with users without recommendations", (_HIT, _NO_LIST, _TWO, _NO_LIST_TWO, _FULL), 3),
    ("a user without recommendations first", (_NO_LIST_TWO, _FULL, _HIT), 3),
    ("with a user whose items are all relevant", (_HIT, _ALL_RELEVANT, _TWO, _FULL), 3),
    ("one hit, one none, one without list, two without truth", (_ONE, _NO_HIT, _NO_LIST, _NO_TRUTH, _NO_TRUTH_LONG), 3),
    ("ordinary users, k one", (_HIT, _FULL, User((4, 0, 2), ())), 1),
    ("everything at once",
     (_TWO, _NO_TRUTH, _NO_HIT, _NO_LIST_TWO, _FULL, _ALL_RELEVANT, _SHORT, _NO_TRUTH_LONG, _NO_LIST), 3),
)  # fmt: skip

USUAL = tuple(Probe(Kind("multi_user"), case_from_users(name, users, why=name), k, users) for name, users, k in _TABLE)

_DEGENERATE = {
    "nobody has relevant items": (_NO_TRUTH, _NO_TRUTH_LONG),
    "nobody has recommendations": (User((), (4,)), User((), (4, 4))),
    "nobody has a hit": (User((0, 0, 0, 0), (4,)), User((0, 0), (4, 4))),
    "everything that is recommended is relevant": (User((4, 4)), User((4,))),
}

# Metrics over rated items ignore the irrelevant items above; here these have a gain, below the threshold.
_BELOW = 1.0


def _with_rated_misses(user: User) -> User:
    return replace(user, ranked=tuple(gain or _BELOW for gain in user.ranked))


DEGENERATE = tuple(
    Probe(Kind("degenerate"), case_from_users(name, users, why=name), 3, users)
    for name, users in (
        *_DEGENERATE.items(),
        # Here metrics over rated items have a list, too.
        *(
            (f"{name}, though rated {what}", tuple(map(_with_rated_misses, _DEGENERATE[name])))
            for name, what in (("nobody has relevant items", "ones"), ("nobody has a hit", "items"))
        ),
    )
)
"""Everybody is in one unusual state, for functions that take all rows as one ranking: no other case puts it there."""


def _with_all_listed(user: User) -> User:
    return replace(user, ranked=user.ranked + user.missed, missed=()) if user.ranked else user


def _variant(variant: Variant, words: str, change: Callable[[User], User], threshold: float) -> tuple[Probe, ...]:
    """Return the probes of the table with each user changed."""
    return tuple(
        Probe(
            Kind("multi_user", variant), case_from_users(f"{words}: {name}", own, threshold=threshold, why=name), k, own
        )
        for name, users, k in _TABLE
        for own in [tuple(map(change, users))]
    )


UNIT_GAINS = _variant("unit_gains", "gains of 1", unit_gains, 1.0)

ABOVE_THRESHOLD = tuple(map(above_threshold, USUAL))

ALL_LISTED = _variant("all_listed", "all listed", _with_all_listed, THRESHOLD)
"""Missed items stand at the end of the list, for functions that accept no relevant item without a score."""

RATED_MISSES = _variant("rated_misses", "rated", _with_rated_misses, THRESHOLD)

# One user each has a single truth row, of gain 0: under most rules of relevance nothing is relevant to them.
_ORDINARY = ((1, 11, 0.9), (1, 10, 0.8), (1, 12, 0.7), (1, 13, 0.6)), ((1, 10, 4.0), (1, 500, 3.0))
_ANOTHER = ((3, 12, 0.85), (3, 13, 0.75), (3, 11, 0.65)), ((3, 12, 3.0), (3, 11, 4.0), (3, 500, 4.0))
_ONLY_RATED = ((2, 10, 0.95), (2, 12, 0.55), (2, 11, 0.45)), ((2, 12, 0.0),)


def _with_rated_only(name: str, *users: tuple[tuple[tuple[int, int, float], ...], ...]) -> Probe:
    rec, rel = ([row for user in users for row in user[part]] for part in (0, 1))
    return Probe(Kind("rated_users"), case_from_rows(name, rec, rel, [(1, 900), (3, 901)], threshold=2.0, why=name), 3)


RATED_USERS = (
    _with_rated_only("with a user who rated one item, with 0", _ORDINARY, _ONLY_RATED, _ANOTHER),
    _with_rated_only("a user who rated one item, with 0, and one more", _ONLY_RATED, _ANOTHER),
)
"""Users with truth rows of which none is relevant: are they averaged over?"""
