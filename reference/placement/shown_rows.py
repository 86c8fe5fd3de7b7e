"""From predictions and train data to the items that lists show, for metrics that do not read what is relevant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from reference.input.case import Case, Ids
from reference.input.distinct import distinct, first_of_runs
from reference.input.grouped_rows import expand_ranges
from reference.input.item_numbers import IdIndex
from reference.placement.placement import Placement
from reference.placement.ranked_rows import RankedRows, compare_neighbours, rank_rows
from reference.placement.train_rows import train_items
from reference.space.lists import Bools, Ints
from reference.space.shown_items import CaseSizes, ShownItems
from reference.space.train_items import TrainItems


@dataclass(frozen=True, eq=False)
class ItemsOfCases:
    """Cases with what is counted of their items and users once, whatever a definition ranks.

    ``placement`` gives the order of the users; ``joined`` is the only case, or all in which users are numbered so.
    """

    cases: Sequence[Case]
    placement: Placement
    joined: Case

    @cached_property
    def items(self) -> tuple[Ids, ...]:
        """The recommended items of each case, ascending."""
        return tuple(index.distinct for index in self._recommended)

    @cached_property
    def _recommended(self) -> tuple[IdIndex, ...]:
        return tuple(IdIndex.of(case.predictions.item) for case in self.cases)

    @cached_property
    def sizes(self) -> CaseSizes:
        """The counts of each case."""
        columns = zip(*map(_sizes, self.cases, self.items), strict=True)
        return CaseSizes(*(np.array(column, dtype=np.int64) for column in columns))

    def acting(self, values: Mapping[str, str]) -> dict[str, str]:
        """Return ``values`` with every axis that changes nothing here at its canonical value.

        No rule of ties acts without ties, none of repeats without repeats; rows that stand by score are in one order.
        """
        out = {**values, "duplicates": values["duplicates"] if self._have_repeats else "counted"}
        if out["truth_duplicates"] != "counted" or not (self.placement.copy > 0).any():
            out["truth_duplicates"] = "once"
        if self._stand_by_score and (not self._have_ties or out["ties"] == "given"):
            out["order"] = "score"
        if out["order"] == "rows" or not self._have_ties:
            out["ties"] = "given"
        return out

    @cached_property
    def _have_repeats(self) -> bool:
        return bool(self.placement.repeats.any())

    @cached_property
    def _stand_by_score(self) -> bool:
        return not self._neighbours[0]

    @cached_property
    def _have_ties(self) -> bool:
        return self._neighbours[1] if self._stand_by_score else compare_neighbours(self.joined, by_score=True)[1]

    @cached_property
    def _neighbours(self) -> tuple[bool, bool]:
        return compare_neighbours(self.joined)

    def ranked(self, values: Mapping[str, str]) -> RankedRows:
        """Return all rows, ranked under the order axes in ``values``."""
        by_rows = values["order"] == "rows" or (self._stand_by_score and values["ties"] == "given")
        ranked = rank_rows(self.joined, values, by_rows=by_rows, has_repeats=self._have_repeats)
        if len(self.cases) == 1:
            return replace(ranked, user=self._user_index(0, ranked.user))
        return replace(ranked, item=self._code(np.repeat(ranked.user, np.diff(ranked.start)), ranked.item))

    def _code(self, user: Ints, item: Ids) -> Ints:
        """Return the index, among the recommended items of all cases, of each item in a list of a user."""
        every, keys = self._keys
        return np.searchsorted(keys, self.placement.case[user] * len(every) + np.searchsorted(every, item))

    @cached_property
    def _keys(self) -> tuple[Ids, Ints]:
        """Return all recommended items, and an ascending key of each case and item recommended in it."""
        every, case = distinct(*self.items), np.repeat(np.arange(len(self.cases)), list(map(len, self.items)))
        return every, case * len(every) + np.searchsorted(every, np.concatenate(self.items))

    def shown(self, rows: RankedRows, k: Ints, values: Mapping[str, str]) -> ShownItems:
        """Return what the lists show down to the cut-off of each case; -1 is the whole list.

        Args:
            rows: All rows, ranked under ``values``.
            k: The cut-off of each case.
            values: Values of the axes ``duplicates``, ``truth_duplicates`` and ``cutoff``.
        """
        placement = self.placement
        length = np.zeros(len(placement), dtype=np.int64)
        length[rows.user] = np.diff(rows.start)
        cut = np.where((k[placement.case] < 0) | (values["cutoff"] == "none"), length, k[placement.case])
        rows_shown = np.minimum(length, cut)[rows.user]
        of_list, row = expand_ranges(rows.start[:-1], rows_shown)
        if values["duplicates"] == "first_in_place" and rows.again is not None:
            once = ~rows.again[row]
            of_list, row = of_list[once], row[once]
        user, item, rank = rows.user[of_list], rows.item[row], row - rows.start[of_list] + 1
        if len(self.cases) == 1:
            item = self._recommended[0].code(item)
        if values["truth_duplicates"] == "counted":
            of_row = np.repeat(np.arange(len(user)), np.maximum(self._truth_rows(user, item), 1))
            user, item, rank = user[of_row], item[of_row], rank[of_row]
        judged, relevant = self._in_truth(user, item)
        had, in_truth, train_item = self._of_items
        return ShownItems(
            user, item, rank, judged, relevant,
            np.repeat(np.arange(len(self.cases)), list(map(len, self.items))), had, in_truth, train_item,
            placement.case, cut, placement.truth_rows, self._liked, placement.train > 0, *self._liked_pairs, self.sizes,
            self.train,
        )  # fmt: skip

    @cached_property
    def train(self) -> TrainItems:
        """Return the train data of all cases."""
        return train_items(self.cases, self.placement, self._train_ids)

    @cached_property
    def _train_ids(self) -> tuple[Ids, ...]:
        return tuple(distinct(case.train.item) for case in self.cases)

    @cached_property
    def _of_items(self) -> tuple[Ints, Bools, Ints]:
        """Count the train rows of each recommended item, tell if the truth has it, and find it among train items."""
        pairs = list(zip(self.cases, self.items, strict=True))
        had = np.concatenate([_count(case.train.item, items) for case, items in pairs])
        in_truth = np.concatenate([np.isin(items, case.truth.item) for case, items in pairs])
        first = np.cumsum([0, *map(len, self._train_ids)])
        places = [np.searchsorted(ids, items) for ids, items in zip(self._train_ids, self.items, strict=True)]
        numbers = np.concatenate([place + start for place, start in zip(places, first[:-1], strict=True)])
        return had, in_truth, np.where(had > 0, numbers, -1)

    @cached_property
    def _liked(self) -> Ints:
        """Count the relevant truth rows of each user."""
        relevant = (
            self._user_index(number, case.truth.user[case.truth.gain >= case.threshold])
            for number, case in enumerate(self.cases)
        )
        return np.bincount(np.concatenate(list(relevant)), minlength=len(self.placement)).astype(np.int64)

    @cached_property
    def _liked_pairs(self) -> tuple[Ints, Ints]:
        """Return every pair of a user and a relevant item once, the item as a train item, -1 if it is none."""
        first = np.cumsum([0, *map(len, self._train_ids)])
        users, items = [], []
        for number, (case, ids) in enumerate(zip(self.cases, self._train_ids, strict=True)):
            liked = case.truth.gain >= case.threshold
            owner, item = self._user_index(number, case.truth.user[liked]), case.truth.item[liked]
            every = distinct(item)
            pairs = distinct(owner * len(every) + np.searchsorted(every, item))
            user, code = np.divmod(pairs, max(1, len(every)))
            place = np.searchsorted(ids, every[code])
            users.append(user)
            items.append(np.where(np.append(ids, -1)[place] == every[code], place + first[number], -1))
        return np.concatenate(users), np.concatenate(items)

    @cached_property
    def _truth_pairs(self) -> tuple[Ints, Bools]:
        """Return an ascending number for each truth row whose item is recommended, and whether it is relevant."""
        first_item = np.cumsum([0, *map(len, self.items)])
        numbers, relevant = [], []
        for number, (case, items) in enumerate(zip(self.cases, self.items, strict=True)):
            known = np.isin(case.truth.item, items)
            user = self._user_index(number, case.truth.user[known])
            item = np.searchsorted(items, case.truth.item[known]) + first_item[number]
            numbers.append(self._pair_numbers(user, item))
            relevant.append(case.truth.gain[known] >= case.threshold)
        every, gains = np.concatenate(numbers), np.concatenate(relevant)
        order = np.lexsort((~gains, every))  # of a pair that stands there twice, the row that is relevant comes first
        return every[order], gains[order]

    def _user_index(self, number: int, users: Ids) -> Ints:
        """Return the index of some users of one case."""
        first = np.searchsorted(self.placement.case, number)
        own = self.placement.users[self.placement.case == number]
        return np.asarray(np.searchsorted(own, users) + first, dtype=np.int64)

    def _truth_rows(self, user: Ints, item: Ints) -> Ints:
        """Count the rows that the user's truth has of the item of each row."""
        numbers, wanted = self._truth_pairs[0], self._pair_numbers(user, item)
        return np.searchsorted(numbers, wanted, side="right") - np.searchsorted(numbers, wanted)

    def _pair_numbers(self, user: Ints, item: Ints) -> Ints:
        """Return a number for each pair of a user and a recommended item."""
        return user * (sum(map(len, self.items)) + 1) + item

    def _in_truth(self, user: Ints, item: Ints) -> tuple[Bools, Bools]:
        """Tell which rows the user's truth has, and which of them are relevant."""
        numbers, relevant = self._truth_pairs
        wanted = self._pair_numbers(user, item)
        place = np.searchsorted(numbers, wanted)
        judged = np.append(numbers, -1)[place] == wanted
        return judged, judged & np.append(relevant, False)[place]


def _count(column: Ids, items: Ids) -> Ints:
    """Count how often each item stands in a column."""
    ordered = np.sort(column)
    ends = np.searchsorted(ordered, items, side="right")
    return (ends - np.searchsorted(ordered, items)).astype(np.int64)


def _sizes(case: Case, recommended: Ids) -> tuple[int, ...]:
    """Return the counts of one case, in the order of :class:`~reference.space.shown_items.CaseSizes`."""
    rec, truth, train = case.predictions, case.truth, case.train
    known = distinct(recommended, train.item)
    catalogue = len(case.catalogue) or len(distinct(recommended, truth.item, train.item))
    _, rows = np.unique(train.item, return_counts=True)
    return (
        catalogue, len(rows), len(distinct(truth.item)), len(known), len(distinct(train.user)),
        len(distinct(truth.user)), len(distinct(rec.user[first_of_runs(rec.user)], truth.user, train.user)),
        len(train.item), int(rows.max(initial=0)), int(rows.min(initial=len(train.item))),
    )  # fmt: skip
