"""Merges blocks of some users each into the means of all users; of the users' values only sums are kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.merged_values import mean_of_sums
from recsys_metric_audit.reference.engines.user_block import BlockValues, PartialValues, add_parts, scattered
from recsys_metric_audit.reference.evaluation.prepared import UserTerms
from recsys_metric_audit.reference.input.case import Floats
from recsys_metric_audit.reference.space.averaging import MeanTerms
from recsys_metric_audit.reference.space.lists import Bools


class MergedMeans:
    """Collects blocks of users, each of whom has to be in one block; users are added up in the order of the blocks."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._made: list[_Sums | ValueError] = [_Sums(each) for each in definitions]

    def add(self, block: BlockValues) -> None:
        """Add the values of a block; the first error with which a definition refuses a block is its result."""
        add_parts(self._made, block, _Sums.add)

    def results(self) -> list[float | ValueError]:
        """Return the mean of each definition, or the error with which it refuses the data."""
        return [made if isinstance(made, ValueError) else made.mean() for made in self._made]


class _Sums:
    """Adds up what users add to the mean of one definition."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._terms: tuple[MeanTerms, ...] = (MeanTerms(_NOTHING, _NOTHING),)
        self._sums: list[tuple[Floats, Floats]] = []
        self._unvalued = False

    def add(self, part: PartialValues) -> None:
        """Add the users of a block."""
        users = len(part.values) if part.counted is None else len(part.counted)
        plain, ones = scattered(part.values, part.counted, users), _as_numbers(part.counted, users)
        self._terms = tuple(MeanTerms(_NOTHING, _NOTHING, term.root, term.exponential) for term in part.terms)
        self._sums = [
            (
                _added(top, plain if term.numerator is None else term.numerator),
                _added(below, ones if term.denominator is None else term.denominator),
            )
            for (top, below), term in zip(self._sums or [(_ZERO, _ZERO)] * len(part.terms), part.terms, strict=True)
        ]
        self._unvalued = self._unvalued or bool(np.isnan(part.values).any())

    def mean(self) -> float | ValueError:
        """Return the mean, or the error with which the definition refuses that nobody is left."""
        terms = UserTerms(self._definition, _NOTHING, self._terms)
        return mean_of_sums(terms, self._sums or [(_ZERO, _ZERO)], unvalued=self._unvalued)


_NOTHING, _ZERO = np.empty(0), np.zeros(1)


def _as_numbers(counted: Bools | None, users: int) -> Floats:
    """Return 1 for each user who counts and 0 for others; all count where no mask is given."""
    return np.ones(users) if counted is None else counted.astype(np.float64)


def _added(total: Floats, column: Floats) -> Floats:
    """Add a column to a total, one number after the other; shape (1,)."""
    return np.cumsum(np.concatenate([total, column]))[-1:]
