"""A dataset: one case, the labels its integer ids stand for, and what is worth knowing about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reference.input.case import Case, Ids

if TYPE_CHECKING:
    from hashlib import _Hash as Hash


@dataclass(frozen=True)
class Fact:
    """Something legal but worth saying about the data: ``slug`` names it, ``count`` is how often it occurs.

    ``text`` is the whole sentence, the count included.
    """

    slug: str
    count: int
    text: str


@dataclass(frozen=True, eq=False)
class Labels:
    """What integer ids stand for: ``names[id]``, or the id itself where ``names`` is ``None``.

    ``names`` are sorted (text by code point, numbers by value), so the order of ids is the order of labels.
    """

    names: NDArray[np.object_] | None = None

    def of(self, ids: Ids | Sequence[int]) -> list[Any]:
        """The labels of ``ids``, as the user wrote them: text or whole numbers."""
        ids = np.asarray(ids, dtype=np.int64)
        labels: list[Any] = (ids if self.names is None else self.names[ids]).tolist()
        return labels


@dataclass(frozen=True)
class Shape:
    """Sizes: ``users`` with truth, ``items`` in the catalogue, relevant ``pairs``, predicted ``rows``."""

    users: int
    items: int
    pairs: int
    rows: int


@dataclass(frozen=True, eq=False)
class Dataset:
    """A case with the labels of its ids.

    ``facts`` is what is legal but unusual in it; ``choices`` says in words what was decided (split,
    candidates, threshold), one sentence each. Rows of the predictions are grouped by user and best first.
    """

    name: str
    case: Case
    users: Labels
    items: Labels
    facts: tuple[Fact, ...] = ()
    choices: tuple[str, ...] = ()

    @cached_property
    def shape(self) -> Shape:
        """The sizes that stand at the top of a report."""
        case = self.case
        return Shape(
            users=len(np.unique(case.truth.user)),
            items=len(case.catalogue),
            pairs=len(case.truth.user),
            rows=len(case.predictions.user),
        )

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of all that the libraries are given: columns, order of rows, labels, threshold.

        It does not depend on the files' names or formats, only on what was in them.
        """
        state = sha256()
        _feed_columns(state, self.case)
        for name, labels in (("users", self.users), ("items", self.items)):
            if labels.names is not None:
                state.update(f"{name} {labels.names.tolist()!r}\n".encode())
        _feed_settings(state, self.case)
        return state.hexdigest()


def input_digest(case: Case) -> str:
    """SHA-256 (hex) of what an adapter is handed for ``case``; its name and its reason do not count."""
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
