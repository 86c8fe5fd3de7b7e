"""The steps of an evaluation protocol, each of which turns a case into another case.

Numbers are drawn by a hash of seed, user and item: the order of rows and the release of numpy play no part. The hash is
the finalizer of splitmix64 (Steele, Lea & Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014, Figure
16), applied to one key after the other.

For sampled candidates, all relevant items of a user and the drawn ones stand in one list, in the order that the
recommender gave them (the target sets of Cañamares & Castells, On Target Item Sampling in Offline Recommender System
Evaluation, RecSys 2020). After ``leave_one_out`` that is one relevant item among n others, as in He et al., Neural
Collaborative Filtering, WWW 2017; drawing by popularity instead: Dallmann, Zoller & Hotho, A Case Study on Sampling
Strategies for Evaluating Neural Sequential Item Recommendation Models, RecSys 2021. What it does to metrics: Krichene &
Rendle, On Sampled Metrics for Item Recommendation, KDD 2020.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.data.dataset import are_among, pair_keys, rows_of
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.input.case import Case, Floats, Ids, Predictions, Train
from recsys_metric_audit.reference.input.distinct import distinct


@dataclass(frozen=True, eq=False)
class Applied:
    """Holds what a scenario makes of a case.

    Attributes:
        case: The case. Where the lists do not tell everything, the one with the lowest values of ranking metrics.
        highest: The case with the highest values of ranking metrics; None where the lists tell everything.
        notes: What a reader of the values should know, in sentences.
    """

    case: Case
    highest: Case | None = None
    notes: tuple[str, ...] = ()


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def uniform(seed: int, user: Ids, item: Ids) -> Floats:
    """Return a number between 0 and 1, neither of them, for each pair of user and item.

    Args:
        seed: Of the draw, 0 or more.
        user: Ids of users; one id stands for all items.
        item: Ids of items.
    """
    mixed = _mixed(np.array([seed], dtype=np.uint64))
    for keys in (user, item):
        mixed = _mixed(mixed ^ np.atleast_1d(np.asarray(keys)).astype(np.uint64))
    numbers: Floats = ((mixed >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return numbers


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return splitmix64's next output of each state."""
    z: NDArray[np.uint64] = state + _GOLDEN
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    last: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return last


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


@dataclass(frozen=True)
class LeaveOneOut:
    """Keep one drawn relevant item of each user; the others count as seen, and are recommended no more.

    A recommender that is trained for leave-one-out would have learned from them: this one did not.
    """

    drawn = True
    needs_train = False
    words = "Of each user one relevant item is held out, drawn; the others count as train items."

    def apply(self, case: Case, seed: int, *, with_train: bool) -> Applied:
        """Return the case in which each user has one relevant item."""
        truth, lists = case.truth, case.predictions
        order = np.lexsort((truth.item, -uniform(seed, truth.user, truth.item), truth.user))
        kept = np.zeros(len(order), dtype=np.bool_)
        kept[order[np.unique(truth.user[order], return_index=True)[1]]] = True
        if kept.all():
            return Applied(case, None, ("Every user has one relevant item already.",))
        others = rows_of(truth, ~kept)
        listed, moved = pair_keys([(lists.user, lists.item), (others.user, others.item)])
        train = Train(np.append(case.train.user, others.user), np.append(case.train.item, others.item))
        lists = rows_of(lists, ~are_among(listed, moved))
        return Applied(replace(case, truth=rows_of(truth, kept), train=train, predictions=lists))


@dataclass(frozen=True)
class RelevanceThreshold:
    """Keep the held-out items whose gain is ``gain`` or more; the others are candidates like any other."""

    gain: float

    drawn = False
    needs_train = False

    @property
    def words(self) -> str:
        """Return a sentence on what the step does."""
        return f"Relevant are held-out items of gain {self.gain:g} or more."

    def apply(self, case: Case, seed: int, *, with_train: bool) -> Applied:
        """Return the case whose truth has no lower gain.

        Raises:
            UserError: if no gain is that high.
        """
        highest = float(case.truth.gain.max(initial=-np.inf))
        if highest < self.gain:
            raise UserError(f"no held-out item has a gain of {self.gain:g} or more", f"the highest is {highest:g}")
        kept = case.truth.gain >= self.gain
        if kept.all():
            return Applied(replace(case, threshold=self.gain), None, ("No held-out item has a lower gain.",))
        return Applied(replace(case, truth=rows_of(case.truth, kept), threshold=self.gain))


