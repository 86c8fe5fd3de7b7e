"""Order probes: equal scores, rows out of order, repeated items, truth rows at and below the threshold.

Each kind settles its own axes once the formula is known; nothing else about these cases is unusual.
"""

from __future__ import annotations

from reference.cases.probe import Kind, Probe, User, assemble, build

# Three items share a score; their ids and positions are such that every tie rule puts another one on top.
_TIES = (
    ("tie of two, relevant second", (0, 2, 0), (0.9, 0.9, 0.4), (12, 11, 10), (), 1),
    ("tie of two, relevant first", (2, 0, 0), (0.9, 0.9, 0.4), (11, 12, 10), (), 1),
    ("tie of three across k, hit second", (0, 0, 2, 0, 0), (0.9, 0.7, 0.7, 0.7, 0.2), (13, 11, 12, 10, 14), (), 2),
    ("tie of three across k, relevant last", (0, 0, 0, 2, 0), (0.9, 0.7, 0.7, 0.7, 0.2), (13, 11, 12, 10, 14), (), 2),
    ("tie of three across k, hit first", (0, 2, 0, 0, 0), (0.9, 0.7, 0.7, 0.7, 0.2), (13, 11, 12, 10, 14), (2,), 2),
    ("text against number", (0, 2, 0, 0), (0.8, 0.8, 0.8, 0.1), (100, 9, 10, 11), (2,), 2),
    ("two hits in a tie of four",
     (0, 2, 0, 4, 0, 0), (0.8, 0.8, 0.8, 0.8, 0.3, 0.1), (12, 14, 11, 13, 10, 15), (2,), 3),
    ("two ties", (0, 2, 2, 0, 0), (0.9, 0.9, 0.5, 0.5, 0.1), (12, 10, 11, 13, 14), (), 4),
    ("all tied", (0, 0, 2, 0), (0.5, 0.5, 0.5, 0.5), (12, 10, 11, 13), (2,), 3),
)  # fmt: skip

_UNSORTED = (
    ("best row last", (0, 0, 2), (0.2, 0.5, 0.9), (12, 10, 11), (2,), 1),
    ("rows ascending", (0, 2, 0, 2, 0), (0.1, 0.3, 0.5, 0.7, 0.9), (12, 10, 11, 14, 13), (2,), 3),
    ("rows shuffled", (2, 0, 0, 2, 0), (0.3, 0.9, 0.1, 0.8, 0.6), (12, 10, 11, 14, 13), (2,), 2),
)  # fmt: skip

_DUPLICATES = (
    ("relevant item twice inside k", (2, 2, 0, 0), (0.9, 0.8, 0.5, 0.2), (11, 11, 10, 12), (2,), 3),
    ("relevant item again at k", (2, 0, 2, 0, 2), (0.9, 0.8, 0.5, 0.2, 0.1), (11, 12, 11, 10, 13), (), 3),
    ("irrelevant item twice above a hit", (0, 0, 2, 0, 0), (0.9, 0.8, 0.5, 0.2, 0.1), (11, 11, 10, 13, 12), (2,), 3),
    ("irrelevant item twice, a hit just below k",
     (0, 0, 0, 2, 0), (0.9, 0.8, 0.5, 0.2, 0.1), (11, 11, 10, 13, 12), (2,), 3),
    ("relevant item first, its copy last",
     (2, 0, 0, 0, 2), (0.9, 0.8, 0.5, 0.2, 0.1), (11, 12, 10, 13, 11), (2,), 3),
)  # fmt: skip

_TRUTH_DUPLICATES = (
    ("the hit is listed twice in the truth", (2, 0, 0, 0), (), 3),
    ("two hits, each listed twice", (0, 2, 2, 0, 0), (2,), 3),
)  # fmt: skip

# (recommended (item, score), truth (item, gain), threshold, k)
_RELEVANCE = (
    ("gains below, at and above the threshold",
     ((12, 0.9), (10, 0.8), (11, 0.7), (13, 0.6), (14, 0.5)), ((12, 2), (10, 3), (11, 4), (500, 4)), 3.0, 3),
    ("only a gain below the threshold is recommended",
     ((12, 0.9), (10, 0.8), (11, 0.7), (13, 0.6)), ((12, 2), (500, 4), (501, 3)), 3.0, 2),
    ("gains of 1, the threshold at 1",
     ((12, 0.9), (10, 0.8), (11, 0.7), (13, 0.6)), ((12, 1), (11, 2), (500, 1)), 1.0, 3),
    ("a gain of 0 at the top",
     ((12, 0.9), (10, 0.8), (11, 0.7), (13, 0.6)), ((12, 0), (10, 4), (500, 4)), 2.0, 3),
    ("a gain of 0, the threshold at 0",
     ((12, 0.9), (10, 0.8), (11, 0.7), (13, 0.6)), ((12, 0), (10, 4), (500, 4)), 0.0, 3),
    ("a negative gain at the top",
     ((12, 0.9), (10, 0.8), (11, 0.7), (13, 0.6)), ((12, -1), (10, 4), (500, 4)), 2.0, 3),
    ("all scores negative",
     ((12, -0.1), (10, -0.2), (11, -0.7), (13, -0.8)), ((12, 2), (11, 4), (500, 2)), 2.0, 3),
    ("only a gain at the threshold", ((12, 0.9), (10, 0.8)), ((12, 3), (500, 4)), 3.0, 1),
    ("only a gain of 0 is recommended", ((12, 0.9), (10, 0.8)), ((12, 0), (500, 4)), 2.0, 1),
    ("the only hit scores 0", ((12, 0.4), (10, 0.0), (11, -0.7)), ((10, 4), (500, 2)), 2.0, 2),
    ("the only hit scores below 0", ((12, 0.4), (10, 0.2), (11, -0.7)), ((11, 4), (500, 2)), 2.0, 3),
    ("gains of 1, scores cross 0", ((12, 0.4), (10, 0.0), (11, -0.7)), ((12, 1), (10, 1), (11, 1)), 1.0, 3),
    ("scores cross 0",
     ((12, 0.4), (10, 0.0), (11, -0.7), (13, -0.8)), ((12, 2), (10, 4), (11, 2)), 2.0, 3),
)  # fmt: skip


_Row = tuple[str, tuple[float, ...], tuple[float, ...], tuple[int, ...], tuple[float, ...], int]


def _listed(
    kind: Kind, row: tuple[str, tuple[float, ...], tuple[float, ...], tuple[int, ...], tuple[float, ...], int]
) -> Probe:
    name, ranked, scores, items, missed, k = row
    user = User(ranked, missed, scores, items)
    return Probe(kind, build(name, [user], why=name), k, (user,))


def _doubled(row: tuple[str, tuple[float, ...], tuple[float, ...], int]) -> Probe:
    name, ranked, missed, k = row
    user = User(ranked, missed, truth_times=2)
    return Probe("truth_duplicates", build(name, [user], why=name), k, (user,))


def _graded(
    row: tuple[str, tuple[tuple[int, float], ...], tuple[tuple[int, float], ...], float, int],
) -> Probe:
    name, rec, rel, threshold, k = row
    case = assemble(
        name, [(1, *pair) for pair in rec], [(1, *pair) for pair in rel], [(1, 900), (1, 901)],
        threshold=threshold, why=name,
    )  # fmt: skip
    return Probe("relevance", case, k)


ORDERS = (
    *(_listed("order", row) for row in (*_TIES, *_UNSORTED)),
    *(_listed("duplicates", row) for row in _DUPLICATES),
    *(_doubled(row) for row in _TRUTH_DUPLICATES),
    *(_graded(row) for row in _RELEVANCE),
)
