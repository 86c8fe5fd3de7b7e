"""Means of many samples of users at once, by products of a matrix of weights with what each user adds to the mean."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from recsys_metric_audit.reference.evaluation.prepared import UserTerms
from recsys_metric_audit.reference.space.lists import Floats

_CELLS = 1 << 22
"""Most entries of a matrix of weights that is held at a time: 32 MB."""


def weighted_means(terms: UserTerms, weights: Floats) -> Floats:
    """Return the mean of each sample; shape (samples,).

    Args:
        terms: What each user adds.
        weights: How often each sample holds each user; shape (samples, users).
    """
    return terms.mean_of_sums(
        [(weighted_sums(weights, each.numerator), weighted_sums(weights, each.denominator)) for each in terms.terms]
    )


def weighted_sums(weights: Floats, column: Floats) -> Floats:
    """Return the sum of ``column`` in each sample; an infinite entry counts only where a sample holds its user."""
    infinite = np.isinf(column)
    if not infinite.any():
        return np.asarray(weights @ column)
    sums = weights @ np.where(infinite, 0.0, column)
    for sign in (np.inf, -np.inf):
        held = weights[:, column == sign].any(axis=1)
        sums[held] += sign
    return np.asarray(sums)


def drawn_weights(users: int, draws: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield the weights of ``draws`` samples of as many users, drawn with replacement, in blocks of some samples."""
    for size in block_sizes(users, draws):
        drawn = rng.integers(0, users, size=(size, users))
        drawn += np.arange(size)[:, None] * users
        yield np.bincount(drawn.ravel(), minlength=size * users).reshape(size, users).astype(np.float64)


def block_sizes(users: int, draws: int) -> Iterator[int]:
    """Yield how many samples are handled at a time."""
    size = max(1, _CELLS // max(users, 1))
    for first in range(0, draws, size):
        yield min(size, draws - first)
