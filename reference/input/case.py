"""A case: one fixed input of an evaluation, with integer ids for users and items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def _ids() -> Ids:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Predictions:
    """Recommended rows as given: columns ``user``, ``item`` (int64 ids), ``score`` (float64), of equal length.

    Rows keep the order in which they were given; within a user that order is best first unless the case
    exists to show what happens when it is not.
    """

    user: Ids = field(default_factory=_ids)
    item: Ids = field(default_factory=_ids)
    score: Floats = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True, eq=False)
class Truth:
    """Held-out rows: ``user``, ``item`` (int64 ids), ``gain`` (float64: rating or relevance grade)."""

    user: Ids = field(default_factory=_ids)
    item: Ids = field(default_factory=_ids)
    gain: Floats = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True, eq=False)
class Train:
    """Rows the recommender had seen: ``user``, ``item`` (int64 ids)."""

    user: Ids = field(default_factory=_ids)
    item: Ids = field(default_factory=_ids)


@dataclass(frozen=True, eq=False)
class Case:
    """Predictions, truth and train data of one evaluation, with the settings that a library may need beside them.

    ``threshold`` is the gain from which a truth row is relevant, ``scale`` the rating scale (lowest,
    highest), ``catalogue`` every item id that exists, ``why`` the reason for which the case exists. ``users`` holds
    further user ids that exist, although no row names them.
    """

    name: str
    predictions: Predictions
    truth: Truth
    train: Train = field(default_factory=Train)
    catalogue: Ids = field(default_factory=_ids)
    threshold: float = 1.0
    scale: tuple[float, float] = (1.0, 5.0)
    why: str = ""
    users: Ids = field(default_factory=_ids)


Rows = TypeVar("Rows", Predictions, Truth, Train)


def rows_of(table: Rows, chosen: NDArray[Any]) -> Rows:
    """Return some rows of a table, by a mask or by their positions."""
    return type(table)(*(column[chosen] for column in vars(table).values()))


def each_table(case: Case, change: Callable[[Any], Any]) -> Case:
    """Return the case with a change made to its predictions, its truth and its train data."""
    return replace(case, **{name: change(getattr(case, name)) for name in ("predictions", "truth", "train")})


def with_gains_of_1(case: Case, name: str) -> Case:
    """Return the case, under another name, with every gain and the threshold set to 1."""
    return replace(case, name=name, truth=replace(case.truth, gain=np.ones_like(case.truth.gain)), threshold=1.0)
