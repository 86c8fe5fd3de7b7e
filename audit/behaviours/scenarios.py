"""The scenarios of the metamorphic tests: inputs that are asked in addition to the probes.

A scenario is one ask: a case at its cut-offs, on freshly prepared data or on data that other calls used before. Where
a test needs a case that a probe has already, the probe's name stands here and its answer is used. A transformation
changes one thing of a case and leaves the rest as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike

from recsys_metric_audit.audit.data.dataset import rows_of
from recsys_metric_audit.audit.responders.interface import LATER
from recsys_metric_audit.reference.cases import PROBES, Probe, User
from recsys_metric_audit.reference.cases.probe import case_from_rows, case_from_users
from recsys_metric_audit.reference.input.case import Case, Ids, Predictions, Train, Truth, each_table

Relabel = Callable[[Ids], Ids]

USER_SUM = 90
"""Renaming maps user u to USER_SUM − u: the order of users is reversed, and no id of a scenario stays."""


def original_user(user: int) -> int:
    """Return the id that ``user`` had before :func:`rename_users`."""
    return USER_SUM - user


def rename_items(case: Case, relabel: Relabel) -> Case:
    """Return the case with ``relabel`` applied to every item id."""
    return replace(_relabelled(case, "item", relabel), catalogue=np.sort(relabel(case.catalogue)))


def rename_users(case: Case) -> Case:
    """Return the case with every user u renamed to ``USER_SUM`` − u; rows stay where they are."""
    return _relabelled(case, "user", lambda user: USER_SUM - user)


def _relabelled(case: Case, column: str, relabel: Relabel) -> Case:
    """Return the case with ``relabel`` applied to a column of all its tables."""
    return each_table(case, lambda table: replace(table, **{column: relabel(getattr(table, column))}))


def rescale_scores(case: Case, times: float = 1.0, plus: float = 0.0) -> Case:
    """Return the case with scores · ``times`` + ``plus``; ``times`` is positive, so the order of items stays."""
    rec = case.predictions
    return replace(case, predictions=Predictions(rec.user, rec.item, rec.score * times + plus))


def reorder_predictions(case: Case, order: Ids) -> Case:
    """Return the case with the rows of its predictions in ``order`` (positions of rows)."""
    return replace(case, predictions=rows_of(case.predictions, order))


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
    return replace(case, truth=rows_of(rel, kept))


def reorder_truth(case: Case, order: Ids) -> Case:
    """Return the case with the rows of its truth in ``order`` (positions of rows)."""
    return replace(case, truth=rows_of(case.truth, order))


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
    return each_table(case, lambda table: rows_of(table, table.user != user))


def without_truth_item(case: Case, item: int) -> Case:
    """Return the case without the truth's rows of ``item``."""
    return replace(case, truth=rows_of(case.truth, case.truth.item != item))


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


@dataclass(frozen=True, eq=False)
class Scenario:
    """A case, the cut-offs at which it is asked, and how it is prepared.

    ``repeat`` calls the function several times on one prepared data. With ``fresh`` false the prepared data is shared
    by all functions and by all scenarios whose cases have one name.
    """

    name: str
    case: Case
    ks: tuple[int, ...]
    repeat: int = 1
    fresh: bool = True


_BY_NAME: dict[str, Probe] = {probe.name: probe for probe in PROBES}

AS_PROBES = tuple(Scenario(each.name, each.case, (each.k,)) for each in PROBES)

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
SEEDED_LISTED = "[0 2 0 2] k6"
SEEDED = (SEEDED_LISTED, ORDINARY, "two hits in a tie of four", EVERYTHING)
"""Probes that a second process answers under another hash seed; all relevant items of the first are listed, since some
functions refuse the others."""

