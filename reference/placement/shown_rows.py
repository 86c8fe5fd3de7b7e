"""From predictions and train data to the items that lists show, for metrics that do not read what is relevant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.input.distinct import distinct, first_of_runs
from recsys_metric_audit.reference.input.grouped_rows import expand_ranges
from recsys_metric_audit.reference.input.item_numbers import IdIndex
from recsys_metric_audit.reference.placement.joined_ids import JoinedIds, index_in, of_rows
from recsys_metric_audit.reference.placement.placement import Placement
from recsys_metric_audit.reference.placement.ranked_rows import RankedRows, compare_neighbours, rank_rows
from recsys_metric_audit.reference.placement.train_rows import train_items
from recsys_metric_audit.reference.space.lists import Bools, Ints
from recsys_metric_audit.reference.space.shown_items import CaseSizes, ShownItems
from recsys_metric_audit.reference.space.train_items import TrainItems


@dataclass(frozen=True, eq=False)
class ItemsOfCases:
    """Cases with what is counted of their items and users once, whatever a definition ranks.

    ``placement`` gives the order of the users; ``joined`` is the only case, or all in which users are numbered so.
    """

    cases: Sequence[Case]
    placement: Placement
    joined: Case

    @cached_property
    def _items(self) -> JoinedIds:
        return JoinedIds.of(self.cases, "item", np.empty(0, dtype=np.int64))

    @cached_property
    def _users(self) -> JoinedIds:
        return JoinedIds.of(self.cases, "user", self.placement.users)

    @cached_property
    def _placed(self) -> Ints:
        """Return the number of each user of the placement."""
        return self._users.number(self.placement.case, self.placement.users)

    @cached_property
    def _recommended(self) -> IdIndex:
        """Return the recommended items, each with its index."""
        return IdIndex.of(self._items.predictions)

    @cached_property
    def _trained(self) -> Ints:
        """Return the numbers of the train items, ascending."""
        return distinct(self._items.train)

    @cached_property
    def _relevant(self) -> Bools:
        """Tell which truth rows are relevant."""
        if len(self.cases) == 1:
            return np.asarray(self.cases[0].truth.gain >= self.cases[0].threshold)
        gains = [case.truth.gain for case in self.cases]
        thresholds = np.array([case.threshold for case in self.cases], dtype=np.float64)
        return np.asarray(np.concatenate(gains) >= thresholds[of_rows(gains)])

    @cached_property
    def sizes(self) -> CaseSizes:
        """The counts of each case."""
        items, users, number = self._items, self._users, np.arange(len(self.cases))
        listed = np.array([len(case.catalogue) for case in self.cases], dtype=np.int64)
        first, last = (np.searchsorted(items.case(self._trained), number, side) for side in ("left", "right"))
        rows = np.bincount(np.searchsorted(self._trained, items.train), minlength=len(self._trained)).astype(np.int64)
        train_rows = np.array([len(case.train.item) for case in self.cases], dtype=np.int64)
        most, fewest = np.zeros(len(number), dtype=np.int64), train_rows.copy()
        if (has := first < last).any():
            most[has] = np.maximum.reduceat(rows, first[has])
            fewest[has] = np.minimum.reduceat(rows, first[has])
        recommended = self._recommended.distinct
        found = listed if listed.all() else items.count(recommended, items.truth, self._trained)
        return CaseSizes(
            catalogue=np.where(listed > 0, listed, found),
            train=last - first, truth=items.count(items.truth), known=items.count(recommended, self._trained),
            train_users=users.count(users.train), truth_users=users.count(users.truth),
            all_users=users.count(users.predictions[first_of_runs(users.predictions)], users.truth, users.train),
            train_rows=train_rows, most=most, fewest=fewest,
        )  # fmt: skip

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
        if len(self.cases) > 1:  # users of joined cases are indices
            return ranked
        return replace(ranked, user=np.searchsorted(self.placement.users, ranked.user))

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
        item = self._recommended.code(self._items.number(placement.case[user], item))
        if values["truth_duplicates"] == "counted":
            of_row = np.repeat(np.arange(len(user)), np.maximum(self._truth_rows(user, item), 1))
            user, item, rank = user[of_row], item[of_row], rank[of_row]
        judged, relevant = self._in_truth(user, item)
        had, in_truth, train_item = self._of_items
        return ShownItems(
            user, item, rank, judged, relevant, self._items.case(self._recommended.distinct), had, in_truth, train_item,
            placement.case, cut, placement.truth_rows, self._liked, placement.train > 0, *self._liked_pairs, self.sizes,
            self.train,
        )  # fmt: skip

    @cached_property
    def train(self) -> TrainItems:
        """Return the train data of all cases."""
        return train_items(self._items, self._users, self._trained, self._placed)

    @cached_property
    def _of_items(self) -> tuple[Ints, Bools, Ints]:
        """Count the train rows of each recommended item, tell if the truth has it, and find it among train items."""
        items = self._recommended.distinct
        return (_count(self._items.train, items), np.isin(items, self._items.truth), index_in(self._trained, items))

    @cached_property
    def _truth_user(self) -> Ints:
        """Return the index of the user of each truth row."""
        return np.searchsorted(self._placed, self._users.truth)

    @cached_property
    def _liked(self) -> Ints:
        """Count the relevant truth rows of each user."""
        return np.bincount(self._truth_user[self._relevant], minlength=len(self.placement)).astype(np.int64)

    @cached_property
    def _liked_pairs(self) -> tuple[Ints, Ints]:
        """Return every pair of a user and a relevant item once, the item as a train item, -1 if it is none."""
        owner, item = self._truth_user[self._relevant], self._items.truth[self._relevant]
        every = distinct(item)
        user, code = np.divmod(distinct(owner * len(every) + np.searchsorted(every, item)), max(1, len(every)))
        return user, index_in(self._trained, every[code])

    @cached_property
    def _truth_pairs(self) -> tuple[Ints, Bools]:
        """Return an ascending number for each truth row whose item is recommended, and whether it is relevant."""
        items = self._recommended.distinct
        known = np.isin(self._items.truth, items)
        number = self._pair_numbers(self._truth_user[known], np.searchsorted(items, self._items.truth[known]))
        relevant = self._relevant[known]
        # Of a pair that stands there twice, the row that is relevant comes first.
        order = np.lexsort((~relevant, number))
        return number[order], relevant[order]

    def _truth_rows(self, user: Ints, item: Ints) -> Ints:
        """Count the rows that the user's truth has of the item of each row."""
        numbers, wanted = self._truth_pairs[0], self._pair_numbers(user, item)
        return np.searchsorted(numbers, wanted, side="right") - np.searchsorted(numbers, wanted)

    def _pair_numbers(self, user: Ints, item: Ints) -> Ints:
        """Return a number for each pair of a user and a recommended item."""
        return user * (len(self._recommended) + 1) + item

    def _in_truth(self, user: Ints, item: Ints) -> tuple[Bools, Bools]:
        """Tell which rows the user's truth has, and which of them are relevant."""
        numbers, relevant = self._truth_pairs
        wanted = self._pair_numbers(user, item)
        place = np.searchsorted(numbers, wanted)
        judged = np.append(numbers, -1)[place] == wanted
        return judged, judged & np.append(relevant, False)[place]


def _count(column: Ints, items: Ints) -> Ints:
    """Count how often each item stands in a column."""
    ordered = np.sort(column)
    ends = np.searchsorted(ordered, items, side="right")
    return (ends - np.searchsorted(ordered, items)).astype(np.int64)
