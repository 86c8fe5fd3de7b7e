"""Probes: tiny inputs that separate definitions, written so that a reader can check them by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reference.input.case import Case, Predictions, Train, Truth

Kind = Literal[
    "plain", "order", "duplicates", "truth_duplicates", "relevance", "fractions", "seen", "rated", "unit", "above",
    "one", "unit_one", "crowd", "rated_crowd", "rated_users", "listed_crowd", "unit_crowd", "above_crowd", "unit_order",
    "unit_duplicates", "unit_truth_duplicates", "above_order", "above_duplicates", "above_truth_duplicates",
    "listed_order", "listed_duplicates", "listed_truth_duplicates", "listed_relevance", "sole", "small", "separating",
    "mixed", "held_out",
]  # fmt: skip

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
    """A case with its cut-off, and its kind: the step of the identification that asks it.

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
