"""Probes of metrics beyond accuracy: which items are shown to whom, and how many users have them.

All that metrics share have train data: without any, shares of them are 0/0, which says nothing about a formula. Nothing
about the rows of most is unusual: scores descend, nothing ties, no item stands twice, and no user is shown what the
train data hold of them. Those of order, of repeats and of copies in the truth have one thing out of the ordinary.
Metrics that read more than these show have probes of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from recsys_metric_audit.reference.cases.probe import Kind, Probe, case_from_rows, default_scores

SHOWN_ITEMS = Kind("multi_user", "shown_items")
"""The kind of probes of ordinary rows."""
_ORDERED, _REPEATED = Kind("order", "shown_items"), Kind("duplicates", "shown_items")
_COPIED = Kind("truth_duplicates", "shown_items")
_Lists = Mapping[int, Sequence[int]]
_Pairs = Sequence[tuple[int, int]]
_TRAIN = (*((user, 20) for user in (3, 4, 5, 8)), (3, 21), (4, 21), (5, 22), (8, 23), (1, 24), (2, 24))
"""Six users with ten rows: item 20 is had by four, 21 and 24 by two each, 22 and 23 by one each."""
_ONE_EACH = ((1, 20), (2, 21), (3, 22), (4, 23))
_ALIKE = (
    *((user, 20) for user in (3, 4, 5, 8)), (3, 21), (4, 21), (9, 21), (5, 22), (9, 22), (3, 23), (4, 23),
    (1, 24), (3, 24), (1, 25), (8, 25), (2, 26), (9, 26),
)  # fmt: skip
"""Items that share some of their users, all, or none: 21 and 23 have users 3 and 4 in common. User 1 has 24 and 25,
which share users with 20, 21 and 23; user 2 has 26, which shares one with 21 and 22; user 6 has nothing."""
_TIED = {11: 1, 40: 2, 9: 3, 150: 4, 100: 5, 95: 6, 23: 7}
"""Items of equal score, in an order in which each tie rule puts another one first, and how many users have each."""
_TIED_ORDER = (11, 100, 9, 23, 150, 95, 40)
_UNTIED_USERS = (30, 31, 32, 33, 34, 35, 36)
_MANY_HAVE = tuple((user, item) for item, count in _TIED.items() for user in _UNTIED_USERS[:count])


def _probe(
    name: str, lists: _Lists, k: int, *, truth: _Pairs = (), low: _Pairs = (),
    train: _Pairs = _TRAIN, unseen: Sequence[int] = (800, 801),
) -> Probe:  # fmt: skip
    """Return a probe of ordinary rows: what each user is shown, best first; ``low`` is truth below the threshold."""
    rows = [
        (user, item, score)
        for user, items in lists.items()
        for item, score in zip(items, default_scores(len(items), user), strict=True)
    ]
    return _from_rows(SHOWN_ITEMS, name, rows, k, truth, train, unseen, low)


def _from_rows(
    kind: Kind, name: str, rows: Sequence[tuple[int, int, float]], k: int, truth: _Pairs,
    train: _Pairs, unseen: Sequence[int] = (800, 801), low: _Pairs = (),
) -> Probe:  # fmt: skip
    rel = [*((user, item, 4.0) for user, item in truth), *((user, item, 1.0) for user, item in low)]
    case = case_from_rows(f"items: {name}", rows, rel, list(train), why=name, unseen=unseen)
    return Probe(kind, case, k)


_ORDINARY = (
    _probe("one list of three items, all cut", {1: (20, 21, 22)}, 2, truth=[(1, 21)]),
    _probe("one list, shown whole", {1: (20, 21, 22)}, 3, truth=[(1, 20), (1, 50)]),
    _probe("one list shorter than k", {1: (20, 22)}, 5, truth=[(1, 22)]),
    _probe("an item that nobody has", {1: (20, 30, 22)}, 3, truth=[(1, 20)]),
    _probe("two lists that share an item", {1: (20, 21), 2: (20, 22)}, 2, truth=[(1, 20), (2, 21)]),
    _probe("two lists, longer than k", {1: (20, 21, 22), 2: (23, 20, 30)}, 2, truth=[(1, 20), (2, 50)]),
    _probe("lists of one, two and three items", {1: (21,), 2: (20, 23), 6: (22, 20, 30)}, 3,
           truth=[(1, 21), (2, 20), (6, 22)]),
    _probe("one item to everybody", {1: (20,), 2: (20,), 6: (20,)}, 1, truth=[(1, 20), (2, 21), (6, 22)]),
    _probe("only items that nobody has, beside a list of others", {1: (30, 31), 2: (20, 22)}, 2,
           truth=[(1, 30), (2, 20)]),
    _probe("a user with a list and no truth", {1: (20, 21), 2: (23, 30)}, 2, truth=[(1, 21)]),
    _probe("users with truth and no list, with and without train rows", {1: (20, 21), 2: (23, 22)}, 2,
           truth=[(1, 20), (2, 22), (3, 22), (9, 20)]),
    _probe("all kinds of users", {1: (20, 22), 2: (21,), 6: (30, 20)}, 2, truth=[(1, 20), (6, 30), (3, 24), (9, 22)]),
    _probe("no truth at all", {1: (20, 21), 2: (22, 21)}, 2),
    _probe("as many items as users", {1: (21, 22, 23), 2: (20, 22, 23), 3: (20, 23, 24), 4: (20, 22, 24)}, 3,
           truth=[(1, 22), (2, 22), (3, 24), (4, 20)], train=_ONE_EACH),
    _probe("a large catalogue", {1: (20, 21), 2: (20, 23)}, 2, truth=[(1, 20), (2, 20)], unseen=tuple(range(800, 812))),
    _probe("nothing else exists", {1: (20, 21, 22), 2: (23, 20, 21)}, 3, truth=[(1, 20), (2, 20)], unseen=()),
    _probe("lists of different lengths, of items that somebody has", {1: (20, 22, 21), 2: (23,), 6: (21, 20)}, 2,
           truth=[(1, 20), (2, 21), (3, 22)]),
    _probe("long and short lists of items that somebody has", {1: (23, 20, 21, 22), 2: (20, 23), 6: (22,)}, 3,
           truth=[(1, 20), (6, 20), (9, 22)]),
    _probe("two items that share users", {1: (20, 21)}, 2, truth=[(1, 20)], train=_ALIKE),
    _probe("three items that share users, all liked", {1: (21, 23, 22)}, 3, truth=[(1, 21), (1, 23), (1, 22)],
           train=_ALIKE),
    _probe("items of the same users, of few others, of none", {1: (21, 23, 30), 2: (22, 20), 6: (24, 30)}, 3,
           truth=[(1, 23), (1, 30), (2, 20), (6, 30)], train=_ALIKE),
    _probe("a list of one item, beside others", {1: (23,), 2: (21, 22, 30), 6: (25, 24)}, 3,
           truth=[(1, 23), (2, 21), (2, 30), (6, 24)], train=_ALIKE),
    _probe("items rated low", {1: (20, 21, 30), 2: (20, 22), 6: (20, 23)}, 2, truth=[(1, 20), (6, 23)],
           low=[(1, 21), (2, 20), (6, 20)], train=_ALIKE),
    _probe("only items rated low, below popular ones", {1: (30, 26, 22), 2: (24, 25)}, 3,
           low=[(1, 26), (1, 30), (2, 25)], train=_ALIKE, unseen=tuple(range(800, 807))),
    _probe("k is 1", {1: (22, 20), 2: (21, 20), 6: (22, 23)}, 1, truth=[(1, 22), (2, 21), (6, 22)]),
)  # fmt: skip
_NOBODY = (
    _probe("no recommendations", {}, 2, truth=[(1, 20), (2, 21)]),
    _probe("neither recommendations nor truth", {}, 2),
)
"""Nobody is shown anything: what comes out is a rule of its own."""


def _tied(first: int, k: int) -> Probe:
    """Return a list in which all items tie, beside a list that begins with the item that one rule puts first."""
    rows = [(1, item, 0.5) for item in _TIED_ORDER]
    rows += [(2, first, 0.9), (2, 200, 0.1), (3, 200, 0.9)]
    return _from_rows(
        _ORDERED, f"seven items tie, beside a list with item {first} first, k {k}", rows, k,
        [(1, 11), (2, 9), (3, 9)], _MANY_HAVE,
    )  # fmt: skip


def _tied_and_liked(k: int) -> Probe:
    """Return a list in which all items tie and are useful; those that a tie rule puts first differ in all respects."""
    rows = [(1, item, 0.5) for item in _TIED]
    liked = [(1, item) for item in _TIED]
    train = (*_MANY_HAVE, (1, 300), (30, 300), (37, 40), (38, 40))
    return _from_rows(_ORDERED, f"seven items tie, all of them liked, k {k}", rows, k, liked, train)


# fmt: off
_ORDER = (
    *(_tied(first, 1) for first in (11, 40, 9, 150, 100, 95)),
    *(_tied(first, 3) for first in (11, 9)),
    *(_tied_and_liked(k) for k in (1, 2, 3, 4)),
    _from_rows(_ORDERED, "liked items, the best row last",
               [(1, 20, 0.1), (1, 21, 0.5), (1, 22, 0.9), (2, 22, 0.8), (2, 20, 0.9)], 2,
               [(1, 20), (1, 21), (1, 22), (2, 20)], _ALIKE),
    _from_rows(_ORDERED, "the best row last",
               [(1, 20, 0.1), (1, 21, 0.5), (1, 22, 0.9), (2, 22, 0.8), (2, 23, 0.7), (6, 22, 0.6)], 1,
               [(1, 20), (2, 22), (6, 22)], _TRAIN),
    _from_rows(_ORDERED, "rows shuffled",
               [(1, 23, 0.3), (1, 20, 0.9), (2, 21, 0.2), (1, 22, 0.6), (2, 20, 0.7), (2, 30, 0.5)], 2,
               [(1, 20), (2, 21)], _TRAIN),
)
_DUPLICATES = (
    _from_rows(_REPEATED, "an item twice at the top",
               [(1, 20, 0.9), (1, 20, 0.8), (1, 22, 0.6), (1, 21, 0.4), (2, 21, 0.9), (2, 23, 0.5)], 2,
               [(1, 20), (2, 21)], _TRAIN),
    _from_rows(_REPEATED, "an item again at the end",
               [(1, 20, 0.9), (1, 21, 0.8), (1, 20, 0.6), (2, 22, 0.9), (2, 23, 0.5), (2, 20, 0.4)], 3,
               [(1, 20), (2, 23)], _TRAIN),
    _from_rows(_REPEATED, "a liked item twice at the top",
               [(1, 20, 0.9), (1, 20, 0.8), (1, 21, 0.6), (1, 22, 0.4), (2, 22, 0.9), (2, 20, 0.5)], 3,
               [(1, 20), (1, 22), (2, 22)], _ALIKE),
    _from_rows(_REPEATED, "a liked item again at the end",
               [(1, 22, 0.9), (1, 21, 0.8), (1, 22, 0.6), (2, 21, 0.9), (2, 22, 0.5), (2, 20, 0.4)], 3,
               [(1, 22), (1, 21), (2, 20)], _ALIKE),
    _from_rows(_REPEATED, "liked items that nobody has, the first of them twice",
               [(1, 30, 0.9), (1, 30, 0.8), (1, 31, 0.6), (1, 32, 0.4)], 3, [(1, 30), (1, 31), (1, 32)], _ALIKE),
    _from_rows(_REPEATED, "a liked item that nobody has twice, above another one",
               [(1, 30, 0.9), (1, 30, 0.8), (1, 31, 0.6)], 2, [(1, 30)], _ALIKE),
    _from_rows(_REPEATED, "a liked item that nobody has, again at the end",
               [(1, 30, 0.9), (1, 31, 0.8), (1, 30, 0.6)], 3, [(1, 30)], _ALIKE),
)
# fmt: on


def _tail_first(first: int, *, beside: bool = False) -> Probe:
    """Return a list in which all items tie and one of those that a tie rule puts first is the long tail.

    With ``beside``, another list shows a popular item, and everything is liked.
    """
    popular = [item for item in _TIED if item not in (first, 23)]
    train = ((30, first), *((user, item) for user in (30, 31) for item in popular))
    rows = [(1, item, 0.5) for item in _TIED_ORDER]
    if not beside:
        return _from_rows(_ORDERED, f"seven items tie, item {first} is the least popular", rows, 1, [(1, first)], train)
    name = f"seven liked items tie, item {first} is the least popular, beside a list of one"
    liked = [(user, item) for user in (1, 2) for item in _TIED_ORDER]
    return _from_rows(_ORDERED, name, [*rows, (2, popular[0], 0.9)], 1, liked, train)


# fmt: off
_OWN = (
    _probe("items that users have, among others", {3: (20, 22, 21), 4: (22,), 5: (23, 22)}, 2,
           truth=[(3, 22), (5, 20), (9, 20)]),
    _probe("lists shorter than k that hold what users have", {3: (20, 22), 1: (24, 23, 20, 21)}, 3,
           truth=[(3, 22), (4, 20)]),
    _probe("only what the user has", {3: (20, 21)}, 2, truth=[(3, 20)]),
    _probe("what a user has, beside users without train rows", {6: (20,), 3: (20, 22), 7: (21, 30)}, 2,
           truth=[(6, 20), (8, 20)]),
    _probe("whoever has something has a list", {1: (22, 20), 2: (23, 22, 21), 3: (20,)}, 2, truth=[(1, 20), (2, 22)],
           train=((1, 20), (2, 21), (3, 24))),
    _probe("nobody has anything", {1: (20, 21), 2: (22,)}, 2, truth=[(1, 20)], train=()),
    _probe("users have what they are shown below k", {3: (22, 30, 20), 4: (23, 21, 20)}, 2, truth=[(3, 30)]),
    _from_rows(_ORDERED, "seven items tie, each new to another number of users",
               [(user, item, 0.5) for user in range(1, 7) for item in _TIED_ORDER], 1, [(1, 11)],
               [(user, item) for number, item in enumerate(_TIED) for user in range(number + 1, 7)]),
    _from_rows(_ORDERED, "the best row, which is new, last",
               [(3, 20, 0.1), (3, 21, 0.5), (3, 22, 0.9), (5, 20, 0.8), (5, 23, 0.7)], 1, [(3, 22)], _TRAIN),
    _from_rows(_REPEATED, "a new item twice at the top, what the user has below",
               [(3, 22, 0.9), (3, 22, 0.8), (3, 20, 0.6), (3, 21, 0.4)], 3, [(3, 22)], _TRAIN),
    _from_rows(_REPEATED, "what the user has twice at the top, new items below",
               [(3, 20, 0.9), (3, 20, 0.8), (3, 22, 0.6), (3, 23, 0.4)], 3, [(3, 22)], _TRAIN),
)
_SHELF = (*((user, 20) for user in (1, 2, 3, 4)), (1, 21), (2, 21), (3, 22), (4, 23))
"""Item 23 is the long tail of eight rows; users 5 and 6 have nothing."""
_ALL_LIKED = [(user, item) for user in (1, 5, 6) for item in (20, 21, 22, 23)]
_GROUPS = (
    _probe("liked items of both groups, some of which users have", {1: (22, 23, 30), 5: (20, 23), 6: (21,)}, 2,
           truth=[(1, 20), (1, 22), (1, 23), (5, 20), (5, 21), (6, 23), (3, 23)], train=_SHELF),
    _probe("liked items that no list shows", {1: (22, 23), 5: (20, 23), 6: (21, 22)}, 2,
           truth=[(1, 23), (5, 20), (5, 23), (6, 22), (6, 30), (6, 31), (2, 23)], train=_SHELF),
    _probe("items of both groups rated low", {1: (22, 23), 5: (20, 23), 6: (23, 21)}, 2,
           truth=[(1, 22), (5, 23), (6, 21), (6, 20)], low=[(1, 23), (5, 20), (5, 22), (6, 23)], train=_SHELF),
    _probe("a list without truth, of both groups", {1: (22, 23), 5: (20, 23), 6: (23, 20)}, 2,
           truth=[(1, 22), (1, 23), (5, 20)], train=_SHELF),
    _probe("users are shown and like what they have", {1: (20, 23), 2: (21, 23), 4: (23, 22)}, 2,
           truth=[(1, 20), (1, 23), (2, 20), (2, 23), (4, 23), (4, 22)], train=_SHELF),
    _probe("the long tail alone is shown", {1: (23,), 5: (23, 30)}, 2, truth=[(1, 23), (5, 20), (5, 23)], train=_SHELF),
    _probe("liked items that nobody has, beside a long tail", {1: (30, 22), 5: (23, 20)}, 2,
           truth=[(1, 30), (1, 22), (5, 23), (5, 31), (5, 21)], train=_SHELF),
    *(_tail_first(first, beside=True) for first in (11, 40, 9, 150, 100, 95)),
    _from_rows(_ORDERED, "the best row, of the long tail, last",
               [(5, 20, 0.1), (5, 21, 0.5), (5, 23, 0.9), (6, 22, 0.8), (6, 23, 0.7)], 1, _ALL_LIKED, _SHELF),
    _from_rows(_REPEATED, "an item of the long tail twice at the top, liked items below",
               [(5, 23, 0.9), (5, 23, 0.8), (5, 20, 0.6), (5, 21, 0.4)], 3, _ALL_LIKED, _SHELF),
    _from_rows(_REPEATED, "a liked item of the head twice at the top, the long tail below",
               [(5, 20, 0.9), (5, 20, 0.8), (5, 23, 0.6), (5, 21, 0.4)], 3, _ALL_LIKED, _SHELF),
)
# fmt: on


def _copied(name: str, lists: _Lists, k: int, *, truth: _Pairs, low: _Pairs = ()) -> Probe:
    """Return a probe of ordinary lists whose users' truth lists some items more than once."""
    return replace(_probe(name, lists, k, truth=truth, low=low, train=_ALIKE), kind=_COPIED)


