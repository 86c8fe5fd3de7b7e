"""Confidence intervals of means over users, by the bootstrap.

Users are drawn with replacement, and the mean is taken anew of what each of them adds to it, in the way of the
definition: a pooled ratio is a ratio of sums over the users drawn. The interval is between percentiles of these means
(Efron & Tibshirani 1993, An Introduction to the Bootstrap, §13.3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from recsys_metric_audit.reference.evaluation.prepared import UserTerms, Values
from recsys_metric_audit.reference.space.lists import Floats
from recsys_metric_audit.reference.uncertainty.drawn_means import drawn_weights, weighted_means

DRAWS = 2000
"""Samples of users that are drawn unless told otherwise."""


def bootstrap_intervals(
    means: Sequence[UserTerms], level: float, *, draws: int = DRAWS, seed: int = 0
) -> list[tuple[float, float]]:
    """Return the interval of each mean; all definitions see the same samples of users.

    A sample in which nobody is averaged over is left out.

    Args:
        means: What each user adds to each mean; all of the same users.
        level: Probability that the interval holds the mean, between 0 and 1.
        draws: Number of samples.
        seed: Seed of the generator; one seed gives one result.

    Raises:
        ValueError: for a level that is not between 0 and 1, or fewer than one draw.
    """
    check_level(level, draws)
    return [percentiles(drawn, level) for drawn in bootstrap_means(means, draws=draws, seed=seed)]


def bootstrap_means(means: Sequence[UserTerms], *, draws: int = DRAWS, seed: int = 0) -> list[Floats]:
    """Return each mean in every sample of users; all are of the same samples, so that differences are paired.

    Args:
        means: What each user adds to each mean; all of the same users.
        draws: Number of samples.
        seed: Seed of the generator; one seed gives one result.
    """
    if not means:
        return []
    drawn: list[list[Floats]] = [[np.empty(0)] for _ in means]
    users = len(means[0].users)
    for weights in drawn_weights(users, draws, np.random.default_rng(seed)) if users else ():
        for values, terms in zip(drawn, means, strict=True):
            values.append(weighted_means(terms, weights))
    return [np.concatenate(values) for values in drawn]


def with_intervals(
    found: Mapping[str, Values], level: float, *, draws: int = DRAWS, seed: int = 0
) -> dict[str, Values]:
    """Return the values with the intervals of their means; values without users stay without.

    Raises:
        ValueError: as :func:`bootstrap_intervals`.
    """
    terms = {name: values.terms for name, values in found.items() if values.terms is not None}
    ends = bootstrap_intervals(list(terms.values()), level, draws=draws, seed=seed)
    intervals = dict(zip(terms, ends, strict=True))
    return {name: replace(values, interval=intervals.get(name)) for name, values in found.items()}


def check_level(level: float, draws: int) -> None:
    """Refuse a level that is no probability strictly between 0 and 1, and fewer than one draw.

    Raises:
        ValueError: for one of these.
    """
    if not 0 < level < 1:
        raise ValueError(f"a level is between 0 and 1, such as 0.95, not {level:g}")
    if draws < 1:
        raise ValueError(f"at least one sample is drawn, not {draws}")


def percentiles(values: Floats, level: float) -> tuple[float, float]:
    """Return the ends between which ``level`` of the values lie; NaN values are left out."""
    values = values[~np.isnan(values)]
    if not len(values):
        return (np.nan, np.nan)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
