"""Merges the values of all users from blocks that hold some users each.

Sums over users are taken in ascending order of the users' ids, whatever blocks they came in: a mean is the same number,
to the last digit, as on all rows at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines import user_block
from recsys_metric_audit.reference.evaluation.prepared import InputRefusedError, UserTerms, Values
from recsys_metric_audit.reference.input.case import Floats, Ids
from recsys_metric_audit.reference.input.conversion import Labels
from recsys_metric_audit.reference.space.averaging import NOBODY, MeanTerms
from recsys_metric_audit.reference.space.lists import Ints

Where = Ints | slice
"""The places of some users among all."""


class MergedValues:
    """Collects blocks of ``users`` (ascending), each of whom has to be in one block.

    Columns are allocated once in their final size; equal ones of several definitions become one in the end.
    """

    def __init__(self, definitions: Sequence[Definition], users: Ids) -> None:
        self.definitions, self.users = tuple(definitions), users
        self._made: list[_Column | ValueError] = [_Column(each, len(users)) for each in definitions]
        self._filled = np.zeros(len(users), dtype=np.bool_)

    def add(self, block: user_block.BlockValues) -> None:
        """Add the values of a block; the first error with which a definition refuses a block is its result.

        Raises:
            ValueError: if a user is in an earlier block.
        """
        where = self._places(block.users)
        if self._filled[where].any():
            raise ValueError("a user is in two blocks")
        self._filled[where] = True
        user_block.add_parts(self._made, block, lambda column, part: column.fill(where, part))

    def results(self, labels: Labels | None = None) -> list[Values | ValueError]:
        """Return the values of each definition, or the error with which it refuses the data.

        Args:
            labels: The original id of user i at place i; None if ids are what was given.

        Raises:
            ValueError: if a user is in no block.
        """
        if not self._filled.all():
            raise ValueError(f"{np.count_nonzero(~self._filled):,} users are in no block")
        shared = _Shared()
        every = self.users if labels is None else labels[self.users]
        return [made if isinstance(made, ValueError) else made.result(every, shared) for made in self._made]

    def _places(self, users: Ids) -> Where:
        if not len(users):
            return slice(0, 0)
        place = np.searchsorted(self.users, users)
        first, last = int(place[0]), int(place[-1])
        return slice(first, last + 1) if last - first + 1 == len(place) else place


class _Column:
    """Holds one definition: a value for each user (0 for users who do not count), and what goes into the mean.

    A column of terms that follows from the values, as in :class:`~reference.engines.user_block.CompactTerms`, is None.
    """

    def __init__(self, definition: Definition, users: int) -> None:
        self.definition = definition
        self.values = np.zeros(users)
        self.counted = np.zeros(users, dtype=np.bool_)
        self.terms: list[user_block.CompactTerms] = []

    def fill(self, where: Where, part: user_block.PartialValues) -> None:
        """Put in the values of a block's users."""
        self.terms = self.terms or [
            user_block.CompactTerms(None, None, term.root, term.exponential) for term in part.terms
        ]
        size = len(part.values) if part.counted is None else len(part.counted)
        plain = user_block.scattered(part.values, part.counted, size)
        for number, term in enumerate(part.terms):
            own = self.terms[number]
            numerator, denominator = own.numerator, own.denominator
            # Users of earlier blocks have what follows from their values.
            if numerator is None and term.numerator is not None:
                numerator = self.values.copy()
            if denominator is None and term.denominator is not None:
                denominator = self.counted.astype(np.float64)
            if numerator is not None:
                numerator[where] = plain if term.numerator is None else term.numerator
            if denominator is not None:
                ones = 1.0 if part.counted is None else part.counted
                denominator[where] = ones if term.denominator is None else term.denominator
            self.terms[number] = user_block.CompactTerms(numerator, denominator, own.root, own.exponential)
        self.values[where] = plain
        self.counted[where] = True if part.counted is None else part.counted

    def result(self, users: NDArray[Any], shared: _Shared) -> Values | ValueError:
        """Return the values and their mean, or the error with which the definition refuses that nobody is left."""
        ones = shared.once(self.counted.astype(np.float64))
        terms = tuple(
            MeanTerms(self.values if term.numerator is None else term.numerator,
                      ones if term.denominator is None else shared.once(term.denominator), term.root, term.exponential)
            for term in self.terms or [user_block.CompactTerms(None, None, False, False)]
        )  # fmt: skip
        own = UserTerms(self.definition, users, terms)
        sums = [(_total(term.numerator), _total(term.denominator)) for term in terms]
        mean = mean_of_sums(own, sums, unvalued=bool(np.isnan(self.values[self.counted]).any()))
        if isinstance(mean, InputRefusedError):
            return mean
        if self.counted.all():
            return Values(self.definition, mean, users, self.values, own)
        return Values(self.definition, mean, shared.once(users[self.counted]), self.values[self.counted], own)


def mean_of_sums(
    terms: UserTerms, sums: Sequence[tuple[Floats, Floats]], *, unvalued: bool
) -> float | InputRefusedError:
    """Return the mean that follows from sums over all users, or the error with which the definition refuses nobody.

    Args:
        terms: What users add to the mean; their columns are not read.
        sums: Sums of numerators and of denominators, each of shape (1,), for each of the terms.
        unvalued: Whether a user who counts has no value.
    """
    definition = terms.definition
    mean = float(terms.mean_of_sums(sums)[0])
    unvalued = unvalued and definition.axes["pooling"] != "pooled"
    if np.isnan(mean) and not unvalued and any(top[0] == below[0] == 0 for top, below in sums):
        rule = definition.axes[NOBODY.name]
        return InputRefusedError(f"{definition}: nobody is left to be averaged") if rule == "error" else float(rule)
    return mean


class _Shared:
    """Holds each column once, however many definitions have an equal one."""

    def __init__(self) -> None:
        self._held: dict[bytes, NDArray[Any]] = {}

    def once(self, column: NDArray[Any]) -> NDArray[Any]:
        """Return the equal column that is held already, or else this one."""
        if column.dtype == object:
            return column
        key = hashlib.blake2b(np.ascontiguousarray(column).data, person=column.dtype.str.encode()).digest()
        return self._held.setdefault(key, column)


def _total(column: Floats) -> Floats:
    """Return the sum of a column, added up one by one as averaging does; shape (1,)."""
    one = np.broadcast_to(np.int64(0), column.shape)
    return np.asarray(np.bincount(one, weights=column, minlength=1), dtype=np.float64)