@dataclass(frozen=True)
class TrainFiltered:
    """Leave out recommended items that are in the user's train data."""

    drawn = False
    needs_train = True
    words = "Recommended items that the user has in the train data are left out."

    def apply(self, case: Case, seed: int, *, with_train: bool) -> Applied:
        """Return the case without predicted rows of train items."""
        lists, train = case.predictions, case.train
        listed, seen = pair_keys([(lists.user, lists.item), (train.user, train.item)])
        kept = ~are_among(listed, seen)
        gone = int(np.count_nonzero(~kept))
        if not gone:
            return Applied(case, None, ("No predicted row is a train item of its user: they were filtered already.",))
        if gone == len(listed):
            raise UserError("every predicted row is a train item of its user", "check that --train is the train file")
        note = f"{gone:,} of {len(listed):,} predicted rows are train items of their users."
        return Applied(replace(case, predictions=rows_of(lists, kept)), None, (note,))


@dataclass(frozen=True)
class UsersCapped:
    """Keep ``number`` drawn users of those who have held-out items; the train data stay whole."""

    number: int

    drawn = True
    needs_train = False

    @property
    def words(self) -> str:
        """Return a sentence on what the step does."""
        return f"Users that are evaluated, drawn: {self.number:,}."

    def apply(self, case: Case, seed: int, *, with_train: bool) -> Applied:
        """Return the case of the drawn users.

        Raises:
            UserError: if there are fewer users.
        """
        users = np.unique(case.truth.user)
        if len(users) < self.number:
            raise UserError(
                f"only {len(users):,} users have held-out items", f"name {len(users):,} or fewer, or leave it out"
            )
        chosen = users[np.argsort(uniform(seed, users, np.zeros(1, dtype=np.int64)), kind="stable")[: self.number]]
        lists = rows_of(case.predictions, are_among(case.predictions.user, chosen))
        truth = rows_of(case.truth, are_among(case.truth.user, chosen))
        users = case.users[are_among(case.users, chosen)]
        return Applied(replace(case, predictions=lists, truth=truth, users=users))


Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class SampledCandidates:
    """Keep each user's relevant items and ``number`` drawn others, uniformly or by their number of train rows.

    Others are drawn without replacement among the items that are neither relevant to the user nor in the user's train
    data. A drawn item without a score stands below the list, and so does a relevant one: where a user has both, their
    order is not known, and the values have bounds.
    """

    number: int
    by_popularity: bool = False

    drawn = True

    @property
    def needs_train(self) -> bool:
        """Return True if popularity decides: it is counted in the train data."""
        return self.by_popularity

    @property
    def words(self) -> str:
        """Return a sentence on what the step does."""
        how = "by their number of train rows" if self.by_popularity else "uniformly"
        return f"Candidates of a user: the relevant items and {self.number:,} others, drawn {how}."

    def apply(self, case: Case, seed: int, *, with_train: bool) -> Applied:
        """Return the case in which each list holds its relevant items and the drawn ones.

        Raises:
            UserError: if no user has as many other candidates, or if lists lack candidates and there is no train data
                to tell which of them the user had seen.
        """
        sampling = _Sampling(self, case, seed, with_train)
        parts = [sampling.of_user(user) for user in distinct(case.predictions.user).tolist()]
        if not with_train and (lacking := sum(part.unscored for part in parts)):
            raise UserError(
                f"{lacking:,} of {len(parts):,} lists do not rank every item, and without train data nobody can tell"
                " which of the others the user had seen",
                "add --train FILE, or write predictions with a score for every item",
            )
        most = max((part.pool for part in parts), default=0)
        if most < self.number:
            fewer = f"draw fewer: at most {most:,}" if most else "write predictions that rank all items"
            raise UserError(f"no user has {self.number:,} irrelevant candidates; the most are {most:,}", fewer)
        low = _with_rows(case, [part.lowest for part in parts])
        open_order = any(part.highest is not part.lowest for part in parts)
        high = _with_rows(case, [part.highest for part in parts]) if open_order else None
        return Applied(low, high, tuple(_notes(parts, self.number)))


@dataclass(frozen=True, eq=False)
class _Part:
    """Holds one user's rows: ``lowest`` and ``highest`` are one object where the order of all of them is known."""

    lowest: Predictions
    highest: Predictions
    pool: int
    unscored: bool
    appended: int
    taken: int


