"""Probes: tiny inputs that separate definitions, written so that a reader can check them by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth

Role = Literal[
    "single_user", "order", "duplicates", "truth_duplicates", "relevance", "fractions", "seen", "multi_user",
    "rated_users", "degenerate", "exhaustive", "distinguishing", "mixed", "held_out",
]  # fmt: skip
"""The purpose that a probe serves, which is what is unusual about it:

- ``single_user``: nothing; lists of one user, which show the formula.
- ``order``, ``duplicates``, ``truth_duplicates``, ``relevance``, ``fractions``, ``seen``: one thing about one user's
  rows: ties and unsorted rows, items listed twice, truth rows listed twice, gains around the threshold and scores of 0
  and less, gains between whole numbers, items that were seen in training.
- ``multi_user``: some of several users; shows averaging and edges. ``rated_users``: users with truth rows of which none
  is relevant. ``degenerate``: all users, in one and the same way.
- ``exhaustive``: nothing; every small list. ``mixed``: several things at once.
- ``distinguishing``: chosen to tell definitions apart. ``held_out``: chosen to refute what was identified.
"""
Variant = Literal[
    "usual", "unit_gains", "above_threshold", "all_listed", "one_relevant", "one_relevant_unit_gain", "rated_misses",
    "shown_items",
]  # fmt: skip
"""A change that is made to all probes of a role, for functions that refuse the usual ones or find nothing in them:

- ``unit_gains``: all gains and the threshold are 1. ``above_threshold``: all gains are above the threshold.
- ``all_listed``: all relevant items are recommended.
- ``rated_misses``: irrelevant items have a gain, which is below the threshold.
- ``shown_items``: train data say how many users have each item, for metrics that read no relevance.
- ``one_relevant``, ``one_relevant_unit_gain``: each user has one relevant item; with a gain of 1.
"""


class Kind(NamedTuple):
    """The role of a probe, and the variant of it."""

    role: Role
    variant: Variant = "usual"


THRESHOLD = 2.0
"""The usual threshold of relevance; with gains of 2 and 4 all gain formulas give different values."""


@dataclass(frozen=True)
class User:
    """One user of a probe.

    ``ranked`` has the gain of the item in each row, 0 for an irrelevant one; ``missed`` the gains of relevant items
    that are not recommended. ``scores`` and ``items`` belong to the rows of ``ranked``; by default scores are distinct
    and positive, best first, and ids are in no order. ``train`` is the number of items seen in training.
    """

    ranked: tuple[float, ...] = ()
    missed: tuple[float, ...] = ()
    scores: tuple[float, ...] | None = None
    items: tuple[int, ...] | None = None
    train: int = 2

    @property
    def rows(self) -> int:
        """Number of rows of predictions and truth."""
        return len(self.ranked) + len(self.missed)


@dataclass(frozen=True, eq=False)
class Probe:
    """A case with its cut-off, and its kind: what it is asked for.

    ``users`` are the users that the case was built from, empty for a case built from rows.
    """

    kind: Kind
    case: Case
    k: int
    users: tuple[User, ...] = ()

    @property
    def name(self) -> str:
        """The case's name."""
        return self.case.name

    @property
    def size(self) -> int:
        """Number of rows of predictions and truth."""
        return len(self.case.predictions.user) + len(self.case.truth.user)


def item_ids(count: int, first: int = 10) -> tuple[int, ...]:
    """Return ids in neither ascending nor descending order, as numbers and as text: 11 12 10, 14 15 13, ..."""
    blocks = range(first, first + count + 3, 3)
    return tuple(item for block in blocks for item in (block + 1, block + 2, block))[:count]


def default_scores(count: int, user: int = 1) -> tuple[float, ...]:
    """Return distinct positive scores below 1, best first, and different for each user."""
    return tuple(round(1 - (rank + 1) / (count + 2) + 0.0013 * user, 6) for rank in range(count))


def case_from_users(name: str, users: Sequence[User], *, threshold: float = THRESHOLD, why: str = "") -> Case:
    """Return the case of ``users``, who get the ids 1, 2, ...; missed items are 500, ..., train items 900, ...."""
    rec: list[tuple[int, int, float]] = []
    rel: list[tuple[int, int, float]] = []
    seen: list[tuple[int, int]] = []
    for number, user in enumerate(users, start=1):
        items = user.items or item_ids(len(user.ranked))
        scores = user.scores or default_scores(len(user.ranked), number)
        rec += [(number, item, score) for item, score in zip(items, scores, strict=True)]
        hits = dict.fromkeys(zip(items, user.ranked, strict=True))
        rel += [(number, item, gain) for item, gain in hits if gain != 0]
        rel += [(number, 500 + place, gain) for place, gain in enumerate(user.missed)]
        seen += [(number, 900 + place) for place in range(user.train)]
    return case_from_rows(name, rec, rel, seen, threshold=threshold, why=why)


def case_from_rows(
    name: str,
    rec: Sequence[tuple[int, int, float]],
    rel: Sequence[tuple[int, int, float]],
    seen: Sequence[tuple[int, int]] = (),
    *,
    threshold: float = THRESHOLD,
    why: str = "",
    unseen: Sequence[int] = (800, 801),
) -> Case:
    """Return a case from rows.

    Args:
        name: The name of the case.
        rec: Predictions (user, item, score).
        rel: Truth (user, item, gain).
        seen: Train data (user, item).
        threshold: The gain from which on an item is relevant.
        why: The reason why the case exists.
        unseen: Items of the catalogue beside those in the rows.
    """

    def ids(rows: Sequence[tuple[int, int, float]] | Sequence[tuple[int, int]], column: int) -> NDArray[np.int64]:
        return np.array([row[column] for row in rows], dtype=np.int64)

    predictions = Predictions(ids(rec, 0), ids(rec, 1), np.array([row[2] for row in rec], dtype=np.float64))
    truth = Truth(ids(rel, 0), ids(rel, 1), np.array([row[2] for row in rel], dtype=np.float64))
    train = Train(ids(seen, 0), ids(seen, 1))
    catalogue = np.unique(np.concatenate([predictions.item, truth.item, train.item, np.array(unseen, dtype=np.int64)]))
    return Case(name, predictions, truth, train, catalogue, threshold, (1.0, 5.0), why)


def unit_gains(user: User) -> User:
    """Return the user with a gain of 1 for each relevant item, and the usual ids, scores and train items."""
    return replace(user, ranked=tuple(float(gain > 0) for gain in user.ranked), missed=(1.0,) * len(user.missed))


def above_threshold(probe: Probe) -> Probe:
    """Return the probe with a threshold of 1, below the gains of all probes with the usual threshold."""
    case = replace(probe.case, name=f"threshold below: {probe.name}", threshold=1.0)
    return replace(probe, kind=Kind(probe.kind.role, "above_threshold"), case=case)
