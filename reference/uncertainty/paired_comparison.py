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
from recsys_metric_audit.reference.input.case import Bools
from recsys_metric_audit.reference.space.averaging import MeanTerms
from recsys_metric_audit.reference.space.lists import Floats
from recsys_metric_audit.reference.uncertainty.bootstrap import DRAWS, check_level, percentiles
from recsys_metric_audit.reference.uncertainty.drawn_means import (
    block_sizes,
    drawn_weights,
    weighted_means,
    weighted_sums,
)

EXCHANGES = 10_000
"""Exchanges that are drawn unless told otherwise; up to as many, all are tried."""

_EVERY = slice(None)
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
    pairs: Sequence[tuple[UserTerms, UserTerms]],
    level: float = 0.95,
    *,
    draws: int = DRAWS,
    exchanges: int = EXCHANGES,
    seed: int = 0,
) -> list[PairedComparison]:
    """Compare the means of each definition for two recommenders; all definitions see the same samples and exchanges.

    A user whom one of them leaves out adds nothing to its mean, and is exchanged like the others.

    Args:
        pairs: What each user adds to the mean of the first recommender and of the other one, for each definition; all
            of the same users, which are matched by id.
        level: Level of the interval of the difference.
        draws: Samples of users drawn for the interval.
        exchanges: Exchanges drawn for the p-value; where there are no more than these, all are tried.
        seed: Seed of the generator; one seed gives one result.

    Raises:
        ValueError: for a level that is not between 0 and 1, or a number below 1.
    """
    check_level(level, min(draws, exchanges))
    rng = np.random.default_rng(seed)
    tests = [_Test(*_matched(*pair)) for pair in pairs]
    users = len(tests[0].first.users) if tests else 0
    drawn: list[list[Floats]] = [[np.empty(0)] for _ in tests]
    for weights in drawn_weights(users, draws, rng) if users else ():
        for values, test in zip(drawn, tests, strict=True):
            values.append(weighted_means(test.other, weights) - weighted_means(test.first, weights))
    sampled = []
    for test in tests:
        differing = int(test.differing.sum())
        if differing < 60 and 2**differing <= exchanges:
            test.count(_every_exchange(differing), test.differing)
        else:
            # The observed assignment is one of the exchanges (Phipson & Smyth 2010).
            test.exact, test.reached, test.tried = False, 1, 1
            sampled.append(test)
    for block in _drawn_exchanges(users, exchanges, rng) if sampled else ():
        for test in sampled:
            test.count(block)
    return [
        PairedComparison(
            *test.means, percentiles(np.concatenate(values), level), test.p_value, test.exact and test.is_number, users,
            int(test.differing.sum()),
        )
        for test, values in zip(tests, drawn, strict=True)
    ]  # fmt: skip


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


class _Test:
    """Counts the exchanges of users between two recommenders that give a difference as large as the one observed."""

    def __init__(self, first: UserTerms, other: UserTerms) -> None:
        self.first, self.other = first, other
        ones = np.ones((1, len(first.users)))
        self.means = float(weighted_means(first, ones)[0]), float(weighted_means(other, ones)[0])
        self.differing = np.zeros(len(first.users), dtype=np.bool_)
        for one, two in zip(first.terms, other.terms, strict=True):
            self.differing |= (one.numerator != two.numerator) | (one.denominator != two.denominator)
        self.bound = abs(self.means[1] - self.means[0]) - _SAME * max(map(abs, self.means))
        self.exact, self.reached, self.tried = True, 0, 0

    @property
    def is_number(self) -> bool:
        """Return False where a recommender has no mean, so that there is nothing to compare."""
        return not np.isnan(self.bound)

    @property
    def p_value(self) -> float:
        """Return the share of exchanges; NaN where there is nothing to compare."""
        return self.reached / self.tried if self.is_number else np.nan

    def count(self, exchanged: Floats, own: Bools | slice = _EVERY) -> None:
        """Count a block of exchanges, each with a 1 for every user of ``own`` who is exchanged; others are not."""
        sums = [
            [_exchanged_sums(a, b, exchanged, own) for a, b in ((one.numerator, two.numerator),
                                                                (one.denominator, two.denominator))]
            for one, two in zip(self.first.terms, self.other.terms, strict=True)
        ]  # fmt: skip
        first, other = (
            each.mean_of_sums([(numerators[side], denominators[side]) for numerators, denominators in sums])
            for side, each in enumerate((self.first, self.other))
        )
        values = (other - first)[~np.isnan(other - first)]
        self.reached += int((np.abs(values) >= self.bound).sum())
        self.tried += len(values)


def _exchanged_sums(one: Floats, two: Floats, exchanged: Floats, own: Bools | slice) -> tuple[Floats, Floats]:
    """Return the sums of both recommenders over all users, in each exchange."""
    still = np.zeros(len(exchanged))
    if (one == two).all():
        return still + one.sum(), still + two.sum()
    if np.isinf(one).any() or np.isinf(two).any():  # infinite less infinite is no number
        taken = np.zeros((len(exchanged), len(one)))
        taken[:, own] = exchanged
        return (weighted_sums(1 - taken, one) + weighted_sums(taken, two),
                weighted_sums(1 - taken, two) + weighted_sums(taken, one))  # fmt: skip
    moved = exchanged @ (two - one)[own]
    return one.sum() + moved, two.sum() - moved


def _every_exchange(users: int) -> Floats:
    return ((np.arange(2**users)[:, None] >> np.arange(users)) & 1).astype(np.float64)


def _drawn_exchanges(users: int, exchanges: int, rng: np.random.Generator) -> Iterator[Floats]:
    for size in block_sizes(2 * users, exchanges):
        yield rng.integers(0, 2, size=(size, users), dtype=np.int8).astype(np.float64)
