"""EASE for data whose matrix of users × items does not fit into memory: users are ranked in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.data.recommenders import DECIMALS, best_first, ease_weights
from recsys_metric_audit.reference.input.case import Floats, Ids, Predictions, Train

BLOCK = 1024
"""The number of users in a block: with 10,000 items 40 MB in float32."""


@dataclass(frozen=True, eq=False)
class _Seen:
    """Train rows by user: ``column[start[i]:start[i + 1]]`` are the columns of the items of ``users[i]``."""

    users: Ids
    items: Ids
    start: NDArray[np.int64]
    column: NDArray[np.int64]

    @staticmethod
    def of(train: Train) -> _Seen:
        items, column = np.unique(train.item, return_inverse=True)
        order = np.argsort(train.user, kind="stable")
        users, first = np.unique(train.user[order], return_index=True)
        return _Seen(users, items, np.append(first, len(order)), column[order])

    def rows(self, chosen: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the rows of some users (positions in ``users``) as a matrix, 1 where the user has the item."""
        out = np.zeros((len(chosen), len(self.items)), dtype=np.float32)
        for row, user in enumerate(chosen.tolist()):
            out[row, self.column[self.start[user] : self.start[user + 1]]] = 1.0
        return out


def gram(seen: _Seen) -> Floats:
    """Return XᵀX (items × items, float64); blocks are multiplied in float32, exact for counts below 2²⁴."""
    out = np.zeros((len(seen.items), len(seen.items)))
    for block in _blocks(np.arange(len(seen.users))):
        rows = seen.rows(block)
        out += rows.T @ rows
    return out


def rank_in_blocks(train: Train, users: Ids, l2: float) -> Predictions:
    """Rank by EASE with the scores, rows and order of :func:`audit.data.recommenders.full_ranking`.

    Scores are float64: a user's row is XB with B in float64, rounded to 9 decimals.

    Args:
        train: what EASE learns from.
        users: the users to rank for; each must be in ``train``.
        l2: the weight of EASE's L2 penalty.
    """
    seen = _Seen.of(train)
    weights = ease_weights(gram(seen), l2)
    parts = []
    for block in _blocks(np.searchsorted(seen.users, np.unique(users))):
        rows = seen.rows(block)
        scores = (rows.astype(np.float64) @ weights).round(DECIMALS) + 0.0
        parts.append(best_first(scores, rows == 0.0, seen.users[block], seen.items))
    return Predictions(
        np.concatenate([part.user for part in parts]), np.concatenate([part.item for part in parts]),
        np.concatenate([part.score for part in parts]),
    )  # fmt: skip


def _blocks(users: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(users), BLOCK):
        yield users[start : start + BLOCK]
