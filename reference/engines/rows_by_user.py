"""Holds rows in memory and finds them by user: truth and train data beside predictions that are read in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Ids
from recsys_metric_audit.reference.input.distinct import first_of_runs
from recsys_metric_audit.reference.input.grouped_rows import expand_ranges
from recsys_metric_audit.reference.space.lists import Bools, Ints


@dataclass(frozen=True, eq=False)
class RowsByUser:
    """Holds columns in ascending order of their users; rows of user ``users[i]`` are ``start[i]:start[i + 1]``.

    Rows of one user keep the order in which they were given. ``asked`` marks the users whose rows were taken.
    """

    users: Ids
    start: Ints
    columns: tuple[NDArray[Any], ...]
    asked: Bools

    @staticmethod
    def of(user: Ids, *columns: NDArray[Any]) -> RowsByUser:
        """Put rows in the order of their users; columns in this order already are not copied."""
        if (user[1:] < user[:-1]).any():
            order = np.argsort(user, kind="stable")
            user, columns = user[order], tuple(column[order] for column in columns)
        start = np.flatnonzero(first_of_runs(user))
        users = user[start]
        return RowsByUser(users, np.append(start, len(user)), columns, np.zeros(len(users), dtype=np.bool_))

    def take(self, users: Ids) -> tuple[NDArray[Any], ...]:
        """Return the rows of some users as columns, the first one the user's id."""
        index = np.searchsorted(self.users, users)
        known = index < len(self.users)
        known[known] = self.users[index[known]] == users[known]
        own = index[known]
        self.asked[own] = True
        first = self.start[own]
        size = self.start[own + 1] - first
        _, row = expand_ranges(first, size)
        return np.repeat(self.users[own], size), *(column[row] for column in self.columns)

    def unasked(self, size: int) -> Iterator[Ids]:
        """Yield the users whose rows were never taken, ``size`` of them at a time."""
        left = self.users[~self.asked]
        for first in range(0, len(left), size):
            yield left[first : first + size]
