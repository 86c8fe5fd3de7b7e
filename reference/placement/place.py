"""From predictions and truth to a placement.

The rows are read block by block to find the few that matter (``targets``): rows of pairs that the truth lists, and
rows of pairs that occur several times. All others are only counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.input.distinct import BLOCK, distinct
from recsys_metric_audit.reference.input.grouped_rows import GroupedRows, PairMatches, earlier_copies, find_pairs
from recsys_metric_audit.reference.input.item_numbers import IdIndex
from recsys_metric_audit.reference.input.ordering import order_by
from recsys_metric_audit.reference.input.rows_error import RowsError
from recsys_metric_audit.reference.placement.placement import Placement
from recsys_metric_audit.reference.placement.rank_counts import (
    RankCounts,
    counts_over_all,
    counts_per_list,
    first_place,
)
from recsys_metric_audit.reference.space.lists import Ints


def place(case: Case, *, stacked: bool = False) -> Placement:
    """Return the placement of a case; ``stacked`` takes all rows of all users as one ranking of (user, item) pairs.

    Users are all that occur in predictions or truth, in ascending order of id.

    Raises:
        ValueError: if a score is NaN (it has no place in any order).
    """
    placer = Placer(case)
    return placer.stacked() if stacked else placer.per_user()


@dataclass(frozen=True, eq=False)
class Placer:
    """A case with what its two placements share: the rows grouped by user, and where the truth's pairs stand."""

    case: Case

    @cached_property
    def rows(self) -> GroupedRows:
        """The recommended rows grouped by user."""
        rows = GroupedRows.of(self.case.predictions)
        try:
            _ = rows.unsorted
        except RowsError as error:
            raise RowsError(f"case {self.case.name}: {error}") from None
        return rows

    @cached_property
    def items(self) -> IdIndex:
        """The items of predictions and truth."""
        return IdIndex.of(self.case.predictions.item, self.case.truth.item)

    @cached_property
    def users(self) -> Ints:
        """Return the users of predictions and truth, and the users that the case names beside them."""
        return distinct(self.rows.user, self.case.truth.user, self.case.users).astype(np.int64)

    @cached_property
    def user_of_list(self) -> Ints:
        """The index in ``users`` of the user of each list in ``rows``."""
        return np.searchsorted(self.users, self.rows.user).astype(np.int64)

    @cached_property
    def truth_user(self) -> Ints:
        """The index in ``users`` of the user of each truth row."""
        return np.searchsorted(self.users, self.case.truth.user).astype(np.int64)

    @cached_property
    def truth_pair(self) -> Ints:
        """The (user, item) pair of each truth row as a number."""
        return self.truth_user * len(self.items) + self.items.code(self.case.truth.item)

    @cached_property
    def matches(self) -> PairMatches:
        """The rows in which the truth's pairs stand."""
        list_of_user = np.full(len(self.users), -1, dtype=np.int64)
        list_of_user[self.user_of_list] = np.arange(len(self.user_of_list))
        return find_pairs(self.rows, self.items, list_of_user[self.truth_user], self.case.truth.item)

    @cached_property
    def targets(self) -> Ints:
        """Every row whose rank is needed, ascending."""
        return distinct(self.matches.row, self.matches.repeated)

    @cached_property
    def train(self) -> Ints:
        """The number of train rows of each user."""
        user = self.case.train.user
        index = np.searchsorted(self.users, user)
        known = index < len(self.users)
        known[known] = self.users[index[known]] == user[known]
        return np.bincount(index[known], minlength=len(self.users)).astype(np.int64)

    @cached_property
    def catalogue(self) -> Ints:
        """The number of items that exist, for each user."""
        return np.full(len(self.users), len(self.case.catalogue) or len(self.items), dtype=np.int64)

    @cached_property
    def at_half(self) -> Ints:
        """The number of rows of each user with a score of 0.5 and more."""
        rows, out = self.rows, np.zeros(len(self.users), dtype=np.int64)
        low, high = rows.start[:-1], rows.start[1:]
        count = first_place(rows.score, low, high, np.full(len(low), 0.5), past=True) - low
        for first, last in rows.blocks(BLOCK) if rows.unsorted.any() else ():
            bound = rows.start[first : last + 1]
            high_scores = rows.score[bound[0] : bound[-1]] >= 0.5
            count[first:last] = np.add.reduceat(high_scores, bound[:-1] - bound[0], dtype=np.int64)
        out[self.user_of_list] = count
        return out

    def pair(self, row: Ints) -> Ints:
        """Return the (user, item) pair of each row as a number."""
        user = self.user_of_list[self.rows.list_of(row)]
        return user * len(self.items) + self.items.code(self.rows.item[row])

    def per_user(self) -> Placement:
        """Place every user's list as a ranking of its own."""
        row_list = self.rows.list_of(self.targets)
        length = np.zeros(len(self.users), dtype=np.int64)
        length[self.user_of_list] = np.diff(self.rows.start)
        return self._placement(
            counts_per_list(self.rows, self.items, self.targets), self.targets - self.rows.start[row_list],
            self.user_of_list[row_list], self.truth_user, self.case.truth.item.astype(np.int64),
            _PerUser(self.users, length, self.train, self.catalogue, self.at_half),
        )  # fmt: skip

    def stacked(self) -> Placement:
        """Place all rows together as one ranking of pairs, which belongs to a user 0."""
        one = min(1, len(self.users))
        zeros = np.zeros(one, dtype=np.int64)
        sums = [len(self.rows.item), self.train.sum(), self.catalogue.sum(), self.at_half.sum()]
        length, train, catalogue, at_half = (np.full(one, number, dtype=np.int64) for number in sums)
        return self._placement(
            counts_over_all(self.rows, self.pair, len(self.users) * len(self.items), self.targets),
            self.rows.given_number(self.targets),
            np.zeros(len(self.targets), dtype=np.int64), np.zeros_like(self.truth_user), self.truth_pair,
            _PerUser(zeros, length, train, catalogue, at_half),
        )  # fmt: skip

    def _placement(
        self, counts: RankCounts, row: Ints, user: Ints, truth_user: Ints, truth_item: Ints, per_user: _PerUser
    ) -> Placement:
        """Assemble the placement; ``row`` and ``user`` describe the ``targets``."""
        repeat = np.zeros(len(self.targets), dtype=np.int64)
        if len(self.matches.repeated):
            repeat = _repeats(counts.above + counts.before, user, self.pair(self.targets))
        absent = np.ones(len(truth_user), dtype=np.bool_)
        absent[self.matches.sought] = False
        unlisted = np.flatnonzero(absent)
        number = np.concatenate([self.matches.sought, unlisted])
        spot = np.concatenate([np.searchsorted(self.targets, self.matches.row), np.full(len(unlisted), -1)])

        def of(column: Ints) -> Ints:
            out: Ints = np.append(column, -1)[spot]
            return out

        order = order_by(truth_user[number], of(row), number)
        number, spot = number[order], spot[order]
        users, case = len(per_user.users), self.case
        score = np.append(self.rows.score[self.targets].astype(np.float64), np.nan)[spot]
        return Placement(
            user=truth_user[number], item=truth_item[number], gain=case.truth.gain[number].astype(np.float64),
            score=score, row=of(row), truth_row=earlier_copies(truth_user)[number],
            above=of(counts.above), tied=of(counts.tied), before=of(counts.before),
            before_item=of(counts.before_item), before_text=of(counts.before_text),
            repeat=of(repeat), copy=earlier_copies(self.truth_pair)[number],
            users=per_user.users, length=per_user.length, given=per_user.length,
            repeats=np.bincount(user[repeat > 0], minlength=users).astype(np.int64),
            truth_rows=np.bincount(truth_user, minlength=users).astype(np.int64),
            train=per_user.train, catalogue=per_user.catalogue, threshold=np.full(users, float(case.threshold)),
            lowest=np.full(users, float(case.scale[0])), highest=np.full(users, float(case.scale[1])),
            at_half=per_user.at_half, case=np.zeros(users, dtype=np.int64),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _PerUser:
    users: Ints
    length: Ints
    train: Ints
    catalogue: Ints
    at_half: Ints


def _repeats(position: Ints, user: Ints, pair: Ints) -> Ints:
    """Count how often each row's pair came earlier in the ranking of its user (``position``)."""
    order = order_by(user, position)
    out = np.empty(len(order), dtype=np.int64)
    out[order] = earlier_copies(pair[order])
    return out
