"""Probes of input handling: ties, rows out of order, repeated items, gains at and below the threshold, train items.

Each kind determines its own axes once the formula is known; nothing else about these cases is unusual.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recsys_metric_audit.reference.cases.probe import (
    Kind,
    Probe,
    Role,
    User,
    above_threshold,
    case_from_rows,
    case_from_users,
    default_scores,
)
from recsys_metric_audit.reference.input.case import Predictions, with_gains_of_1

# (name, gains by rank as given, scores, items, missed gains, k). Where three items share a score, their ids and
# positions are such that every tie rule puts another one first.
# fmt: off
_LOW_TIE = (0.9, 0.8, 0.7, 0.7, 0.7)
_TIES = (
    ("tie of two, relevant second", (0, 2, 0), (0.9, 0.9, 0.4), (12, 11, 10), (), 1),
    ("tie of two, relevant first", (2, 0, 0), (0.9, 0.9, 0.4), (11, 12, 10), (), 1),
    ("tie of three across k, hit second", (0, 0, 2, 0, 0), (0.9, 0.7, 0.7, 0.7, 0.2), (13, 11, 12, 10, 14), (), 2),
    ("tie of three across k, relevant last", (0, 0, 0, 2, 0), (0.9, 0.7, 0.7, 0.7, 0.2), (13, 11, 12, 10, 14), (), 2),
    ("tie of three across k, hit first", (0, 2, 0, 0, 0), (0.9, 0.7, 0.7, 0.7, 0.2), (13, 11, 12, 10, 14), (2,), 2),
    ("text against number", (0, 2, 0, 0), (0.8, 0.8, 0.8, 0.1), (100, 9, 10, 11), (2,), 2),
    ("two hits in a tie of four",
     (0, 2, 0, 4, 0, 0), (0.8, 0.8, 0.8, 0.8, 0.3, 0.1), (12, 14, 11, 13, 10, 15), (2,), 3),
    ("text against number, two hits inside k", (0, 2, 4, 0), (0.8, 0.8, 0.8, 0.1), (100, 9, 10, 11), (2,), 3),
    # The ties stand below a certain hit and a certain miss, so that no order reaches an edge policy.
    ("tie of three across k below a hit and a miss, hit in the middle",
     (2, 0, 0, 4, 0), _LOW_TIE, (14, 13, 11, 12, 10), (2,), 3),
    ("tie of three across k below a hit and a miss, hit at the end",
     (2, 0, 0, 0, 4), _LOW_TIE, (14, 13, 11, 12, 10), (2,), 3),
    ("tie of three across k below a hit and a miss, hit in front",
     (2, 0, 4, 0, 0), _LOW_TIE, (14, 13, 11, 12, 10), (2,), 3),
    ("text against number below a hit and a miss", (2, 0, 4, 0, 0), _LOW_TIE, (14, 13, 9, 100, 10), (2,), 3),
    ("two ties", (0, 2, 2, 0, 0), (0.9, 0.9, 0.5, 0.5, 0.1), (12, 10, 11, 13, 14), (), 4),
    # Rows that share a rank are told from those whose hits come first.
    ("two hits in a tie across k", (0, 2, 4, 0, 0), (0.9, 0.7, 0.7, 0.7, 0.2), (13, 11, 12, 10, 14), (), 2),
    ("all tied", (0, 0, 2, 0), (0.5, 0.5, 0.5, 0.5), (12, 10, 11, 13), (2,), 3),
)

_UNSORTED = (
    ("best row last", (0, 0, 2), (0.2, 0.5, 0.9), (12, 10, 11), (2,), 1),
    ("rows ascending", (0, 2, 0, 2, 0), (0.1, 0.3, 0.5, 0.7, 0.9), (12, 10, 11, 14, 13), (2,), 3),
    ("two hits first by rows, one by score", (2, 2, 0, 0), (0.3, 0.8, 0.9, 0.1), (12, 10, 11, 13), (2,), 2),
    ("rows shuffled", (2, 0, 0, 2, 0), (0.3, 0.9, 0.1, 0.8, 0.6), (12, 10, 11, 14, 13), (2,), 2),
)

_FALLING = (0.9, 0.8, 0.5, 0.2, 0.1)
_DUPLICATES = (
    ("relevant item twice inside k", (2, 2, 0, 0), (0.9, 0.8, 0.5, 0.2), (11, 11, 10, 12), (2,), 3),
    ("relevant item again at k", (2, 0, 2, 0, 2), _FALLING, (11, 12, 11, 10, 13), (), 3),
    ("irrelevant item twice above a hit", (0, 0, 2, 0, 0), _FALLING, (11, 11, 10, 13, 12), (2,), 3),
    ("irrelevant item twice, a hit just below k", (0, 0, 0, 2, 0), _FALLING, (11, 11, 10, 13, 12), (2,), 3),
    ("a hit, then an irrelevant item twice above another hit",
     (2, 0, 0, 2, 0), _FALLING, (14, 11, 11, 13, 12), (2,), 3),
    ("of two hits the first comes again at the end", (2, 4, 0, 0, 2), _FALLING, (11, 12, 10, 13, 11), (2,), 3),
    ("relevant item first, its copy last", (2, 0, 0, 0, 2), _FALLING, (11, 12, 10, 13, 11), (2,), 3),
)

# Truth rows (item, gain); the list is 12 10 11 13, best first.
_TRUTH_DUPLICATES = (
    ("the hit is listed twice in the truth", ((12, 2), (12, 2)), 3),
    ("two hits, each listed twice", ((10, 2), (11, 2), (10, 2), (11, 2), (500, 2)), 3),
    ("of two hits the first is listed twice", ((12, 2), (12, 2), (11, 4), (500, 2)), 3),
    ("listed again with a better gain than all others", ((10, 2), (12, 3), (10, 4)), 3),
    ("what is listed twice stands nowhere", ((12, 2), (500, 2), (500, 2)), 3),
)

# (recommended (item, score), truth (item, gain), threshold, k)
_FOUR = ((12, 0.9), (10, 0.8), (11, 0.7), (13, 0.6))
_FIVE = (*_FOUR, (14, 0.5))
_SIX = (*_FIVE, (15, 0.4))
_RELEVANCE = (
    ("gains below, at and above the threshold", _FIVE, ((12, 2), (10, 3), (11, 4), (500, 4)), 3.0, 3),
    ("only a gain below the threshold is recommended", _FOUR, ((12, 2), (500, 4), (501, 3)), 3.0, 2),
    ("gains of 1, the threshold at 1", _FOUR, ((12, 1), (11, 2), (500, 1)), 1.0, 3),
    ("a gain of 0 at the top", _FOUR, ((12, 0), (10, 4), (500, 4)), 2.0, 3),
    ("a gain of 0, the threshold at 0", _FOUR, ((12, 0), (10, 4), (500, 4)), 0.0, 3),
    ("a negative gain at the top", _FOUR, ((12, -1), (10, 4), (500, 4)), 2.0, 3),
    ("a negative gain below a small one", ((10, 0.9), (12, 0.8), (11, 0.7), (13, 0.6)), ((12, -1), (10, 2)), 2.0, 3),
    ("only a gain at the threshold", ((12, 0.9), (10, 0.8)), ((12, 3), (500, 4)), 3.0, 1),
    ("only a gain of 0 is recommended", ((12, 0.9), (10, 0.8)), ((12, 0), (500, 4)), 2.0, 1),
    ("gains of 1 and 0 below k, a better one above", _FIVE, ((12, 4), (11, 1), (13, 0), (500, 4)), 3.0, 2),
    ("relevant under each rule from another rank on", _FIVE,
     ((12, -1), (10, 2), (11, 3), (13, 1), (14, 4), (500, 4)), 3.0, 5),
    ("relevant under each rule down to another rank", _SIX,
     ((12, 4), (10, 1), (11, 3), (13, 2), (14, -1), (500, 4), (501, 4)), 3.0, 5),
    ("the hit at the top scores 0", ((10, 0.0), (11, -0.7)), ((10, 4), (500, 4)), 2.0, 2),
    ("the hit at the top scores below 0", ((12, -0.1), (10, -0.2), (11, -0.7)), ((12, 4), (11, 4), (500, 2)), 2.0, 3),
    ("hits that score 0.4, 0 and less, with misses between",
     ((12, 0.5), (15, 0.4), (14, 0.3), (10, 0.0), (13, -0.1), (11, -0.7), (16, -0.8), (17, -0.9)),
     ((12, 3), (15, 4), (10, 4.5), (11, 3.5), (500, 3)), 2.0, 7),
    ("gains enough below, at and above the threshold for their order to show", _SIX,
     ((12, 4), (10, 5), (11, 3), (13, 4.5), (14, 2), (15, -1), (500, 4)), 3.0, 4),
    ("gains of 1, the hit at the top scores 0", ((10, 0.0), (11, -0.7)), ((10, 1), (500, 1)), 1.0, 2),
    ("gains of 1, the hit at the top scores below 0", ((12, -0.1), (10, -0.2)), ((12, 1), (500, 1)), 1.0, 2),
    ("gains of 1, scores cross 0 with misses between",
     ((12, 0.4), (14, 0.3), (10, 0.0), (13, -0.1), (11, -0.7), (15, -0.8), (16, -0.9)),
     ((12, 1), (10, 1), (11, 1), (500, 1)), 1.0, 6),
)
# fmt: on


_Rows = tuple[tuple[int, float], ...]
_Row = tuple[str, tuple[float, ...], tuple[float, ...], tuple[int, ...], tuple[float, ...], int]


def _from_list(role: Role, row: _Row) -> Probe:
    name, ranked, scores, items, missed, k = row
    user = User(ranked, missed, scores, items)
    return Probe(Kind(role), case_from_users(name, [user], why=name), k, (user,))


def _with_truth_rows(row: tuple[str, _Rows, int]) -> Probe:
    name, rel, k = row
    ranked = zip((12, 10, 11, 13), default_scores(4), strict=True)
    rec, truth, seen = [(1, *pair) for pair in ranked], [(1, *pair) for pair in rel], [(1, 900), (1, 901)]
    return Probe(Kind("truth_duplicates"), case_from_rows(name, rec, truth, seen, why=name), k)


_RATED_MISSES = Kind("single_user", "rated_misses")


def _from_rows(kind: Kind, row: tuple[str, _Rows, _Rows, float, int]) -> Probe:
    name, rec, rel, threshold, k = row
    # Items 16 and 12 of such a probe stand in the list though they were seen in training: are they candidates?
    seen = [(1, 16), (1, 12)] if kind in (_RATED_MISSES, Kind("seen")) else [(1, 900), (1, 901)]
    case = case_from_rows(
        name, [(1, *pair) for pair in rec], [(1, *pair) for pair in rel], seen, threshold=threshold, why=name
    )
    return Probe(kind, case, k)


# Some rated items are irrelevant here: their gain is below the threshold. Unrated items are unknown.
# fmt: off
_RATED = (
    ("rated and not rated items in turn", ((10, 0.9), (12, 0.8), (15, 0.7), (11, 0.6), (13, 0.5), (16, 0.3)),
     ((10, 1), (12, 4), (11, 4), (13, 1), (500, 4), (501, 1)), 3.0, 3),
    ("rated irrelevant items above and below", ((13, 0.95), (16, 0.9), (10, 0.8), (12, 0.7), (14, 0.4), (11, 0.2)),
     ((13, 1), (10, 2), (12, 4), (14, 1), (11, 5)), 3.0, 4),
    ("the best rated item is relevant, the best of all is not rated",
     ((15, 0.9), (12, 0.8), (10, 0.3)), ((12, 5), (10, 1)), 3.0, 2),
    ("rated items that tie",
     ((13, 0.8), (10, 0.8), (12, 0.8), (11, 0.8), (14, 0.3)), ((13, 1), (10, 4), (11, 1), (14, 4)), 3.0, 3),
    ("rated items that tie, the relevant one last as given",
     ((13, 0.8), (10, 0.8), (12, 0.8), (11, 0.8), (14, 0.3)), ((13, 1), (10, 1), (11, 4), (14, 4)), 3.0, 3),
    ("fewer rated irrelevant than relevant items",
     ((10, 0.9), (12, 0.8), (11, 0.7), (13, 0.6)), ((10, 1), (12, 4), (11, 4), (13, 5)), 3.0, 6),
    ("a hit that was seen in training", ((12, 0.9), (15, 0.8)), ((12, 4), (500, 4)), 3.0, 1),
    ("rated items that tie, text against number",
     ((100, 0.8), (9, 0.8), (10, 0.8), (14, 0.3)), ((100, 1), (9, 1), (10, 4), (14, 4)), 3.0, 3),
    ("rated items, rows ascending", ((12, 0.2), (10, 0.5), (11, 0.7)), ((12, 4), (10, 1), (11, 1), (13, 1)), 3.0, 2),
    ("a rated relevant item twice",
     ((12, 0.9), (10, 0.8), (11, 0.7), (13, 0.5), (12, 0.3)), ((12, 4), (10, 1), (11, 4), (13, 1)), 3.0, 3),
    ("labels of 0 and 1, probabilities of 0 and 1 among the scores",
     ((12, 1.0), (10, 0.8), (11, 0.6), (13, 0.0)), ((12, 0), (10, 1), (11, 0), (13, 1)), 1.0, 2),
)

# Each constant threshold of 0.25 to 4 makes another row the first relevant one; the case's own is 3.
_BY_GAIN = (((10, 0.9), (12, 0.8), (15, 0.7), (11, 0.6), (13, 0.5), (16, 0.4), (14, 0.3), (17, 0.2)),
            ((10, 0.25), (15, 0.5), (13, 1), (16, 2), (14, 3), (17, 4), (500, 4)), 3.0)
_FRACTIONS = (
    *((f"gains between 0 and 1 above better ones, k {k}", *_BY_GAIN, k) for k in (8, 1, 3, 5, 6)),
    ("gains between 0 and 1 among better ones", ((10, 0.9), (12, 0.8), (11, 0.7), (13, 0.6), (14, 0.5), (15, 0.4)),
     ((10, 2), (12, 0.25), (11, 4), (13, 1), (14, 0.5), (15, 3)), 3.0, 4),
)

# Items 12 and 16 of these probes stand in the list though the user's train data hold them.
_SEEN = (
    ("the only hit was seen in training", ((12, 0.9), (10, 0.8), (11, 0.7)), ((12, 4), (500, 2)), 2.0, 3),
    ("the hit at the top was seen in training", _FOUR, ((12, 2), (11, 4), (500, 2)), 2.0, 2),
    ("a miss at the top was seen in training, a hit stands below k",
     ((16, 0.9), (10, 0.8), (14, 0.7), (11, 0.6), (13, 0.5)), ((10, 2), (11, 4), (500, 2)), 2.0, 3),
    ("rated items, one of them seen in training", _FOUR, ((12, 1), (11, 4), (10, 1), (13, 5)), 2.0, 3),
)
# fmt: on


USUAL = (
    *(_from_list("order", row) for row in (*_TIES, *_UNSORTED)),
    *(_from_list("duplicates", row) for row in _DUPLICATES),
    *(_with_truth_rows(row) for row in _TRUTH_DUPLICATES),
    *(_from_rows(Kind("relevance"), row) for row in _RELEVANCE),
    *(_from_rows(Kind("fractions"), row) for row in _FRACTIONS),
    *(_from_rows(Kind("seen"), row) for row in _SEEN),
    *(_from_rows(_RATED_MISSES, row) for row in _RATED),
)


_ROLES: tuple[Role, ...] = ("order", "duplicates", "truth_duplicates")
"""The roles of which there are variants."""


def _with_unit_gains(probe: Probe) -> Probe:
    """Return the probe with every gain and the threshold set to 1."""
    case = with_gains_of_1(probe.case, f"gains of 1: {probe.name}")
    return replace(probe, kind=Kind(probe.kind.role, "unit_gains"), case=case)


_EXTRA_ITEMS = np.array([400, 401])


def _with_all_listed(probe: Probe) -> Probe:
    """Return the probe with the user's missed relevant items, and two irrelevant ones, at the end of the list."""
    rows, held = probe.case.predictions, probe.case.truth.item
    missed = np.setdiff1d(held, rows.item)
    items = np.concatenate([missed, _EXTRA_ITEMS])
    scores = rows.score.min() - 0.01 * (1 + np.arange(len(items)))
    user = np.ones(len(rows.item) + len(items), dtype=np.int64)
    longer = Predictions(user, np.concatenate([rows.item, items]), np.concatenate([rows.score, scores]))
    catalogue = np.union1d(probe.case.catalogue, _EXTRA_ITEMS)
    case = replace(probe.case, name=f"all listed: {probe.name}", predictions=longer, catalogue=catalogue)
    return Probe(Kind(probe.kind.role, "all_listed"), case, probe.k)


def _of_roles(*roles: Role) -> tuple[Probe, ...]:
    return tuple(probe for role in roles for probe in USUAL if probe.kind == Kind(role))


UNIT_GAINS = tuple(map(_with_unit_gains, _of_roles(*_ROLES)))
"""Ties and repeats with gains of 1; asked only of functions for which no formula fits the usual probes."""
ABOVE_THRESHOLD = tuple(map(above_threshold, _of_roles(*_ROLES)))
"""Ties and repeats with all gains above the threshold, for functions that accept no others."""
ALL_LISTED = tuple(map(_with_all_listed, _of_roles(*_ROLES, "relevance")))
"""Ties, repeats and rules of relevance for functions that accept no relevant item without a score."""
