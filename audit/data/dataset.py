"""A dataset: one case, the labels that its integer ids stand for, and facts about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Case, Ids
from recsys_metric_audit.reference.input.distinct import distinct

if TYPE_CHECKING:
    from hashlib import _Hash as Hash


@dataclass(frozen=True)
class Fact:
    """A property of the data that is legal but worth reporting, and how often it occurs.

    ``slug`` names the property; ``text`` is a whole sentence, the count included.
    """

    slug: str
    count: int
    text: str


@dataclass(frozen=True, eq=False)
class Labels:
    """The labels of integer ids: ``names[id]``, or the id itself if ``names`` is None.

    ``names`` are sorted (text by code point, numbers by value), so the order of ids is the order of labels.
    """

    names: NDArray[np.object_] | None = None

    def of(self, ids: Ids | Sequence[int]) -> list[Any]:
        """Return the labels of ``ids`` as the user wrote them: text or whole numbers."""
        ids = np.asarray(ids, dtype=np.int64)
        labels: list[Any] = (ids if self.names is None else self.names[ids]).tolist()
        return labels


@dataclass(frozen=True)
class Shape:
    """The sizes of a dataset: users and pairs of the truth, items of the catalogue, rows of the predictions."""

    users: int
    items: int
    pairs: int
    rows: int


@dataclass(frozen=True, eq=False)
class Dataset:
    """A case with the labels of its ids.

    ``facts`` lists what is legal but unusual in it; ``choices`` says what was decided (split, candidates, threshold),
    in one sentence each. Rows of the predictions are grouped by user, best first.
    """

    name: str
    case: Case
    users: Labels
    items: Labels
    facts: tuple[Fact, ...] = ()
    choices: tuple[str, ...] = ()

    @cached_property
    def shape(self) -> Shape:
        """Return the sizes that a report shows."""
        case = self.case
        return Shape(
            users=len(distinct(case.truth.user)),
            items=len(case.catalogue),
            pairs=len(case.truth.user),
            rows=len(case.predictions.user),
        )

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 (hex) of everything that libraries are given: columns in row order, labels, threshold.

        It depends on the content of the user's files, not on their names or formats.
        """
        state = sha256()
        _feed_columns(state, self.case)
        for name, labels in (("users", self.users), ("items", self.items)):
            if labels.names is not None:
                state.update(f"{name} {labels.names.tolist()!r}\n".encode())
        _feed_settings(state, self.case)
        return state.hexdigest()


def input_digest(case: Case) -> str:
    """Return the SHA-256 (hex) of what an adapter is handed for ``case``: all but its name and description."""
    state = sha256()
    _feed_columns(state, case)
    _feed_settings(state, case)
    return state.hexdigest()


def _feed_columns(state: Hash, case: Case) -> None:
    columns: dict[str, NDArray[Any]] = {
        "predictions.user": case.predictions.user,
        "predictions.item": case.predictions.item,
        "predictions.score": case.predictions.score,
        "truth.user": case.truth.user,
        "truth.item": case.truth.item,
        "truth.gain": case.truth.gain,
        "train.user": case.train.user,
        "train.item": case.train.item,
        "catalogue": case.catalogue,
    }
    for name, column in columns.items():
        state.update(f"{name} {len(column)} {column.dtype.str}\n".encode())
        state.update(np.ascontiguousarray(column).data)


def _feed_settings(state: Hash, case: Case) -> None:
    state.update(f"threshold {float(case.threshold)!r} scale {tuple(map(float, case.scale))!r}".encode())
