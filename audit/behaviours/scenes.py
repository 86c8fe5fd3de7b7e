"""Scenes: what is asked for the experiments, beside the probes that serve some of them already.

A scene is one ask: a case at its cut-offs, freshly prepared or on prepared data that stays. Scenes whose names are
those of probes are not asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from audit.behaviours import case_changes
from reference.cases import PROBES, Probe, User
from reference.cases.probe import case_from_rows, case_from_users
from reference.input.case import Case, Predictions, Train, Truth


@dataclass(frozen=True, eq=False)
class Scene:
    """A case, the cut-offs at which it is asked (the first is the one meant), and how it is prepared.

    ``repeat`` puts the same call several times to the same prepared data; with ``fresh`` false the prepared data is
    shared by all functions and by all scenes of the same ``case.name``.
    """

    name: str
    case: Case
    ks: tuple[int, ...]
    repeat: int = 1
    fresh: bool = True


_BY_NAME: dict[str, Probe] = {probe.name: probe for probe in PROBES}

ORDINARY = "ordinary users of unequal r and list length"
EVERYTHING = "everything at once"
NO_LIST = "a user without recommendations first"
NO_TRUTH = "a user without relevant items first"
TWICE = "relevant item twice inside k"
TWICE_ABOVE = "irrelevant item twice, a hit just below k"
TWICE_BASE = "[2 0 0 0] k3 miss 2"
TRUTH_TWICE = "the hit is listed twice in the truth"
SHORT = "[2 0] k5 miss 2 2 2"
BELOW = "only a gain below the threshold is recommended"
ZERO_GAIN = "only a gain of 0 is recommended"
NEGATIVE_GAIN = "a negative gain at the top"
PERFECT = "[4 2 0 0] k2"
SEEDED = (ORDINARY, "two hits in a tie of four", EVERYTHING)
"""Probes that a second process answers under another hash seed."""

STRANGER, TRAINED, GROWN = 850, 900, 2000
"""An item that nobody has seen, one that user 1 was trained on, and where a grown catalogue begins."""


def _lone(name: str, ranked: tuple[float, ...], k: int, missed: tuple[float, ...] = ()) -> Scene:
    return Scene(name, case_from_users(name, [User(ranked, missed)], why=name), (k,))


def _from(probe: str, name: str, case: Case, ks: tuple[int, ...] | None = None) -> Scene:
    return Scene(name, replace(case, name=name), ks or (_BY_NAME[probe].k,))


def _tied(name: str, above: bool, items: tuple[int, int], tied: bool) -> Scene:
    """The third and the second of five places, k two: one of them is a hit, and they may share their score."""
    pair = (2.0, 0.0) if above else (0.0, 2.0)
    scores = (0.9, 0.7, 0.7 if tied else 0.6, 0.4, 0.2)
    user = User((0, *pair, 0, 0), (2,), scores, (13, *items, 10, 14))
    return Scene(name, case_from_users(name, [user], why=name), (2,))


# The hit of a tie: named by where its row stands, then by its id against the other's.
TIES = (
    _tied("tied, upper row, lower id", True, (11, 12), True),
    _tied("tied, upper row, higher id", True, (12, 11), True),
    _tied("tied, lower row, lower id", False, (12, 11), True),
    _tied("tied, lower row, higher id", False, (11, 12), True),
)
UNTIED = (_tied("untied, hit above", True, (11, 12), False), _tied("untied, hit below", False, (11, 12), False))

# Far apart, and no user's id: an id that is off by one, or read as another column, meets nothing.
_SPARSE = (140, 110, 170, 120, 190, 130, 180, 160)
_LONE_USER = 5
SELF_K = 4
SELF_PLACES = (1, 3, 4, 5, 8)


def _placed(place: int | None) -> Scene:
    name = f"hit at {place} of 8" if place else "no hit among 8"
    rec = [(_LONE_USER, item, 0.95 - 0.1 * rank) for rank, item in enumerate(_SPARSE)]
    hit = _SPARSE[place - 1] if place else 520
    case = case_from_rows(name, rec, [(_LONE_USER, hit, 2), (_LONE_USER, 550, 2)], [(_LONE_USER, 900)], why=name)
    return Scene(name, case, (SELF_K,))


SELF = (_placed(None), *(_placed(place) for place in SELF_PLACES))
"""One list of eight with its hit at different places: what a harness that confuses columns, order or k gives away."""


TOGETHER = "many changes together"
"""Where this leaves the answer as it was, so does each of :data:`APART`, which then need not be asked."""


def _changed() -> dict[str, Callable[[Case], Case]]:
    """The changes that no right metric heeds, in an order in which they can be made one after the other."""
    return {
        "catalogue grown": _grown,
        "no train": lambda case: replace(case, train=Train()),
        "scores + 10": lambda case: case_changes.rescored(case, plus=10.0),
        "scores × 100": lambda case: case_changes.rescored(case, times=100.0),
        "items renamed, order reversed": lambda case: case_changes.items_renamed(case, lambda item: 9000 - 2 * item),
        "items renamed, order kept": lambda case: case_changes.items_renamed(case, lambda item: 3 * item + 7000),
        "users renamed": case_changes.users_renamed,
        "rows of users interleaved": lambda case: case_changes.rows_moved(
            case, case_changes.interleaved(case.predictions.user)
        ),
        "truth shuffled": lambda case: case_changes.truth_moved(case, case_changes.shuffled(len(case.truth.user))),
    }


def _grown(case: Case) -> Case:
    return replace(case, catalogue=np.union1d(case.catalogue, np.arange(GROWN, GROWN + 500, dtype=np.int64)))


def _together() -> Scene:
    return _from(ORDINARY, TOGETHER, reduce(lambda case, change: change(case), _changed().values(), _CASE))


_CASE = _BY_NAME[ORDINARY].case

APART: tuple[Scene, ...] = tuple(_from(ORDINARY, name, change(_CASE)) for name, change in _changed().items())
"""The same changes one by one, for a function that :data:`TOGETHER` moved or that refused it."""


def _ordinary() -> list[Scene]:
    case = _CASE
    made = {
        "scores − 10": case_changes.rescored(case, plus=-10.0),
        "rows shuffled across users": case_changes.rows_moved(case, case_changes.shuffled(len(case.predictions.user))),
        "a train item on top": case_changes.topped(_with_item(case, STRANGER), 1, TRAINED),
        "an unseen item on top": case_changes.topped(case, 1, STRANGER),
        "no truth at all": replace(case, truth=Truth()),
        "no predictions at all": replace(case, predictions=Predictions()),
    }
    return [_from(ORDINARY, name, changed) for name, changed in made.items()]


def _with_item(case: Case, item: int) -> Case:
    return replace(case, catalogue=np.union1d(case.catalogue, [item]))


def _state() -> list[Scene]:
    case = _BY_NAME[ORDINARY].case
    shared = replace(case, name="shared")
    k = _BY_NAME[ORDINARY].k
    return [
        Scene("called three times", replace(case, name="called three times"), (k,), repeat=3),
        Scene("k alone", replace(case, name="k alone"), OTHER_KS),
        Scene("after other metrics", shared, (k,), fresh=False),
        Scene("after other k", shared, OTHER_KS, fresh=False),
    ]


OTHER_KS = (1, 5)

SCENES: tuple[Scene, ...] = (
    *SELF,
    *TIES,
    *UNTIED,
    _lone("a hit just below k, nothing twice", (0, 0, 0, 2, 0), 3, (2,)),
    _lone("the copy taken out, the hit moved up", (0, 0, 2, 0), 3, (2,)),
    _lone("the hit is listed once in the truth", (2, 0, 0, 0), 3),
    _lone("filled up with misses", (2, 0, 0, 0, 0), 5, (2, 2, 2)),
    Scene(
        "padded with item 0",
        case_from_users("padded with item 0", [User((2, 0, 0, 0, 0), (2, 2, 2), None, (11, 12, 0, 0, 0))]),
        (5,),
    ),
    _lone("perfect list upside down", (0, 0, 2, 4), 2),
    _from(NO_LIST, "without that user", case_changes.without_user(_BY_NAME[NO_LIST].case, 1)),
    _from(BELOW, "without the row below", case_changes.without_truth_of(_BY_NAME[BELOW].case, 12)),
    _from(ZERO_GAIN, "without the row of 0", case_changes.without_truth_of(_BY_NAME[ZERO_GAIN].case, 12)),
    _from(NEGATIVE_GAIN, "without the negative row", case_changes.without_truth_of(_BY_NAME[NEGATIVE_GAIN].case, 12)),
    _together(),
    *_ordinary(),
    *_state(),
)
