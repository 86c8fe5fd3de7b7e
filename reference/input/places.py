"""Tells whether scores are places in a ranking: the best has the lowest place and should have the highest score."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.input.case import Floats, Ids

NAMES = frozenset({"rank", "ranks", "ranking", "position", "place"})
"""Names of a column of places."""
PLACES = (
    "scores count up from 1 or 0 in each list: if they are places in a ranking, each list is read from its end, since "
    "the highest score is taken as the best"
)
"""What is said of scores that look like places."""
_LEAST = 3
"""Places are told from scores by a list of so many rows, or longer."""


def are_places(user: Ids, score: Floats) -> bool:
    """Return True if the scores of each user's rows, which follow one another, count up from 1, or from 0.

    >>> are_places(np.array([7, 7, 7, 8]), np.array([1.0, 2.0, 3.0, 1.0]))
    True
    >>> are_places(np.array([7, 7, 7, 8]), np.array([3.0, 2.0, 1.0, 1.0]))
    False
    """
    if len(score) < _LEAST or score[0] not in (0, 1):
        return False
    starts = np.concatenate([[0], np.flatnonzero(user[1:] != user[:-1]) + 1])
    lengths = np.diff(np.append(starts, len(user)))
    places = np.arange(len(user)) - np.repeat(starts, lengths) + score[0]
    return bool(lengths.max() >= _LEAST and (score == places).all())
