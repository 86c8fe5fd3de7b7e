"""Draws numbers by a hash of seed, user and item: the order of rows and the release of numpy play no part.

The hash is the finalizer of splitmix64 (Steele, Lea & Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA
2014, Figure 16), applied to one key after the other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Floats, Ids

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def uniform(seed: int, user: Ids, item: Ids) -> Floats:
    """Return a number between 0 and 1, neither of them, for each pair of user and item.

    Args:
        seed: Of the draw, 0 or more.
        user: Ids of users; one id stands for all items.
        item: Ids of items.
    """
    mixed = _mixed(np.array([seed], dtype=np.uint64))
    for keys in (user, item):
        mixed = _mixed(mixed ^ np.atleast_1d(np.asarray(keys)).astype(np.uint64))
    numbers: Floats = ((mixed >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return numbers


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return splitmix64's next output of each state."""
    z: NDArray[np.uint64] = state + _GOLDEN
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    last: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return last
