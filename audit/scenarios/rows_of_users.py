"""Finds the rows of a user in a table, whatever the order of its rows."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.reference.input.case import Ids


class RowsOfUsers:
    """Provides the positions of each user's rows, in the order in which they stand."""

    def __init__(self, user: Ids) -> None:
        self._order = np.argsort(user, kind="stable")
        self._sorted = user[self._order]

    def of(self, user: int) -> Ids:
        """Return the positions of a user's rows; none for a user who has no row."""
        first, last = np.searchsorted(self._sorted, [user, user + 1])
        rows: Ids = self._order[first:last]
        return rows