HALF_GAIN = "[2.5 4 0 0] k2 miss 2"
TRUTH_ONCE = "the hit is listed once in the truth"
SHUFFLED = "rows shuffled across users"
CALLED_AGAIN = "called three times"
K_ALONE = "k alone"
CLOSE, COPIES, LONGER, ALL_LISTED = LATER
TRAIN_ON_TOP, UNSEEN_ON_TOP = "a train item on top", "an unseen item on top"
NOBODY_RELEVANT, NOBODY_LISTED = "no truth at all", "no predictions at all"
STRANGER, TRAINED, GROWN = 850, 900, 2000
"""Item ids: one that nobody has seen, one of user 1's train data, and the first of those added to the catalogue."""


def _single_user(name: str, ranked: tuple[float, ...], k: int, missed: tuple[float, ...] = ()) -> Scenario:
    return Scenario(name, case_from_users(name, [User(ranked, missed)], why=name), (k,))


def _from(probe: str, name: str, case: Case) -> Scenario:
    return Scenario(name, replace(case, name=name), (_BY_NAME[probe].k,))


def _tied(name: str, above: bool, items: tuple[int, int], tied: bool) -> Scenario:
    """Return a list of five at k = 2 with a hit and a miss at places 2 and 3; ``above``: the hit at place 2."""
    pair = (2.0, 0.0) if above else (0.0, 2.0)
    scores = (0.9, 0.7, 0.7 if tied else 0.6, 0.4, 0.2)
    user = User((0, *pair, 0, 0), (2,), scores, (13, *items, 10, 14))
    return Scenario(name, case_from_users(name, [user], why=name), (2,))


TIES = (
    _tied("tied, upper row, lower id", True, (11, 12), True),
    _tied("tied, upper row, higher id", True, (12, 11), True),
    _tied("tied, lower row, lower id", False, (12, 11), True),
    _tied("tied, lower row, higher id", False, (11, 12), True),
)
"""A hit tied with a miss: named by whether the hit has the upper or lower row, then the lower or higher id."""

UNTIED = (_tied("untied, hit above", True, (11, 12), False), _tied("untied, hit below", False, (11, 12), False))


def _close(gap: float, above: bool) -> Scenario:
    """Return a list of four at k = 1 whose first two rows score ``gap`` apart; ``above``: the hit scores more.

    No row moves between the two: whatever orders ties, it gives them one answer.
    """
    name = f"{CLOSE} {gap:g} apart, hit {'above' if above else 'below'}"
    pair = (0.7 - gap, 0.7) if above else (0.7, 0.7 - gap)
    user = User((0, 2, 0, 0), (), (*pair, 0.4, 0.2), (11, 12, 10, 14))  # labels hold no unlisted item
    return Scenario(name, case_from_users(name, [user], why=name), (1,))


CLOSE_SCORES = tuple(_close(gap, above) for gap in (2e-7, 1e-9) for above in (False, True))
"""Two scores that single precision tells apart, with the hit below and above, and two that it does not."""


def _copies(*gains: float) -> Scenario:
    """Return a list at k = 1 whose first item has truth rows of these gains, others between; 3 is relevant."""
    name = f"{COPIES} of gains {' and '.join(f'{gain:g}' for gain in gains)}"
    rec = [(1, item, score) for item, score in zip((11, 10, 12, 13), (0.9, 0.8, 0.7, 0.6), strict=True)]
    rows = [(11, gains[0]), (12, 3.0), *((11, gain) for gain in gains[1:])]
    case = case_from_rows(name, rec, [(1, *row) for row in rows], [(1, 900)], threshold=3.0, why=name)
    return Scenario(name, case, (1,))


TRUTH_COPIES = (_copies(2, 4), _copies(4, 2), _copies(2), _copies(4))
"""An item that the truth lists with a low and a high gain, the other way round, and with each of them alone."""


def _longer_truth(place: str, *items: int) -> Scenario:
    name = f"{LONGER} than k, the hit {place}"
    rec = [(1, item, score) for item, score in zip((11, 10, 12), (0.9, 0.8, 0.7), strict=True)]
    case = case_from_rows(name, rec, [(1, item, 2.0) for item in items], [(1, 900)], why=name)
    return Scenario(name, case, (2,))


