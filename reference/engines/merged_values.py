"""The values of all users, merged from blocks that hold some users each.

Sums over users are taken in ascending order of the users' ids, whatever blocks they came in: a mean is the same number,
to the last digit, as on all rows at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reference.definitions.definition import Definition
from reference.engines.user_block import BlockValues, PartialValues, scattered
from reference.evaluation.prepared import InputRefusedError, UserTerms, Values
from reference.input.case import Floats, Ids
from reference.input.conversion import Labels
from reference.space.averaging import NOBODY, MeanTerms
from reference.space.lists import Bools, Ints


class MergedValues:
    """Collects blocks of users; no user may be in two of them.

    Equal columns of several definitions (who counts, for example) are held once.
    """

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self.definitions = tuple(definitions)
        self._users: list[Ids] = []
        self._parts: list[list[PartialValues | ValueError]] = [[] for _ in self.definitions]
        self._shared: dict[bytes, NDArray[Any]] = {}

    def add(self, block: BlockValues) -> None:
        """Add the values of a block."""
        self._users.append(block.users)
        for parts, part in zip(self._parts, block.parts, strict=True):
            parts.append(part)

    def results(self, labels: Labels | None = None) -> list[Values | ValueError]:
        """Return the values of each definition, or the error with which it refuses the data; empties this object.

        Args:
            labels: The original id of user i at place i; None if ids are what was given.

        Raises:
            ValueError: if a user is in two blocks.
        """
        users = np.concatenate([np.empty(0, dtype=np.int64), *self._users])
        self._users.clear()
        order = None
        if (users[1:] <= users[:-1]).any():
            order = np.argsort(users, kind="stable")
            users = users[order]
            if (users[1:] == users[:-1]).any():
                raise ValueError("a user is in two blocks")
        every = users if labels is None else labels[users]
        return [
            self._result(definition, parts, every, order)
            for definition, parts in zip(self.definitions, self._parts, strict=True)
        ]

    def _result(
        self, definition: Definition, parts: list[PartialValues | ValueError], users: NDArray[Any], order: Ints | None
    ) -> Values | ValueError:
        made = [part for part in parts if isinstance(part, PartialValues)]
        if len(made) < len(parts):
            return next(part for part in parts if isinstance(part, ValueError))
        parts.clear()
        sizes = [len(part.values) if part.counted is None else len(part.counted) for part in made]
        masks = [np.ones(size, np.bool_) if part.counted is None else part.counted
                 for part, size in zip(made, sizes, strict=True)]  # fmt: skip
        counted = self._once(_joined(masks, order, np.bool_))
        values = _joined([scattered(part.values, part.counted, size)
                          for part, size in zip(made, sizes, strict=True)], order)  # fmt: skip
        terms = tuple(self._terms(made, number, values, counted, order) for number in range(len(made[0].terms))
                      ) if made else (MeanTerms(values, values),)  # fmt: skip
        own = UserTerms(definition, users, terms)
        sums = [(_total(term.numerator), _total(term.denominator)) for term in terms]
        mean = float(own.mean_of_sums(sums)[0])
        unvalued = definition.axes["pooling"] != "pooled" and np.isnan(values[counted]).any()
        if np.isnan(mean) and not unvalued and any(top[0] == below[0] == 0 for top, below in sums):
            rule = definition.axes[NOBODY.name]
            if rule == "error":
                return InputRefusedError(f"{definition}: nobody is left to be averaged")
            mean = 0.0 if rule == "0" else mean
        if counted.all():
            return Values(definition, mean, users, values, own)
        return Values(definition, mean, self._once(users[counted]), values[counted], own)

    def _terms(
        self, parts: list[PartialValues], number: int, values: Floats, counted: Bools, order: Ints | None
    ) -> MeanTerms:
        own = [part.terms[number] for part in parts]
        numerator, denominator = values, None
        if any(term.numerator is not None for term in own):
            numerator = _joined([
                scattered(part.values, part.counted, len(part.values) if part.counted is None else len(part.counted))
                if term.numerator is None else term.numerator
                for part, term in zip(parts, own, strict=True)
            ], order)  # fmt: skip
        if any(term.denominator is not None for term in own):
            denominator = _joined([
                (np.ones(len(part.values)) if part.counted is None else part.counted.astype(np.float64))
                if term.denominator is None else term.denominator
                for part, term in zip(parts, own, strict=True)
            ], order)  # fmt: skip
        shared = self._once(counted.astype(np.float64) if denominator is None else denominator)
        return MeanTerms(numerator, shared, own[0].root, own[0].exponential)

    def _once(self, column: NDArray[Any]) -> NDArray[Any]:
        """Return the equal column that is held already, if there is one."""
        if column.dtype == object:
            return column
        key = hashlib.blake2b(np.ascontiguousarray(column).data, person=column.dtype.str.encode()).digest()
        return self._shared.setdefault(key, column)


def _joined(columns: Sequence[NDArray[Any]], order: Ints | None, dtype: Any = np.float64) -> NDArray[Any]:
    joined: NDArray[Any] = np.concatenate([np.empty(0, dtype=dtype), *columns])
    return joined if order is None else joined[order]


def _total(column: Floats) -> Floats:
    """Return the sum of a column, added up one by one as averaging does; shape (1,)."""
    one = np.broadcast_to(np.int64(0), column.shape)
    return np.asarray(np.bincount(one, weights=column, minlength=1), dtype=np.float64)