class _Sampling:
    """Provides the rows of each user under one seed."""

    def __init__(self, chosen: SampledCandidates, case: Case, seed: int, with_train: bool) -> None:
        self.chosen, self.seed, self.lists = chosen, seed, case.predictions
        # With train data, an item that is neither trained on nor listed for anybody cannot be recommended.
        known = [case.predictions.item, case.train.item] if with_train else [case.catalogue, case.predictions.item]
        self.items = np.unique(np.concatenate(known))
        self.weight = _popularity(case, self.items) if chosen.by_popularity else np.ones(len(self.items))
        self.listed, self.listed_at = RowsOfUsers(case.predictions.user), self._places(case.predictions.item)
        self.truth, self.true_at = RowsOfUsers(case.truth.user), self._places(case.truth.item)
        self.train, self.seen_at = RowsOfUsers(case.train.user), self._places(case.train.item)

    def of_user(self, user: int) -> _Part:
        """Return the rows of a user who has a list."""
        rows = self.listed.of(user)
        relevant = self._among(self.true_at[self.truth.of(user)])
        seen = self._among(self.seen_at[self.train.of(user)])
        listed = self._among(self.listed_at[rows])
        pool = ~relevant & ~seen & (self.weight > 0)
        drawn = self._drawn(user, pool)
        kept = rows[(relevant | drawn)[self.listed_at[rows]]]
        others, missed = self.items[drawn & ~listed], self.items[relevant & ~listed & ~seen]
        first = (user, self.lists.item[kept], self.lists.score[kept])
        low = _below(*first, np.concatenate([others, missed]))
        high = _below(*first, np.concatenate([missed, others])) if len(others) and len(missed) else low
        unscored = bool((pool & ~listed).any())
        return _Part(low, high, int(pool.sum()), unscored, len(others), int(drawn.sum()))

    def _places(self, ids: Ids) -> Ids:
        """Return where each item stands among those that can be recommended; one past the end where it does not."""
        place = np.searchsorted(self.items, ids)
        found: Ids = np.where(self.items[np.minimum(place, len(self.items) - 1)] == ids, place, len(self.items))
        return found

    def _among(self, places: Ids) -> Mask:
        """Tell for each item that can be recommended whether it is one of those at `places`."""
        mask = np.zeros(len(self.items) + 1, dtype=np.bool_)
        mask[places] = True
        return mask[:-1]

    def _drawn(self, user: int, pool: Mask) -> Mask:
        """Draw from the pool: the highest of u ** (1 / weight) (Efraimidis & Spirakis 2006), or all if they are few."""
        chosen = np.flatnonzero(pool)
        keys = np.log(uniform(self.seed, np.array([user]), self.items[chosen])) / self.weight[chosen]
        if len(chosen) > self.chosen.number:
            chosen = chosen[np.argpartition(-keys, self.chosen.number - 1)[: self.chosen.number]]
        drawn = np.zeros(len(self.items), dtype=np.bool_)
        drawn[chosen] = True
        return drawn


def _popularity(case: Case, items: Ids) -> Floats:
    """Return the number of train rows of each item."""
    known, counts = np.unique(case.train.item, return_counts=True)
    place = np.minimum(np.searchsorted(known, items), len(known) - 1)
    return np.where(known[place] == items, counts[place], 0).astype(np.float64)


def _below(user: int, item: Ids, score: Floats, added: Ids) -> Predictions:
    """Return the rows of a user with further items below them, in the order given."""
    lowest = float(score.min(initial=0.0))
    step = 1.0 + abs(lowest)
    scores = np.concatenate([score, lowest - step * np.arange(1, len(added) + 1)])
    items = np.concatenate([item, added])
    return Predictions(np.full(len(items), user, dtype=np.int64), items, scores)


def _with_rows(case: Case, parts: list[Predictions]) -> Case:
    """Return the case with other predictions, put together from those of its users."""
    columns = (np.concatenate([getattr(part, name) for part in parts]) for name in ("user", "item", "score"))
    return replace(case, predictions=Predictions(*columns))


def _notes(parts: list[_Part], number: int) -> list[str]:
    notes = []
    if fewer := sum(part.taken < number for part in parts):
        notes.append(f"{fewer:,} of {len(parts):,} users have fewer than {number:,} other candidates: all are taken.")
    if added := sum(part.appended for part in parts):
        drawn = sum(part.taken for part in parts)
        notes.append(f"{added:,} of {drawn:,} drawn candidates have no score and stand below the list.")
    return notes


Step = LeaveOneOut | RelevanceThreshold | TrainFiltered | UsersCapped | SampledCandidates
"""Changes a case in one way: ``drawn`` tells that the seed decides, ``needs_train`` that it needs train data."""