LONGER_TRUTH = (_longer_truth("first", 11, 500, 501, 502), _longer_truth("last", 500, 501, 502, 11))
"""Four relevant items at k = 2, of which the one in the list is in the first row of the truth, or in the last."""

# Ids lie far apart and no user has one of them, so that an id that is off by one, or taken from another column,
# matches nothing.
_SPARSE = (140, 110, 170, 120, 190, 130, 180, 160)
_LONE_USER = 5
SINGLE_HIT_K = 4
HIT_PLACES = (1, 3, 4, 5, 8)


def single_hit_name(place: int | None) -> str:
    """Return the name of the single-hit scenario with its hit at ``place`` (1 is the top), None for no hit."""
    return f"hit at {place} of 8" if place else "no hit among 8"


def _single_hit(place: int | None) -> Scenario:
    name = single_hit_name(place)
    rec = [(_LONE_USER, item, 0.95 - 0.1 * rank) for rank, item in enumerate(_SPARSE)]
    hit = _SPARSE[place - 1] if place else 520
    case = case_from_rows(name, rec, [(_LONE_USER, hit, 2), (_LONE_USER, 550, 2)], [(_LONE_USER, 900)], why=name)
    return Scenario(name, case, (SINGLE_HIT_K,))


SINGLE_HIT = (_single_hit(None), *(_single_hit(place) for place in HIT_PLACES))
"""The single-hit list: eight items with the only hit at different places, which shows whether an adapter confuses
columns, order or k."""

COMBINED_CHANGES = "many changes together"
"""The scenario of all :data:`SEPARATE_CHANGES` at once: if it leaves the answer as it was, none is asked separately."""


def _changes() -> dict[str, Callable[[Case], Case]]:
    """Return the changes that leave every right metric as it was, in an order in which they can be composed."""
    return {
        "catalogue grown": lambda case: _with_items(case, np.arange(GROWN, GROWN + 500, dtype=np.int64)),
        "no train": lambda case: replace(case, train=Train()),
        "scores + 10": lambda case: rescale_scores(case, plus=10.0),
        "scores × 100": lambda case: rescale_scores(case, times=100.0),
        "items renamed, order reversed": lambda case: rename_items(case, lambda item: 9000 - 2 * item),
        "items renamed, order kept": lambda case: rename_items(case, lambda item: 3 * item + 7000),
        "users renamed": rename_users,
        "rows of users interleaved": lambda case: reorder_predictions(case, interleaved_order(case.predictions.user)),
        "truth shuffled": lambda case: reorder_truth(case, shuffled_order(len(case.truth.user))),
    }


def _with_items(case: Case, items: ArrayLike) -> Case:
    return replace(case, catalogue=np.union1d(case.catalogue, items))


_CASE = _BY_NAME[ORDINARY].case

SEPARATE_CHANGES = tuple(_from(ORDINARY, name, change(_CASE)) for name, change in _changes().items())
"""Each change by itself, for functions that answer :data:`COMBINED_CHANGES` differently or refuse it."""


def _changes_asked_always() -> list[Scenario]:
    case = _CASE
    made = {
        "scores − 10": rescale_scores(case, plus=-10.0),
        SHUFFLED: reorder_predictions(case, shuffled_order(len(case.predictions.user))),
        TRAIN_ON_TOP: prepend_item(_with_items(case, [STRANGER]), 1, TRAINED),
        UNSEEN_ON_TOP: prepend_item(case, 1, STRANGER),
        NOBODY_RELEVANT: replace(case, truth=Truth()),
        NOBODY_LISTED: replace(case, predictions=Predictions()),
    }
    return [_from(ORDINARY, name, changed) for name, changed in made.items()]


