"""Mixed probes: cases on which two axes act at once that all other probes keep apart.

Many hold a single user in an unusual state: where all rows are one ranking, an edge shows only if nobody else is in
it. The tests need them to separate definitions that differ on several axes; an audit asks them only if several fit.
"""

from __future__ import annotations

from recsys_metric_audit.reference.cases.probe import Kind, Probe, case_from_rows

_Rows = tuple[tuple[int, int, float], ...]

# (why, recommended (user, item, score), truth (user, item, gain), train (user, item), threshold, k)
_TABLE: tuple[tuple[str, _Rows, _Rows, tuple[tuple[int, int], ...], float, int], ...] = (
    ("nobody has recommendations: no_list even where all rows are one ranking", (), ((1, 10, 1.0),), (), 1.0, 3),
    ("the same with a gain above the threshold", (), ((1, 10, 4.0),), (), 2.0, 3),
    ("the only row is a miss: no pair of a score and a rating anywhere", ((1, 11, 1.0),), ((1, 10, 1.0),), (), 1.0, 4),
    ("nobody has relevant items: undefined even where all rows are one ranking", ((1, 10, 2.0),), (), (), 1.0, 1),
    ("the only hit scores below 0; beside it a user with a better item missed",
     ((1, 11, -1.0), (2, 10, -1.0)), ((1, 11, 1.0), (2, 12, 1.0), (2, 10, 2.5)), (), 1.0, 4),
    ("only the last row is rated, with a gain of 0; scores tie with another user's hit",
     ((1, 10, 2.0), (2, 12, 0.5), (1, 12, 0.5), (1, 11, -1.0), (1, 13, -1.0)),
     ((2, 10, 3.0), (2, 12, 4.0), (1, 13, 0.0)), (), 2.0, 3),
    ("hits that score 0 and less, not in the order of their gains, one user's all found, another's not",
     ((1, 10, 2.0), (2, 12, 0.5), (1, 12, 0.0), (2, 11, -1.0)),
     ((1, 100, 1.0), (1, 10, 3.0), (1, 12, 2.0), (2, 11, 3.0), (2, 13, 2.5), (2, 12, 2.5)), (), 1.0, 2),
    ("the hit scores 0 and ties with a miss; rows out of order",
     ((1, 11, 3.0), (1, 10, 0.0), (1, 12, 0.0), (1, 13, 1.0)), ((1, 12, 1.0),), (), 2.0, 3),
    ("a user whose list is all misses, and one with a gain of 0 and no list",
     ((1, 10, 3.0), (1, 12, 2.0), (1, 11, -1.0)), ((2, 100, 0.0), (1, 13, 2.0)), (), 0.0, 2),
    ("the only row was seen in training and is a miss", ((1, 12, 3.0),), ((1, 100, 4.0),), ((1, 12),), 3.0, 2),
    ("the only row was seen in training and is a hit", ((1, 10, 2.0),), ((1, 10, 1.0),), ((1, 10),), 1.0, 2),
    ("a hit twice with different scores, its gain 0, and a tie above",
     ((1, 11, 2.0), (1, 10, 2.0), (1, 10, 3.0)), ((1, 10, 0.0),), (), 2.0, 2),
    ("four users with one relevant item each: an item twice, a score below 0, a miss",
     ((1, 10, 3.0), (1, 10, 1.0), (2, 11, -1.0), (3, 12, 2.0), (4, 13, 1.5), (4, 14, 0.5)),
     ((1, 10, 2.0), (2, 11, 1.0), (3, 12, 4.0), (4, 15, 3.0)), (), 1.0, 2),
    ("a hit twice, its better copy with a score of 0", ((1, 10, 0.0), (1, 10, -1.0)), ((1, 10, 1.0),), (), 1.0, 2),
    ("a hit twice, both scores far from its gain", ((1, 10, 3.0), (1, 10, 0.0)), ((1, 10, 1.0),), (), 1.0, 1),
    ("an item twice, its better copy in a later row, its gain the higher",
     ((1, 10, 1.0), (1, 11, 2.0), (1, 10, 3.0)), ((1, 10, 2.0), (1, 11, 1.0)), (), 1.0, 3),
    ("a rated item twice in the truth, another with a score below 0",
     ((1, 10, 2.0), (1, 11, -1.0), (1, 12, 0.5)), ((1, 10, 4.0), (1, 10, 4.0), (1, 11, 1.0), (1, 12, 1.0)), (), 2.0, 3),
    ("hits of two users score 0 and more, one beside a rated miss",
     ((1, 10, 0.0), (2, 12, 0.5), (2, 11, 1.0)), ((1, 10, 4.0), (2, 12, 0.0), (2, 11, 4.0)), (), 2.0, 4),
    ("two rated items of equal score and unequal rating",
     ((1, 10, 3.0), (1, 12, 3.0)), ((1, 10, 3.0), (1, 12, 4.0)), (), 1.0, 4),
    ("scores on the rating scale, an item twice",
     ((1, 10, 4.0), (1, 12, 3.0), (1, 11, 2.0), (1, 10, 1.5)), ((1, 10, 5.0), (1, 11, 1.0), (1, 12, 3.0)), (), 1.0, 3),
    ("scores on the rating scale, a rating twice",
     ((1, 10, 4.0), (1, 12, 3.0), (1, 11, 2.0)), ((1, 10, 5.0), (1, 10, 5.0), (1, 11, 1.0), (1, 12, 4.0)), (), 0.5, 3),
    ("scores on the rating scale but for one below 0, all ratings above the threshold",
     ((1, 10, 4.0), (1, 12, 3.0), (1, 11, -1.0)), ((1, 10, 5.0), (1, 11, 4.0), (1, 12, 4.5)), (), 2.0, 3),
    ("a rated item that was seen in training, and another user's hit",
     ((1, 30, 0.5), (2, 12, 3.0)), ((1, 30, 0.0), (2, 12, 2.0)), ((1, 30),), 3.0, 4),
    ("a user with two relevant items, one found, and one with an item and no list",
     ((1, 10, 0.5),), ((2, 10, 1.0), (1, 10, 1.0), (1, 11, 1.0)), (), 0.0, 3),
    ("of two hits that tie one is twice in the truth, the other has the better gain",
     ((1, 10, 3.0), (1, 11, 2.0), (1, 12, 2.0)), ((1, 11, 2.0), (1, 11, 2.0), (1, 12, 3.0)), (), 1.0, 3),
    ("k one: a user who has recommendations only, and one who has relevant items only",
     ((2, 10, 0.9), (2, 11, 0.5)), ((1, 10, 4.0), (1, 11, 4.0)), (), 1.0, 1),
    ("irrelevant items twice: one scores above one half and below it, one below it both times",
     ((1, 11, 0.9), (1, 10, 0.8), (1, 11, 0.3), (1, 13, 0.2), (1, 13, 0.1)), ((1, 10, 2.0), (1, 500, 2.0)), (), 2.0, 3),
    ("a first user with one relevant item and no list, and one whose only relevant item is found",
     ((2, 10, 2.0), (2, 11, 1.0)), ((1, 12, 1.0), (2, 10, 1.0)), (), 1.0, 3),
)  # fmt: skip

MIXED = tuple(
    Probe(Kind("mixed"), case_from_rows(why, rec, truth, train, threshold=threshold, why=why), k)
    for why, rec, truth, train, threshold, k in _TABLE
)