FAMILY_PROBES: Mapping[str, tuple[Probe, ...]] = {
    "tail_share": (
        *(_tail_first(first) for first in (11, 40, 9, 150, 100, 95)),
        _from_rows(_REPEATED, "an item of the tail twice at the top, popular ones below",
                   [(1, 22, 0.9), (1, 22, 0.8), (1, 20, 0.6), (1, 21, 0.4)], 3, [(1, 22)], _TRAIN),
        _from_rows(_REPEATED, "a popular item twice at the top, the tail below",
                   [(1, 20, 0.9), (1, 20, 0.8), (1, 21, 0.6), (1, 22, 0.4)], 3, [(1, 22)], _TRAIN),
    ),
    "serendipity": (
        _copied("a liked item that the truth lists twice, above others", {1: (30, 22, 21)}, 3,
                truth=[(1, 30), (1, 30)]),
        _copied("two liked items, one of which the truth lists three times", {1: (22, 30, 21), 2: (31, 24)}, 3,
                truth=[(1, 30), (1, 22), (1, 30), (1, 30), (2, 31)]),
        _copied("a liked item below k that the truth lists twice", {1: (30, 22, 23), 6: (24, 30)}, 2,
                truth=[(1, 30), (1, 23), (1, 23), (6, 30)]),
        _copied("items rated low that the truth lists twice", {1: (30, 22, 23), 6: (31, 30)}, 3,
                truth=[(1, 30), (6, 30)], low=[(1, 22), (1, 22), (6, 31), (6, 31)]),
        _copied("a list shorter than k, its item twice in the truth", {1: (30,), 2: (22, 23)}, 3,
                truth=[(1, 30), (1, 30), (2, 23)]),
    ),
    "new_share": _OWN,
    "popularity_bias": _GROUPS,
    "intra_list_diversity": (
        _from_rows(_REPEATED, "an item twice at the top, two others below, all shown",
                   [(1, 21, 0.9), (1, 21, 0.8), (1, 23, 0.6), (1, 22, 0.4)], 4, [(1, 21)], _ALIKE),
        _from_rows(_REPEATED, "an item twice among three others, all shown, beside a list of others",
                   [(1, 20, 0.9), (1, 21, 0.8), (1, 23, 0.6), (1, 21, 0.4), (1, 30, 0.3), (2, 20, 0.9), (2, 22, 0.5)],
                   5, [(1, 21), (2, 20)], _ALIKE),
    ),
}  # fmt: skip
"""Probes by the name of the one metric whose functions are asked them: what they show says nothing about others."""
ITEM_PROBES: tuple[Probe, ...] = (*_ORDINARY, *_NOBODY, *_ORDER, *_DUPLICATES)
"""The probes that all metrics beyond accuracy share; those of one kind stand together."""