def _calls_in_sequence() -> list[Scenario]:
    case, k = _CASE, _BY_NAME[ORDINARY].k
    shared = replace(case, name="shared")
    return [
        Scenario(CALLED_AGAIN, replace(case, name=CALLED_AGAIN), (k,), repeat=3),
        Scenario(K_ALONE, replace(case, name=K_ALONE), OTHER_KS),
        Scenario("after other metrics", shared, (k,), fresh=False),
        Scenario("after other k", shared, OTHER_KS, fresh=False),
    ]


OTHER_KS = (1, 5)

SCENARIOS: tuple[Scenario, ...] = (
    *SINGLE_HIT,
    *TIES,
    *UNTIED,
    *CLOSE_SCORES,
    *TRUTH_COPIES,
    *LONGER_TRUTH,
    _single_user("a hit just below k, nothing twice", (0, 0, 0, 2, 0), 3, (2,)),
    _single_user("the copy taken out, the hit moved up", (0, 0, 2, 0), 3, (2,)),
    _single_user(TRUTH_ONCE, (2, 0, 0, 0), 3),
    _single_user("filled up with misses", (2, 0, 0, 0, 0), 5, (2, 2, 2)),
    Scenario(
        "padded with item 0",
        case_from_users("padded with item 0", [User((2, 0, 0, 0, 0), (2, 2, 2), None, (11, 12, 0, 0, 0))]),
        (5,),
    ),
    _single_user("perfect list upside down", (0, 0, 2, 4), 2),
    _from(NO_LIST, "without that user", without_user(_BY_NAME[NO_LIST].case, 1)),
    _from(BELOW, "without the row below", without_truth_item(_BY_NAME[BELOW].case, 12)),
    _from(ZERO_GAIN, "without the row of 0", without_truth_item(_BY_NAME[ZERO_GAIN].case, 12)),
    _from(NEGATIVE_GAIN, "without the negative row", without_truth_item(_BY_NAME[NEGATIVE_GAIN].case, 12)),
    _from(ORDINARY, COMBINED_CHANGES, reduce(lambda case, change: change(case), _changes().values(), _CASE)),
    *_changes_asked_always(),
    *_calls_in_sequence(),
)

ONLY_LISTED, TURNED, EXCHANGED = "only listed items in the truth", "scores the other way round", "gains exchanged"
_LISTED_CASE = without_unlisted_truth(_CASE)
CONTRACT: tuple[Scenario, ...] = (
    _from(ORDINARY, ONLY_LISTED, _LISTED_CASE),
    _from(ORDINARY, TURNED, turn_scores(_LISTED_CASE)),
    _from(ORDINARY, EXCHANGED, exchange_gains(_LISTED_CASE)),
)
"""Inputs that test a contract, each asked where the contract has something to say: ordinary users whose relevant items
are all listed, since some functions refuse others; this input with scores turned round, which moves every item and
no row; and this input with gains above the threshold exchanged.
"""

_NO_LISTED_FORM = {COMBINED_CHANGES, NO_LIST, NOBODY_LISTED, *(each.name for each in LONGER_TRUTH)}
"""Scenarios and probes that say nothing if unlisted items leave the truth, and all changes at once, which are asked
separately then."""


def _listed(scenario: Scenario) -> Scenario:
    case = replace(without_unlisted_truth(scenario.case), name=f"{ALL_LISTED}: {scenario.case.name}")
    return replace(scenario, case=case)


def _with_unlisted_truth() -> Iterator[Scenario]:
    for scenario in (*AS_PROBES, *SCENARIOS, *SEPARATE_CHANGES):
        kept = len(without_unlisted_truth(scenario.case).truth.user)
        if scenario.name not in _NO_LISTED_FORM and kept < len(scenario.case.truth.user):
            yield scenario


LISTED: Mapping[str, Scenario] = {each.name: _listed(each) for each in _with_unlisted_truth()}
"""Gives each scenario and probe with unlisted items in its truth the form without them, under its own name: it is asked
where a function refuses the ordinary input because of them."""
LISTED_WORDS = "items that are not listed were left out of the truth"
