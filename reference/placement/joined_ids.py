"""Numbers for the ids of several cases, in which those of different cases are different numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Case, Ids
from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.space.lists import Ints


@dataclass(frozen=True, eq=False)
class JoinedIds:
    """Holds the numbers of the ids in the rows of some cases, one case after the other.

    Numbers of a case ascend as its ids do, and lie above those of the cases before. Of a single case, which may be
    large, the numbers are the ids.

    Attributes:
        predictions: The numbers in the rows of the predictions.
        truth: The numbers in the rows of the truth.
        train: The numbers in the rows of the train data.
        cases: The number of cases.
        known: All ids of all cases, ascending; empty for a single case.
    """

    predictions: Ints
    truth: Ints
    train: Ints
    cases: int
    known: Ids

    @staticmethod
    def of(cases: Sequence[Case], column: Literal["item", "user"], further: Ids) -> JoinedIds:
        """Give a number to each id in a column of some cases, and to further ids."""
        parts = [list(map(attrgetter(f"{part}.{column}"), cases)) for part in ("predictions", "truth", "train")]
        rows: list[Ids] = [own[0] if len(cases) == 1 else np.concatenate(own) for own in parts]
        if len(cases) == 1:
            return JoinedIds(rows[0], rows[1], rows[2], 1, np.empty(0, dtype=np.int64))
        known = distinct(*rows, further)
        found = [of_rows(own) * len(known) + np.searchsorted(known, ids) for own, ids in zip(parts, rows, strict=True)]
        return JoinedIds(found[0], found[1], found[2], len(cases), known)

    def number(self, case: Ints, ids: Ids) -> Ints:
        """Return the number of each id of a case."""
        return ids if self.cases == 1 else case * len(self.known) + np.searchsorted(self.known, ids)

    def case(self, numbers: Ints) -> Ints:
        """Return the case of each number."""
        return np.zeros(len(numbers), dtype=np.int64) if self.cases == 1 else numbers // max(1, len(self.known))

    def count(self, *columns: Ints) -> Ints:
        """Count the distinct numbers of some columns in each case."""
        return np.bincount(self.case(distinct(*columns)), minlength=self.cases).astype(np.int64)


def of_rows(columns: Sequence[NDArray[Any]]) -> Ints:
    """Return the number of the column that each row belongs to, for columns one after the other."""
    return np.repeat(np.arange(len(columns)), list(map(len, columns)))


def index_in(ascending: Ints, wanted: Ints) -> Ints:
    """Return the index of each wanted number among distinct ascending ones; -1 if it is not there."""
    place = np.searchsorted(ascending, wanted)
    found = place < len(ascending)
    found[found] = ascending[place[found]] == wanted[found]
    return np.where(found, place, -1)
