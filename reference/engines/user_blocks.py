"""Cuts a case into blocks of users: all rows of some users, with their truth and train data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.engines.rows_by_user import RowsByUser
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case, Ids, Predictions, Train, Truth
from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.input.grouped_rows import GroupedRows
from recsys_metric_audit.reference.input.item_numbers import IdIndex

BLOCK = 1 << 17
"""Users and truth rows in a block; tables with no more are evaluated as a whole."""

Rows = tuple[Ids, Ids, NDArray[Any]]
"""Users, items and scores of some rows."""


class UserBlocks:
    """Adds truth and train data to the predictions of some users, and finds the users who have none.

    Args:
        case: Truth, train data, threshold, scale and ``catalogue`` of all users; its predictions are not read.
    """

    def __init__(self, case: Case) -> None:
        self._case = replace(case, name="data", predictions=Predictions())
        self._true = RowsByUser.of(case.truth.user, case.truth.item, case.truth.gain)
        self._seen = RowsByUser.of(case.train.user, case.train.item)

    @property
    def matched(self) -> int:
        """Return how many users of the truth have been in a block."""
        return int(np.count_nonzero(self._true.asked))

    def block(self, rows: Rows, users: Ids) -> Case:
        """Return the case of some users (ascending), of whom ``rows`` are all predictions."""
        return replace(
            self._case, predictions=Predictions(*rows), truth=Truth(*self._true.take(users)),
            train=Train(*self._seen.take(users)),
        )  # fmt: skip

    def unlisted(self) -> Iterator[Case]:
        """Yield blocks of the users who have truth rows and were in no block, ``BLOCK`` of them at a time."""
        empty = np.empty(0, dtype=np.int64)
        for users in self._true.unasked(BLOCK):
            yield self.block((empty, empty, np.empty(0)), users)


def has_many_users(case: Case) -> bool:
    """Return True if a case is evaluated a block of users at a time: users named beside its rows are in no block."""
    return len(case.truth.user) > BLOCK and not len(case.users)


def blocks_of(case: Case) -> Iterator[Case]:
    """Yield a case in blocks of about ``BLOCK`` users and truth rows; each user of its rows is in one block."""
    catalogue = case.catalogue if len(case.catalogue) else IdIndex.of(case.predictions.item, case.truth.item).distinct
    # Where a row stood among those of other users, only a ranking of all rows asks.
    rows, truth = replace(GroupedRows.of(case.predictions), list_as_given=None), case.truth.user
    users = len(distinct(rows.user, truth))
    blocks = UserBlocks(replace(case, catalogue=catalogue))
    size = max(1, BLOCK * users // (users + len(truth)))
    for first in range(0, len(rows.user), size):
        bound, own = rows.start[first : first + size + 1], rows.user[first : first + size]
        here = slice(bound[0], bound[-1])
        yield blocks.block((np.repeat(own, np.diff(bound)), rows.item[here], rows.score[here]), np.sort(own))
    yield from blocks.unlisted()


def parts_of(problem: Problem) -> Iterator[Problem]:
    """Yield a problem of one case in parts with all rows of some users each; as it is if it has few users."""
    (case,), (k,) = problem.cases, problem.k
    if has_many_users(case):
        yield from (Problem((block,), (k,)) for block in blocks_of(case))
    else:
        yield problem
