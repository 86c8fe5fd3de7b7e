"""Tells of numbers that may mean something else than they are taken for: places as scores, gains that say no."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.input.case import Floats, Ids

NAMES_OF_PLACES = frozenset({"rank", "ranks", "ranking", "position", "place"})
"""Names what a column of places is called."""
PLACES = (
    "scores count up from 1 or 0 in each list: if they are places in a ranking, each list is read from its end, since "
    "the highest score is taken as the best"
)
"""Says what follows where scores are places, which they look like."""
_LEAST = 3
"""Tells how many rows the longest list has at least: in shorter ones scores count up by chance."""


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


def not_above_0(gain: Floats) -> str:
    """Say of how many rows of the truth the gain is 0 or less, though every row counts as relevant; empty for none.

    >>> not_above_0(np.array([2.0, 0.0]))
    "1 of 2 rows of the truth has a gain of 0 or less and counts as relevant: '|relevance:positive' leaves these out"
    """
    count = int((gain <= 0).sum())
    has, counts = ("has", "counts") if count == 1 else ("have", "count")
    text = f"{count:,} of {len(gain):,} rows of the truth {has} a gain of 0 or less and {counts} as relevant"
    return f"{text}: '|relevance:positive' leaves these out" if count else ""
