"""The items that lists show, with what train data and catalogue say of them: what formulas beyond accuracy read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from recsys_metric_audit.reference.space.lists import Bools, Floats, Ints
from recsys_metric_audit.reference.space.train_items import TrainItems, spans


@dataclass(frozen=True, eq=False)
class CaseSizes:
    """Counts of each case; all arrays have shape (cases,).

    ``catalogue``: items that exist; ``train``, ``truth``: distinct items of the train data and of the truth; ``known``:
    items of the train data or recommended in any row; ``train_users``, ``truth_users``: users with rows there;
    ``all_users``: users of predictions, truth or train data; ``train_rows``: rows of the train data; ``most``,
    ``fewest``: train rows of the item that has the most, and of that which has the fewest.
    """

    catalogue: Ints
    train: Ints
    truth: Ints
    known: Ints
    train_users: Ints
    truth_users: Ints
    all_users: Ints
    train_rows: Ints
    most: Ints
    fewest: Ints


@dataclass(frozen=True, eq=False)
class ShownItems:
    """The rows that the lists of all users of some cases show, after order, cut-off and repeats are settled.

    Per shown row, by user and rank: ``user`` (index), ``item`` (index), 1-based ``rank``, ``judged`` (the user's truth
    has the item), ``relevant`` (and with a gain from the threshold up). Per item: ``case_of_item``, ``had`` (its train
    rows: the users who have it), ``in_truth``, ``train_item`` (its index in ``train``; -1 without train rows). Per
    user: ``case_of_user``, cut-off ``k`` (the list's length without one), ``rated`` (truth rows), ``liked`` (those that
    are relevant), ``trained`` (has train rows). Per pair of a user and a relevant item, shown or not: ``liked_user``
    and ``liked_item`` (its index in ``train``; -1 without train rows). Items of different cases are different items.
    """

    user: Ints
    item: Ints
    rank: Ints
    judged: Bools
    relevant: Bools
    case_of_item: Ints
    had: Ints
    in_truth: Bools
    train_item: Ints
    case_of_user: Ints
    k: Ints
    rated: Ints
    liked: Ints
    trained: Bools
    liked_user: Ints
    liked_item: Ints
    sizes: CaseSizes
    train: TrainItems

    @cached_property
    def shown(self) -> Ints:
        """The number of rows that each user is shown, shape (users,)."""
        return np.bincount(self.user, minlength=len(self.case_of_user)).astype(np.int64)

    @cached_property
    def times(self) -> Ints:
        """The number of rows that show each item, shape (items,)."""
        return np.bincount(self.item, minlength=len(self.case_of_item)).astype(np.int64)

    @property
    def cases(self) -> int:
        """The number of cases."""
        return len(self.sizes.catalogue)

    @property
    def train_case(self) -> Ints:
        """Return the number of the case of each train item."""
        return np.repeat(np.arange(self.cases), self.sizes.train)

    def only(self, users: Bools) -> ShownItems:
        """Return the rows of some users only, given as a mask."""
        keep, liked = users[self.user], users[self.liked_user]
        rows = {name: getattr(self, name)[keep] for name in ("user", "item", "rank", "judged", "relevant")}
        rows |= {name: getattr(self, name)[liked] for name in ("liked_user", "liked_item")}
        return replace(self, **rows)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Return every two rows of a list, as the places of the one above and of the one below."""
        begin = np.searchsorted(self.user, self.user)
        above = np.arange(len(self.user)) - begin
        return spans(begin, above), np.repeat(np.arange(len(self.user)), above)

    @cached_property
    def common_in_pairs(self) -> Ints:
        """Count the users who have both items of each of the ``pairs``."""
        upper, lower = self.pairs
        return self.train.common(self.train_item[self.item[upper]], self.train_item[self.item[lower]])

    @cached_property
    def in_history(self) -> Bools:
        """Tell which rows show what the user has."""
        return self.has(self.user, self.train_item[self.item])

    @cached_property
    def held(self) -> tuple[Ints, Ints]:
        """Return every pair of a user and a train item that the user has."""
        past = self.train.history_start
        return np.repeat(np.arange(len(past) - 1), np.diff(past)), self.train.history

    def has(self, user: Ints, train_item: Ints) -> Bools:
        """Tell of some pairs of a user and a train item, or item -1, whether the user has the item."""
        (owner, item), items = self.held, len(self.train.start)
        return np.isin(user * items + train_item, owner * items + item) & (train_item >= 0)

    @cached_property
    def likeness_to_history(self) -> Floats:
        """Return the mean cosine of each row's item and the items that the user has; NaN without any."""
        had = np.diff(self.train.history_start)[self.user]
        row = np.repeat(np.arange(len(self.user)), had)
        past = self.train.history[spans(self.train.history_start[self.user], had)]
        item = self.train_item[self.item[row]]
        norm = np.sqrt(self.train.users(item) * self.train.users(past))
        cosine = self.train.common(item, past) / np.maximum(norm, 1)
        total = _sums(row, cosine, len(self.user))
        mean: Floats = np.divide(total, had, out=np.full(len(had), np.nan), where=had > 0)
        return mean

    def of_user(self, values: Floats | Bools) -> Floats:
        """Sum values, one a shown row, over each user; shape (users,)."""
        return _sums(self.user, values, len(self.case_of_user))

    def of_case(self, values: Floats | Ints | Bools) -> Floats:
        """Sum values, one an item, over each case; shape (cases,)."""
        return _sums(self.case_of_item, values, self.cases)

    def sum_of_users(self, values: Floats | Ints | Bools) -> Floats:
        """Sum values, one a user, over each case; a mask is counted. Shape (cases,)."""
        return _sums(self.case_of_user, values, self.cases)


def _sums(of: Ints, values: Floats | Ints | Bools, count: int) -> Floats:
    return np.asarray(np.bincount(of, weights=values.astype(np.float64), minlength=count), dtype=np.float64)
