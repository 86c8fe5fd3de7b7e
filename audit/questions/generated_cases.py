"""Cases generated to tell definitions apart: the same ones in every run, each with its unusual features."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import perm, prod

import numpy as np

from reference.cases import MIXED, Probe
from reference.cases.probe import case_from_rows
from reference.evaluation.evaluate import Problem
from reference.input.case import Case
from reference.placement.tie_ranks import MAX_ORDERS

EACH = 6
"""Cases for every set of unusual features."""
_AT_ONE = (("no truth",), ("no list",), ("no hit",), ("no list", "no truth"), ("no hit", "no list"))
"""Features of cases with a k of 1: a cut-off that is one less shows nothing there."""
TWICE = 2
"""Cases of a kind that a definition is held against before it is believed."""
SEED = 20240917

SHOWN_BY = {
    "order": "unsorted", "ties": "ties", "duplicates": "repeats", "truth_duplicates": "copies", "relevance": "gains",
    "counted_scores": "signs", "no_list": "no list", "undefined": "no truth", "no_negatives": "only hits",
    "no_hit": "no hit", "candidates": "seen in training",
    "users": "no truth", "pooling": "short list", "weight": "short list",
}  # fmt: skip
"""The feature of a case under which an axis acts."""
FEATURES = tuple(dict.fromkeys([*SHOWN_BY.values(), "gains of 1", "one relevant item", "rated misses"]))


@cache
def pool() -> tuple[tuple[Probe, ...], tuple[frozenset[str], ...]]:
    """All cases, those with the fewest unusual features first and the mixed probes last, and the features of each."""
    sets = [frozenset(each) for size in range(3) for each in combinations(FEATURES, size)]
    made = [(_case(features, number), features) for features in sets for number in range(EACH)]
    made += [(_tied(number, what), features) for what, features in _TIED.items() for number in range(EACH)]
    twins = [(_twins(number), frozenset({"ties", "repeats"})) for number in range(EACH)]
    rated = [(_doubled(number, rated=True), _DOUBLED) for number in range(EACH)]
    doubled = [(_doubled(number, rated=False), _DOUBLED - {"rated misses"}) for number in range(EACH)]
    again = [(_again(number), frozenset({"repeats", "one relevant item"})) for number in range(EACH)]
    made += [*twins, *rated, *doubled]
    made += [(_below(number), frozenset({"gains", _BESIDE[number]})) for number in range(len(_BESIDE))]
    made += [(_worthless(number), frozenset({"gains", "no list"})) for number in range(len(_WORTH))]
    made += [
        (_all_relevant(listed=listed), frozenset({"only hits" if listed else "no list"})) for listed in (False, True)
    ]
    made += again
    made += [(_ones(probe), features | {"gains of 1"}) for probe, features in (*twins, *doubled, *again)]
    made += [(_long(number, rated=rated), frozenset({"long lists"})) for rated in (False, True) for number in range(4)]
    made += [(_long_tied(number, unsorted=False), frozenset({"long lists", "ties"})) for number in range(2)]
    made += [(_long_tied(number, unsorted=True), frozenset({"long lists", "ties", "unsorted"})) for number in range(2)]
    made += [(_case(frozenset(features), EACH, k=1), frozenset(features)) for features in _AT_ONE]
    made += [(_lone(frozenset(own), number), frozenset(own)) for own in _LONE for number in range(TWICE)]
    made += [(probe, frozenset(FEATURES)) for probe in MIXED]
    made = [(probe, features) for probe, features in made if _orders(probe.case) <= MAX_ORDERS]
    return tuple(probe for probe, _ in made), tuple(features for _, features in made)


def _orders(case: Case) -> int:
    """How many orders of ties there are in one ranking of all rows, by where the relevant items stand."""
    relevant = set(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True))
    rows = zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True)
    scores = case.predictions.score.tolist()
    tied, hits = Counter(scores), Counter(score for score, row in zip(scores, rows, strict=True) if row in relevant)
    return prod(perm(tied[score], count) for score, count in hits.items())


@cache
def problem() -> Problem:
    """All cases as one problem."""
    probes, _ = pool()
    return Problem.of([probe.case for probe in probes], [probe.k for probe in probes])


_ALONE = ("unsorted", "ties", "repeats", "copies", "gains", "signs", "seen in training", "gains of 1", "rated misses",
          "one relevant item")  # fmt: skip
_LONE = tuple(each for size in (1, 2) for each in combinations(_ALONE, size))
"""Features of cases of one user, where nobody is averaged."""


def _lone(features: frozenset[str], number: int) -> Probe:
    """A case of one user with the features."""
    rng = np.random.default_rng([SEED, 50 + number, *sorted(FEATURES.index(name) for name in features)])
    rows, truth = _user(rng, features)
    threshold = 3.0 if "gains" in features else 1.0 if "gains of 1" in features else 2.0
    seen = [(1, 900), *((1, item) for item, _ in rows if "seen in training" in features and rng.random() < 0.4)]
    name = f"separating case {number + 1}: one user, {', '.join(sorted(features))}"
    rec, rel = [(1, *row) for row in rows], [(1, *row) for row in truth]
    case = case_from_rows(name, rec, rel, seen, threshold=threshold, why="generated to tell definitions apart")
    return Probe("separating", case, int(rng.integers(1, 5)))


def _ones(probe: Probe) -> Probe:
    """A case with gains of 1 for all others, and the threshold there."""
    truth = replace(probe.case.truth, gain=np.ones_like(probe.case.truth.gain))
    return replace(probe, case=replace(probe.case, name=f"{probe.name}, gains of 1", truth=truth, threshold=1.0))


_TIED: dict[str, frozenset[str]] = {
    "names": frozenset({"ties"}), "rated names": frozenset({"ties", "gains of 1", "unsorted"}),
    "names of rated misses": frozenset({"ties", "rated misses"}), "names listed twice": frozenset({"ties", "copies"}),
}  # fmt: skip
"""What ties, across the cut, in cases of items whose names are longer and shorter, and the features of those cases."""


def _case(features: frozenset[str], number: int, k: int | None = None) -> Probe:
    """A case of three or four users; each feature is met by about half of them, and by the first."""
    rng = np.random.default_rng([SEED, number, *sorted(FEATURES.index(name) for name in features)])
    rec: list[tuple[int, int, float]] = []
    rel: list[tuple[int, int, float]] = []
    for user in range(1, 4 + number % 2):
        # In the order of FEATURES: that of a set is another in every process.
        own = frozenset(name for name in FEATURES if name in features and (user == 1 or rng.random() < 0.5))
        rows, truth = _user(rng, own)
        rec += [(user, *row) for row in rows]
        rel += [(user, *row) for row in truth]
    shown = ", ".join(sorted(features)) or "nothing unusual"
    name = f"separating case {number + 1}: {shown}"
    threshold = 3.0 if "gains" in features else 1.0 if "gains of 1" in features else 2.0
    seen = [(user, 900 + place) for user in range(1, 4 + number % 2) for place in range(user)]
    if "seen in training" in features:
        seen += [(user, item) for user, item, _ in rec if rng.random() < 0.4]
    why = "generated to tell definitions apart"
    k = k or (4 if "short list" in features else int(rng.integers(1, 5)))
    return Probe("separating", case_from_rows(name, rec, rel, seen, threshold=threshold, why=why), k)


def _tied(number: int, what: str) -> Probe:
    """A case of users with items tied across the cut whose names are longer and shorter: one relevant item each;
    or items that are relevant at a gain of 1, rated above, or not rated, and every other list unsorted; or rated all,
    half of them below the threshold; or all relevant, one of them listed twice by the truth."""
    rated = what == "rated names"
    rng = np.random.default_rng([SEED, number, [*_TIED].index(what)])
    rec: list[tuple[int, int, float]] = []
    rel: list[tuple[int, int, float]] = []
    for user in (1, 2, 3):
        items = [int(item) for item in rng.permutation([9, 10, 100, 11, 8])]
        tie = round(0.6 + user / 100, 2)  # no user's scores are another's
        scores = (tie + 0.3, tie, tie, tie, tie - 0.5)
        rows = [(user, item, round(score, 2)) for item, score in zip(items, scores, strict=True)]
        gains = (1.0, 2.0) if user % 2 else (1.0, 1.0, 2.0)
        if rated:
            rel += [(user, item, gain) for item, gain in zip(rng.permutation(items[1:]).tolist(), gains, strict=False)]
        elif what == "names of rated misses":
            chosen = 1 + (number + user) % 3
            rel += [(user, item, 4.0 if place in (chosen, 4) else 1.0) for place, item in enumerate(items)]
        elif what == "names listed twice":
            rel += [(user, item, 4.0) for item in (*items, items[1 + 2 * (number % 2)])]
        else:
            rel.append((user, items[1 + (number + user) % 3], 4.0))
        rec += [rows[place] for place in rng.permutation(5)] if rated and number % 2 else rows
    name, why = f"separating case {number + 1}: {what} of unequal length tie", "generated to tell definitions apart"
    seen, threshold = [(1, 900)], 1.0 if rated else 2.0
    return Probe("separating", case_from_rows(name, rec, rel, seen, threshold=threshold, why=why), 2 + number % 2)


def _twins(number: int) -> Probe:
    """A case of users whose relevant item is recommended twice with one score, tied with another item or not, across
    the cut: which copy comes first is seen."""
    rec: list[tuple[int, int, float]] = []
    rel: list[tuple[int, int, float]] = []
    for user in (1, 2, 3):
        twin, other = ((9, 10), (10, 9), (11, 100))[(user + number) % 3]
        beside = [twin, other, twin] if number % 2 else [other, twin, twin]
        tie = round(0.6 + user / 100, 2)
        above = [(user, 50 + user, 0.95)] if number > 2 else []
        rec += [*above, *((user, item, tie) for item in beside), (user, 60, 0.1)]
        rel += [(user, twin, 4.0), (user, 500 + user, 2.0)][: 1 + user % 2]
    name, why = f"separating case {number + 1}: copies of an item tie", "generated to tell definitions apart"
    k = 1 + number // 2 % 2 + (number > 2)
    return Probe("separating", case_from_rows(name, rec, rel, [(1, 900)], threshold=2.0, why=why), k)


_DOUBLED = frozenset({"repeats", "one relevant item", "rated misses"})


def _doubled(number: int, *, rated: bool) -> Probe:
    """A case of users with one relevant item, just below the cut or a place further down, and a miss that is
    recommended twice above; ``rated`` ones are in the truth, too."""
    room, rec, rel = 2 + number % 3, list[tuple[int, int, float]](), list[tuple[int, int, float]]()
    for user in (1, 2, 3):
        misses = [10 + place for place in range(room - 1)]
        items = [*misses, misses[(number + user) % len(misses)], 20 + user, 30]
        rec += [(user, item, round(0.9 - 0.1 * place - user / 100, 2)) for place, item in enumerate(items)]
        rel += [(user, 20 + user if user < 3 else 30, 4.0), *((user, item, 1.0) for item in misses if rated)]
    what = "a rated miss" if rated else "a miss"
    name, why = f"separating case {number + 1}: {what} twice above a hit", "generated to tell definitions apart"
    k = room + (not rated and number > 2)  # a cut-off of k - 1 is just above the hit, too
    return Probe("separating", case_from_rows(name, rec, rel, [(1, 900)], threshold=2.0, why=why), k)


_BESIDE = ("no list", "no truth", "no hit")


def _below(number: int) -> Probe:
    """A case of users whose hit has a gain below 0, so that a value may be, beside one in an unusual state."""
    rec = [(user, 10 + place, round(0.9 - 0.1 * place - user / 100, 2)) for user in (1, 2) for place in range(3)]
    rel = [(1, 10, -1.0), (1, 500, 4.0), (2, 11, 3.0), (2, 500, 3.0)]
    state = _BESIDE[number]
    rec += [] if state == "no list" else [(3, 20, 0.8), (3, 21, 0.4)]
    rel += [] if state == "no truth" else [(3, 501, 4.0)]
    name, why = f"separating case {number + 1}: a gain below 0, {state}", "generated to tell definitions apart"
    return Probe("separating", case_from_rows(name, rec, rel, [(1, 900)], threshold=3.0, why=why), 2)


_WORTH = (0.0, 2.0)


def _worthless(number: int) -> Probe:
    """A case of users without a list whose relevant items are worth nothing to an ideal list: of a gain of 0, or of
    one below the threshold."""
    rec = [(1, 10 + place, round(0.9 - 0.1 * place, 2)) for place in range(3)]
    rel = [(1, 11, 4.0), (1, 500, 3.0), (2, 501, _WORTH[number]), (2, 502, _WORTH[number])]
    name, why = f"separating case {number + 1}: no list, worth nothing", "generated to tell definitions apart"
    return Probe("separating", case_from_rows(name, rec, rel, [(1, 900)], threshold=3.0, why=why), 2)


def _all_relevant(*, listed: bool) -> Probe:
    """A case of a user without a list, or with nothing but hits, to whom all items that exist are relevant; nobody has
    train items."""
    rec, rel = [(1, 10, 0.9), (1, 11, 0.4)], [(1, 10, 4.0), (2, 10, 4.0), (2, 11, 2.0)]
    if listed:
        rec, rel = [*rec, (2, 10, 0.8), (2, 11, 0.3)], [(1, 11, 4.0), *rel]
    name = f"separating case {1 + listed}: {'only hits' if listed else 'no list'}, no irrelevant item exists"
    case = case_from_rows(name, rec, rel, threshold=2.0, why="generated to tell definitions apart", unseen=())
    return Probe("separating", case, 2)


def _again(number: int) -> Probe:
    """A case of users whose only relevant item is recommended once more, at once or after a miss, across the cut."""
    rec: list[tuple[int, int, float]] = []
    for user in (1, 2):
        first, other = 20 + user, 30 + user
        items = [[first, first, other], [first, other, first, 40], [other, first, other + 10, first]][number % 3]
        rec += [(user, item, round(0.9 - 0.2 * place - user / 100, 2)) for place, item in enumerate(items)]
    name, why = f"separating case {number + 1}: a hit once more", "generated to tell definitions apart"
    rel, k = [(1, 21, 4.0), (2, 22, 2.0)], 1 + number % 3 + number // 3
    return Probe("separating", case_from_rows(name, rec, rel, [(1, 900)], threshold=2.0, why=why), k)


def _long(number: int, *, rated: bool) -> Probe:
    """A case of lists of more than ten items, with a hit further down, at a small cut-off or a large one; ``rated``
    ones are relevant from the first to the last."""
    rec: list[tuple[int, int, float]] = []
    rel: list[tuple[int, int, float]] = []
    for user in (1, 2, 3):
        length = 12 + (user + number) % 3
        rec += [(user, 10 + place, round(0.99 - 0.05 * place - user / 1000, 3)) for place in range(length)]
        places = range(length) if rated else (length - 1, user)[: 1 + user % 2]
        rel += [(user, 10 + place, (4.0, 2.0)[place % 2]) for place in places]
    what = "long lists, all relevant" if rated else "long lists"
    name, why = f"separating case {number + 1}: {what}", "generated to tell definitions apart"
    return Probe("separating", case_from_rows(name, rec, rel, [(1, 900)], threshold=2.0, why=why), (3, 12)[number % 2])


def _long_tied(number: int, *, unsorted: bool) -> Probe:
    """A case of long lists whose ninth to twelfth items tie, one of them relevant: which come first is seen at a
    cut-off of ten, whatever the k that is asked for."""
    rng = np.random.default_rng([SEED, 60 + number + 2 * unsorted])
    rec: list[tuple[int, int, float]] = []
    rel: list[tuple[int, int, float]] = []
    for user in range(1, 7):
        tied = [int(item) for item in rng.permutation([9, 10, 100, 11])]
        items, tie = [*range(30, 38), *tied, 40], round(0.4 + user / 100, 2)
        scores = [*(round(0.99 - 0.05 * place - user / 1000, 3) for place in range(8)), *[tie] * 4, 0.1]
        rows = [(user, item, score) for item, score in zip(items, scores, strict=True)]
        rec += [rows[place] for place in rng.permutation(len(rows))] if unsorted else rows
        rel += [(user, tied[(number + user) % 4], 4.0), (user, 30, 2.0)]
    what = "long lists, ties at the tenth" + unsorted * ", unsorted"
    name, why = f"separating case {number + 1}: {what}", "generated to tell definitions apart"
    return Probe("separating", case_from_rows(name, rec, rel, [(1, 900)], threshold=2.0, why=why), (3, 12)[number])


def _user(rng: np.random.Generator, own: frozenset[str]) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Recommended (item, score) and relevant (item, gain) of one user with the features ``own``."""
    length = 0 if "no list" in own else int(rng.integers(1, 4) if "short list" in own else rng.integers(4, 8))
    items = rng.permutation(np.arange(10, 10 + max(length, 4)))[:length]
    scores = np.round(np.sort(rng.uniform(0.05, 0.95, length))[::-1], 6)
    relevant = rng.random(length) < 0.45
    if length and not relevant.any():
        relevant[int(rng.integers(0, length))] = True
    if "only hits" in own:
        relevant[:] = True
    if "no hit" in own:
        relevant[:] = False
    if "ties" in own:
        scores[1 : 2 + int(rng.integers(1, 3))] = scores[1:2]
    if "signs" in own:
        scores = np.round(scores - 0.5, 6)
        scores[np.abs(scores) == np.abs(scores).min(initial=9)] = 0.0
    grades = (2.0, 3.0, 4.0, 0.0, -1.0) if "gains" in own else (1.0,) if "gains of 1" in own else (2.0, 4.0)
    rows = [(int(item), float(score)) for item, score in zip(items, scores, strict=True)]
    if "repeats" in own and length > 2:
        rows[-1] = (rows[0][0], rows[-1][1]) if rng.random() < 0.5 else (rows[1][0], rows[-1][1])
    held = dict.fromkeys(item for (item, _), hit in zip(rows, relevant, strict=True) if hit)
    truth = [(item, float(rng.choice(grades))) for item in held]
    truth += [(500 + place, float(rng.choice(grades))) for place in range(int(rng.integers(0 if truth else 1, 3)))]
    if "one relevant item" in own:
        truth = truth[:1]
    if "rated misses" in own:
        truth += [(item, 1.0) for item in dict.fromkeys(item for item, _ in rows) if item not in dict(truth)]
    if "copies" in own:
        truth += truth[:2]
    if "unsorted" in own:
        rows = [rows[place] for place in rng.permutation(len(rows))]
    return rows, [] if "no truth" in own else truth
