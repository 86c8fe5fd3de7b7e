"""Placing: from predictions and truth to a placement.

The rows are read block by block to find those that matter: rows of relevant pairs, and rows of pairs that stand
several times. Everything else is only counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reference.input.case import Case
from reference.input.grouped_rows import Found, Rows, find, occurrence
from reference.input.item_numbers import Items
from reference.placement.placement import Placement
from reference.placement.rank_counts import Standing, over_all, per_list

Ints = NDArray[np.int64]


def place(case: Case, *, stacked: bool = False) -> Placement:
    """The placement of a case; ``stacked`` treats all rows of all users as one ranking of (user, item) pairs.

    Users are all that occur in predictions or truth, in ascending order of id.

    Raises:
        ValueError: if a score is NaN (it has no place in any order).
    """
    search = Search(case)
    return search.stacked() if stacked else search.per_user()


@dataclass(frozen=True, eq=False)
class Search:
    """What both placements of a case share: the rows grouped by user, and where the truth's pairs stand in them."""

    case: Case

    @cached_property
    def rows(self) -> Rows:
        """The recommended rows by user."""
        rows = Rows.of(self.case.predictions)
        try:
            _ = rows.rising
        except ValueError as error:
            raise ValueError(f"case {self.case.name}: {error}") from None
        return rows

    @cached_property
    def items(self) -> Items:
        """Items of predictions and truth."""
        return Items.of(self.case.predictions.item, self.case.truth.item)

    @cached_property
    def users(self) -> Ints:
        """Users of predictions and truth, and those that the case names beside them."""
        with_rows = np.union1d(self.rows.user, self.case.truth.user)
        return np.union1d(with_rows, self.case.users).astype(np.int64)

    @cached_property
    def user_of_list(self) -> Ints:
        """Index of the user of each list of ``rows``."""
        return np.searchsorted(self.users, self.rows.user).astype(np.int64)

    @cached_property
    def truth_user(self) -> Ints:
        """Index of the user of each truth row."""
        return np.searchsorted(self.users, self.case.truth.user).astype(np.int64)

    @cached_property
    def truth_pair(self) -> Ints:
        """Each truth row's pair as a number."""
        return self.truth_user * len(self.items) + self.items.code(self.case.truth.item)

    @cached_property
    def found(self) -> Found:
        """Where the truth's pairs stand in ``rows``."""
        list_of_user = np.full(len(self.users), -1, dtype=np.int64)
        list_of_user[self.user_of_list] = np.arange(len(self.user_of_list))
        return find(self.rows, self.items, list_of_user[self.truth_user], self.case.truth.item)

    @cached_property
    def asked(self) -> Ints:
        """Every row that matters, ascending."""
        return np.union1d(self.found.row, self.found.again).astype(np.int64)

    @cached_property
    def train(self) -> Ints:
        """Train rows of each user."""
        user = self.case.train.user
        index = np.searchsorted(self.users, user)
        known = index < len(self.users)
        known[known] = self.users[index[known]] == user[known]
        return np.bincount(index[known], minlength=len(self.users)).astype(np.int64)

    @cached_property
    def catalogue(self) -> Ints:
        """Number of items that exist, for each user."""
        return np.full(len(self.users), len(self.case.catalogue) or len(self.items), dtype=np.int64)

    def pair(self, row: Ints) -> Ints:
        """The pair in each row as a number."""
        user = self.user_of_list[self.rows.list_of(row)]
        return user * len(self.items) + self.items.code(self.rows.item[row])

    def per_user(self) -> Placement:
        """Every user's list is one ranking."""
        row_list = self.rows.list_of(self.asked)
        length = np.zeros(len(self.users), dtype=np.int64)
        length[self.user_of_list] = np.diff(self.rows.start)
        return self._placement(
            per_list(self.rows, self.items, self.asked), self.asked - self.rows.start[row_list],
            self.user_of_list[row_list], self.truth_user, self.case.truth.item.astype(np.int64),
            _PerUser(self.users, length, self.train, self.catalogue),
        )  # fmt: skip

    def stacked(self) -> Placement:
        """All rows together are one ranking of pairs, as of one user 0."""
        one = min(1, len(self.users))
        zeros, sums = np.zeros(one, dtype=np.int64), [len(self.rows.item), self.train.sum(), self.catalogue.sum()]
        length, train, catalogue = (np.full(one, number, dtype=np.int64) for number in sums)
        return self._placement(
            over_all(self.rows, self.pair, len(self.users) * len(self.items), self.asked), self.rows.number(self.asked),
            np.zeros(len(self.asked), dtype=np.int64), np.zeros_like(self.truth_user), self.truth_pair,
            _PerUser(zeros, length, train, catalogue),
        )  # fmt: skip

    def _placement(
        self, standing: Standing, row: Ints, user: Ints, truth_user: Ints, truth_item: Ints, per_user: _PerUser
    ) -> Placement:
        """Put together; ``row`` and ``user`` are those of the rows asked for."""
        repeat = np.zeros(len(self.asked), dtype=np.int64)
        if len(self.found.again):
            repeat = _repeats(standing.above + standing.before, user, self.pair(self.asked))
        absent = np.ones(len(truth_user), dtype=np.bool_)
        absent[self.found.sought] = False
        unlisted = np.flatnonzero(absent)
        number = np.concatenate([self.found.sought, unlisted])
        spot = np.concatenate([np.searchsorted(self.asked, self.found.row), np.full(len(unlisted), -1)])

        def of(column: Ints) -> Ints:
            out: Ints = np.append(column, -1)[spot]
            return out

        order = np.lexsort((number, of(row), truth_user[number]))
        number, spot = number[order], spot[order]
        users, case = len(per_user.users), self.case
        score = np.append(self.rows.score[self.asked].astype(np.float64), np.nan)[spot]
        return Placement(
            user=truth_user[number], item=truth_item[number], gain=case.truth.gain[number].astype(np.float64),
            score=score, row=of(row), truth_row=occurrence(truth_user)[number],
            above=of(standing.above), tied=of(standing.tied), before=of(standing.before),
            before_item=of(standing.before_item), before_text=of(standing.before_text),
            repeat=of(repeat), copy=occurrence(self.truth_pair)[number],
            users=per_user.users, length=per_user.length,
            repeats=np.bincount(user[repeat > 0], minlength=users).astype(np.int64),
            truth_rows=np.bincount(truth_user, minlength=users).astype(np.int64),
            train=per_user.train, catalogue=per_user.catalogue, threshold=np.full(users, float(case.threshold)),
            lowest=np.full(users, float(case.scale[0])), highest=np.full(users, float(case.scale[1])),
            case=np.zeros(users, dtype=np.int64),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _PerUser:
    users: Ints
    length: Ints
    train: Ints
    catalogue: Ints


def _repeats(position: Ints, user: Ints, pair: Ints) -> Ints:
    """How often each row's pair stood earlier, from the place of the row in the ranking of its user."""
    order = np.lexsort((position, user))
    out = np.empty(len(order), dtype=np.int64)
    out[order] = occurrence(pair[order])
    return out
