"""Comparison of two recommenders on the same users: the difference of their means, its interval and a p-value.

The test is the randomization test (Smucker, Allan & Carterette 2007, A Comparison of Statistical Significance Tests
for Information Retrieval Evaluation): if the recommenders were alike, each user's two results could as well be
exchanged. The p-value is the share of exchanges that give a difference of means as large as the one observed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.evaluation.prepared import UserTerms
from recsys_metric_audit.reference.evaluation.shown_table import Columns, ShownAsTable
from recsys_metric_audit.reference.space.averaging import Floats, MeanTerms
from recsys_metric_audit.reference.uncertainty.bootstrap import DRAWS, check_level, percentiles
from recsys_metric_audit.reference.uncertainty.drawn_means import block_sizes, drawn_weights, weighted_means

EXCHANGES = 10_000
"""Exchanges that are drawn unless told otherwise; up to as many, all are tried."""

_SAME = 1e-12
"""Differences are equal up to this part of the larger mean: sums are added in another order."""


@dataclass(frozen=True, repr=False)
class PairedComparison(ShownAsTable):
    """Holds the difference of the means of two recommenders, ``other`` minus ``first``.

    ``interval`` is its bootstrap interval. ``p_value`` is two-sided and exact if ``exact``, else of drawn exchanges.
    ``users`` are those of either recommender, ``differing`` those who add something else to the two means.

    >>> from recsys_metric_audit import compare
    >>> compare({1: [4, 5], 2: [5]}, {1: [5, 4], 2: [5]}, {1: [5], 2: [5]}, 2, "mrr")["mrr"]
     first   other  difference     low    high       p  users  differing
    0.7500  1.0000      0.2500  0.0000  0.5000  1.0000      2          1
    """

    first: float
    other: float
    interval: tuple[float, float]
    p_value: float
    exact: bool
    users: int
    differing: int

    @property
    def difference(self) -> float:
        """Return the mean of the other recommender minus that of the first."""
        return self.other - self.first

    def _shown(self) -> Columns:
        low, high = self.interval
        return {
            "first": [self.first], "other": [self.other], "difference": [self.difference], "low": [low], "high": [high],
            "p": [self.p_value], "users": [self.users], "differing": [self.differing],
        }  # fmt: skip


def compare_pairs(
    first: UserTerms,
    other: UserTerms,
    level: float = 0.95,
    *,
    draws: int = DRAWS,
    exchanges: int = EXCHANGES,
    seed: int = 0,
) -> PairedComparison:
    """Compare the means of one definition for two recommenders.

    A user whom one of them leaves out adds nothing to its mean, and is exchanged like the others.

    Args:
        first: What each user adds to the mean of the first recommender.
        other: The same for the other one; users are matched by id.
        level: Level of the interval of the difference.
        draws: Samples of users drawn for the interval.
        exchanges: Exchanges drawn for the p-value; where there are no more than these, all are tried.
        seed: Seed of the generator; one seed gives one result.

    Raises:
        ValueError: for a level that is not between 0 and 1, or a number below 1.
    """
    check_level(level, min(draws, exchanges))
    rng = np.random.default_rng(seed)
    first, other = _matched(first, other)
    ones = np.ones((1, len(first.users)))
    means = [float(weighted_means(each, ones)[0]) for each in (first, other)]
    drawn = [weighted_means(other, weights) - weighted_means(first, weights)
             for weights in drawn_weights(len(first.users), draws, rng)] if len(first.users) else []  # fmt: skip
    interval = percentiles(np.concatenate([np.empty(0), *drawn]), level)
    p_value, exact = _randomization_test(first, other, means, exchanges, rng)
    differing = int(_differing(first, other).sum())
    return PairedComparison(means[0], means[1], interval, p_value, exact, len(first.users), differing)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct the p-values of several tests, so that the chance of any false finding among them is bounded.

    The smallest of n is multiplied by n, the next by n - 1, ..., and none becomes smaller than one before it (Holm
    1979, A Simple Sequentially Rejective Multiple Test Procedure). NaN is no test and stays.

    >>> [round(each, 3) for each in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    tests = sorted((value, place) for place, value in enumerate(p_values) if not np.isnan(value))
    corrected, least = list(p_values), 0.0
    for rank, (value, place) in enumerate(tests):
        least = corrected[place] = max(least, min(1.0, (len(tests) - rank) * value))
    return corrected


def _matched(first: UserTerms, other: UserTerms) -> tuple[UserTerms, UserTerms]:
    """Return both with the users of either, in one order; a user adds 0 where a recommender does not have it."""
    labels, others = first.users.tolist(), other.users.tolist()
    if {type(label) for label in labels} != {type(label) for label in others}:
        labels, others = [str(label) for label in labels], [str(label) for label in others]
    place = {label: number for number, label in enumerate(dict.fromkeys([*labels, *others]))}
    users = np.array(list(place), dtype=object)
    return _placed(first, users, [place[each] for each in labels]), _placed(
        other, users, [place[each] for each in others]
    )


def _placed(terms: UserTerms, users: NDArray[Any], place: Sequence[int]) -> UserTerms:
    def moved(column: Floats) -> Floats:
        out = np.zeros(len(users))
        out[place] = column
        return out

    every = [MeanTerms(moved(t.numerator), moved(t.denominator), t.root, t.exponential) for t in terms.terms]
    return UserTerms(terms.definition, users, tuple(every))


def _differing(first: UserTerms, other: UserTerms) -> NDArray[np.bool_]:
    out = np.zeros(len(first.users), dtype=np.bool_)
    for one, two in zip(first.terms, other.terms, strict=True):
        out |= (one.numerator != two.numerator) | (one.denominator != two.denominator)
    return out


def _randomization_test(
    first: UserTerms, other: UserTerms, means: Sequence[float], exchanges: int, rng: np.random.Generator
) -> tuple[float, bool]:
    """Return the p-value, and whether every exchange was tried; only users who differ can change anything."""
    differing = _differing(first, other)
    one, two = _only(first, differing), _only(other, differing)
    same_one, same_two = _only(first, ~differing).terms, _only(other, ~differing).terms
    users = len(one.users)

    def differences(exchanged: Floats) -> Floats:
        kept = 1.0 - exchanged
        return _exchanged(two, one, kept, exchanged, same_two) - _exchanged(one, two, kept, exchanged, same_one)

    observed = means[1] - means[0]
    if np.isnan(observed):
        return np.nan, False
    bound = abs(observed) - _SAME * max(map(abs, means))
    exact = users < 60 and 2**users <= exchanges
    reached = tried = 0
    for block in _every_exchange(users) if exact else _drawn_exchanges(users, exchanges, rng):
        values = differences(block)
        values = values[~np.isnan(values)]
        reached, tried = reached + int((np.abs(values) >= bound).sum()), tried + len(values)
    if exact:
        return reached / tried, True
    # The observed assignment is one of the exchanges (Phipson & Smyth 2010).
    return (reached + 1) / (tried + 1), False


def _only(terms: UserTerms, keep: NDArray[np.bool_]) -> UserTerms:
    own = [MeanTerms(t.numerator[keep], t.denominator[keep], t.root, t.exponential) for t in terms.terms]
    return UserTerms(terms.definition, terms.users[keep], tuple(own))


def _exchanged(own: UserTerms, others: UserTerms, kept: Floats, taken: Floats, same: Sequence[MeanTerms]) -> Floats:
    """Return the means of one recommender with the results of exchanged users taken from the other."""
    joined = UserTerms(own.definition, np.concatenate([own.users, others.users]), tuple(
        MeanTerms(np.concatenate([a.numerator, b.numerator]), np.concatenate([a.denominator, b.denominator]),
                  a.root, a.exponential) for a, b in zip(own.terms, others.terms, strict=True)))  # fmt: skip
    return weighted_means(joined, np.concatenate([kept, taken], axis=1), same)


def _every_exchange(users: int) -> Iterator[Floats]:
    yield ((np.arange(2**users)[:, None] >> np.arange(users)) & 1).astype(np.float64)


def _drawn_exchanges(users: int, exchanges: int, rng: np.random.Generator) -> Iterator[Floats]:
    for size in block_sizes(2 * users, exchanges):
        yield rng.integers(0, 2, size=(size, users), dtype=np.int8).astype(np.float64)
