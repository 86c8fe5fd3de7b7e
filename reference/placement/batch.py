"""The placements of many small cases made in one go, as if they were one case of many users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from recsys_metric_audit.reference.input.case import Case, Ids, Predictions, Train, Truth
from recsys_metric_audit.reference.input.distinct import distinct
from recsys_metric_audit.reference.placement.place import Placer
from recsys_metric_audit.reference.placement.placement import Placement
from recsys_metric_audit.reference.placement.row_selection import RowSelection
from recsys_metric_audit.reference.space.lists import Floats, Ints


def batch(cases: Sequence[Case]) -> SingleCase | CaseBatch:
    """Return what makes the placements of these cases: one case by itself, several at once."""
    return SingleCase(cases[0]) if len(cases) == 1 else CaseBatch.of(cases)


@dataclass(frozen=True, eq=False)
class SingleCase:
    """A case on its own, which may be large."""

    joined: Case

    @cached_property
    def _placer(self) -> Placer:
        return Placer(self.joined)

    def placement(self, inputs: RowSelection, *, stacked: bool) -> Placement:
        """Return the placement of the selected rows, with all users in one ranking if ``stacked``."""
        if inputs == RowSelection():
            return self._placer.stacked() if stacked else self._placer.per_user()
        placer = Placer(inputs.applied_to(self.joined))
        return placer.stacked() if stacked else replace(placer.per_user(), given=self._given)

    @cached_property
    def _given(self) -> Ints:
        """The number of rows of each user as given."""
        return _rows_of(self.joined, self._placer.users)

    def drops_users(self, inputs: RowSelection) -> bool:
        """Return True if one ranking of all rows would leave out some users."""
        return inputs.drops_users(self.joined, self._placer.users)


@dataclass(frozen=True, eq=False)
class CaseBatch:
    """Cases joined to one, in which the users of different cases are different users.

    User ``u`` of ``joined`` is user ``ids[u]`` of case ``of_case[u]``. ``catalogue`` (number of items that exist),
    ``threshold`` and the ends of the rating scale (``lowest``, ``highest``) belong to case ``of_case[u]``.
    """

    joined: Case
    ids: Ids
    of_case: Ints
    catalogue: Ints
    threshold: Floats
    lowest: Floats
    highest: Floats

    @staticmethod
    def of(cases: Sequence[Case]) -> CaseBatch:
        """Join the cases."""
        every = distinct(*(_ids(case) for case in cases))
        width = max(1, len(every))

        def keys(columns: Sequence[Ids]) -> Ints:
            number = np.repeat(np.arange(len(columns)), [len(column) for column in columns])
            return number * width + np.searchsorted(every, np.concatenate(columns))

        rec, truth, train = (
            keys([part.user for part in parts])
            for parts in (
                [case.predictions for case in cases], [case.truth for case in cases], [case.train for case in cases],
            )
        )  # fmt: skip
        known = distinct(rec, truth, keys([case.users for case in cases]))
        seen = np.isin(train, known)
        joined = Case(
            "cases side by side",
            Predictions(
                np.searchsorted(known, rec), np.concatenate([case.predictions.item for case in cases]),
                np.concatenate([case.predictions.score for case in cases]),
            ),
            Truth(
                np.searchsorted(known, truth), np.concatenate([case.truth.item for case in cases]),
                np.concatenate([case.truth.gain for case in cases]),
            ),
            Train(np.searchsorted(known, train[seen]), np.concatenate([case.train.item for case in cases])[seen]),
            users=np.arange(len(known)),
        )  # fmt: skip
        of_case = known // width
        items = [len(case.catalogue) or len(np.union1d(case.predictions.item, case.truth.item)) for case in cases]
        scale = np.array([case.scale for case in cases], dtype=np.float64)[of_case]
        return CaseBatch(
            joined, every[known % width], of_case, np.array(items, dtype=np.int64)[of_case],
            np.array([float(case.threshold) for case in cases])[of_case], scale[:, 0], scale[:, 1],
        )  # fmt: skip

    def placement(self, inputs: RowSelection, *, stacked: bool) -> Placement:
        """Return the placements of all cases, each as :meth:`SingleCase.placement` makes it, one after the other."""
        made = self.joined
        if inputs != RowSelection():
            made = inputs.applied_to(self.joined, self.threshold, self.of_case)
        return self._stacked(made) if stacked else self._per_user(made)

    def drops_users(self, inputs: RowSelection) -> bool:
        """Return True if one ranking of all rows would leave out some users of any case."""
        return inputs.drops_users(self.joined, self.joined.users, self.threshold)

    def _per_user(self, made: Case) -> Placement:
        return replace(
            Placer(made).per_user(), users=self.ids, given=_rows_of(self.joined, self.joined.users),
            catalogue=self.catalogue, threshold=self.threshold, lowest=self.lowest, highest=self.highest,
            case=self.of_case,
        )  # fmt: skip

    def _stacked(self, made: Case) -> Placement:
        """Place all rows of each case as one ranking of (user, item) pairs, which belongs to a user 0."""
        rec, truth, train = made.predictions, made.truth, made.train
        users = distinct(rec.user, truth.user, made.users).astype(np.int64)
        cases, first_user = np.unique(self.of_case[users], return_index=True)
        every, code = np.unique(np.concatenate([rec.item, truth.item]), return_inverse=True)
        owner = np.searchsorted(users, np.concatenate([rec.user, truth.user]))
        case = np.searchsorted(cases, self.of_case[users[owner]])
        items, item = np.unique(case * max(1, len(every)) + code, return_inverse=True)
        of_items = items // max(1, len(every))
        item = item - np.searchsorted(of_items, case)
        pair = (owner - first_user[case]) * np.bincount(of_items, minlength=len(cases))[case] + item
        rows = slice(0, len(rec.user)), slice(len(rec.user), None)
        one = Case(
            "cases side by side",
            Predictions(case[rows[0]], pair[rows[0]], rec.score),
            Truth(case[rows[1]], pair[rows[1]], truth.gain),
            users=np.arange(len(cases)),
        )
        first, of_user = users[first_user], np.searchsorted(cases, self.of_case[users])
        seen = np.isin(train.user, users)
        return replace(
            Placer(one).per_user(), users=np.zeros(len(cases), dtype=np.int64),
            train=np.bincount(np.searchsorted(cases, self.of_case[train.user[seen]]), minlength=len(cases)),
            catalogue=_sums(of_user, self.catalogue[users], len(cases)), threshold=self.threshold[first],
            lowest=self.lowest[first], highest=self.highest[first], case=cases,
        )  # fmt: skip


def _rows_of(case: Case, users: Ints) -> Ints:
    """Count the rows of each of ``users``, who are all users of the case in ascending order."""
    return np.bincount(np.searchsorted(users, case.predictions.user), minlength=len(users)).astype(np.int64)


def _ids(case: Case) -> Ids:
    return np.concatenate([case.predictions.user, case.truth.user, case.train.user, case.users])


def _sums(of: Ints, values: Ints, cases: int) -> Ints:
    out = np.zeros(cases, dtype=np.int64)
    np.add.at(out, of, values)
    return out
