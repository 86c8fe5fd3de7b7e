"""Cases together: the placements of many small cases made in one go, as if they were one case of many users."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reference.input.case import Case, Ids, Predictions, Train, Truth
from reference.placement.place import Search
from reference.placement.placement import Placement
from reference.placement.row_selection import Inputs

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def together(cases: Sequence[Case]) -> Alone | Together:
    """What places these cases: one large case by itself, many small ones at once."""
    return Alone(cases[0]) if len(cases) == 1 else Together.of(cases)


@dataclass(frozen=True, eq=False)
class Alone:
    """One case."""

    case: Case

    @cached_property
    def _search(self) -> Search:
        return Search(self.case)

    def placement(self, inputs: Inputs, *, stacked: bool) -> Placement:
        """The placement of the rows that ``inputs`` leaves, as one ranking of all users where ``stacked``."""
        search = self._search if inputs == Inputs() else Search(inputs.made(self.case))
        return search.stacked() if stacked else search.per_user()

    def drops_users(self, inputs: Inputs) -> bool:
        """Whether one ranking leaves out some users."""
        return inputs.drops_users(self.case, self._search.users)


@dataclass(frozen=True, eq=False)
class Together:
    """Cases as one: its user ``u`` is the user ``ids[u]`` of case ``of[u]``, with the items that exist there
    (``catalogue``), the ``threshold`` and the ends of the scale (``lowest``, ``highest``) of that case."""

    joined: Case
    ids: Ids
    of_case: Ints
    catalogue: Ints
    threshold: Floats
    lowest: Floats
    highest: Floats

    @staticmethod
    def of(cases: Sequence[Case]) -> Together:
        """The cases side by side, each with its own users."""
        every = np.unique(np.concatenate([_ids(case) for case in cases]))
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
        known = np.unique(np.concatenate([rec, truth, keys([case.users for case in cases])]))
        seen = np.isin(train, known)
        joined = Case(
            "cases together",
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
        return Together(
            joined, every[known % width], of_case, np.array(items, dtype=np.int64)[of_case],
            np.array([float(case.threshold) for case in cases])[of_case], scale[:, 0], scale[:, 1],
        )  # fmt: skip

    def placement(self, inputs: Inputs, *, stacked: bool) -> Placement:
        """The placements of all cases, one after the other, as :meth:`Alone.placement` gives each."""
        made = self.joined
        if inputs != Inputs():
            made = inputs.made(self.joined, self.threshold, self.of_case)
        return self._stacked(made) if stacked else self._per_user(made)

    def drops_users(self, inputs: Inputs) -> bool:
        """Whether one ranking leaves out some users of any case."""
        return inputs.drops_users(self.joined, self.joined.users, self.threshold)

    def _per_user(self, made: Case) -> Placement:
        return replace(
            Search(made).per_user(), users=self.ids, catalogue=self.catalogue, threshold=self.threshold,
            lowest=self.lowest, highest=self.highest, case=self.of_case,
        )  # fmt: skip

    def _stacked(self, made: Case) -> Placement:
        """All rows of a case are one ranking of its pairs, as of one user 0; pairs are numbered as in one case."""
        rec, truth, train = made.predictions, made.truth, made.train
        users = np.union1d(np.union1d(rec.user, truth.user), made.users).astype(np.int64)
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
            "cases together",
            Predictions(case[rows[0]], pair[rows[0]], rec.score),
            Truth(case[rows[1]], pair[rows[1]], truth.gain),
            users=np.arange(len(cases)),
        )
        first, of_user = users[first_user], np.searchsorted(cases, self.of_case[users])
        seen = np.isin(train.user, users)
        return replace(
            Search(one).per_user(), users=np.zeros(len(cases), dtype=np.int64),
            train=np.bincount(np.searchsorted(cases, self.of_case[train.user[seen]]), minlength=len(cases)),
            catalogue=_sums(of_user, self.catalogue[users], len(cases)), threshold=self.threshold[first],
            lowest=self.lowest[first], highest=self.highest[first], case=cases,
        )  # fmt: skip


def _ids(case: Case) -> Ids:
    return np.concatenate([case.predictions.user, case.truth.user, case.train.user, case.users])


def _sums(of: Ints, values: Ints, cases: int) -> Ints:
    out = np.zeros(cases, dtype=np.int64)
    np.add.at(out, of, values)
    return out
