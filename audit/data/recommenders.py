"""Small recommenders in closed form, which give predictions on real data to audit on.

Each takes the train data as a matrix X (users × items, float64, 1 where the user has the item) and returns a score for
every cell as a matrix of that shape. Where that matrix does not fit into memory, EASE ranks users in blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.input.case import Floats, Ids, Predictions, Train

Recommender = Callable[[Floats], Floats]

EASE_L2 = 100.0
DECIMALS = 9
"""The decimals that scores are rounded to: more than the error between machines (5e-15), less than the gap between
different scores. Items with exactly the same users then tie, as they do in exact arithmetic."""


def ease(seen: Floats, l2: float = EASE_L2) -> Floats:
    """Score by the embarrassingly shallow autoencoder: XB with B = −P / diag(P), diagonal 0.

    P = (XᵀX + l2·I)⁻¹. B is the least-squares solution of X ≈ XB with an L2 penalty and a zero diagonal, so that no
    item explains itself (Steck, WWW 2019, eq. 8).
    """
    scores: Floats = seen @ ease_weights(seen.T @ seen, l2)
    return scores


def ease_weights(gram: Floats, l2: float) -> Floats:
    """Return B of :func:`ease` from ``gram`` = XᵀX, which is overwritten."""
    gram[np.diag_indices_from(gram)] += l2
    weights: Floats = np.asarray(np.linalg.inv(gram), dtype=np.float64)
    weights /= -np.diag(weights)
    np.fill_diagonal(weights, 0.0)
    return weights


def itemknn(seen: Floats, neighbours: int = 100) -> Floats:
    """Score by item-based nearest neighbours: X times the cosine similarities of each item to its neighbours.

    An item's neighbours are the ``neighbours`` most similar other items, the lower id first if similarities are equal
    (Sarwar et al., WWW 2001).
    """
    norms = np.sqrt((seen * seen).sum(axis=0))
    similar = (seen.T @ seen) / np.maximum(np.outer(norms, norms), 1.0)
    np.fill_diagonal(similar, 0.0)
    nearest = np.argsort(-similar, axis=0, kind="stable")[:neighbours]
    weights = np.zeros_like(similar)
    np.put_along_axis(weights, nearest, np.take_along_axis(similar, nearest, axis=0), axis=0)
    scores: Floats = seen @ weights
    return scores


def popular(seen: Floats) -> Floats:
    """Score an item by the number of users who have it, for every user alike."""
    counts: Floats = np.broadcast_to(seen.sum(axis=0), seen.shape).copy()
    return counts


def random(seen: Floats, seed: int = 0) -> Floats:
    """Score uniformly in [0, 1), by seed."""
    return np.random.default_rng(seed).random(seen.shape)


RECOMMENDERS: dict[str, Recommender] = {"ease": ease, "itemknn": itemknn, "popular": popular, "random": random}


def full_ranking(train: Train, users: Ids, recommender: str = "ease", *, with_train_items: bool = False) -> Predictions:
    """Rank for each of ``users`` every item of ``train`` that the user does not have there, best first.

    Rows are sorted by user id, then descending score, then item id. ``with_train_items`` ranks the others as well.

    Raises:
        UserError: for an unknown recommender.
    """
    if recommender not in RECOMMENDERS:
        known = ", ".join(RECOMMENDERS)
        raise UserError(f"There is no recommender called {recommender!r}.", f"Choose one of: {known}.")
    users = np.unique(users)
    user_ids = np.union1d(train.user, users)
    item_ids, column = np.unique(train.item, return_inverse=True)
    seen = np.zeros((len(user_ids), len(item_ids)))
    seen[np.searchsorted(user_ids, train.user), column] = 1.0
    place = np.searchsorted(user_ids, users)
    scores = RECOMMENDERS[recommender](seen)[place].round(DECIMALS) + 0.0  # −0 would print as another score
    return best_first(scores, (seen[place] == 0.0) | with_train_items, users, item_ids)


def best_first(scores: Floats, candidates: NDArray[np.bool_], users: Ids, items: Ids) -> Predictions:
    """Sort the candidates of each user by descending score, then item id.

    Args:
        scores: users × items.
        candidates: users × items, True where the item is a candidate of the user.
        users: the ids of the rows, ascending.
        items: the ids of the columns, ascending.
    """
    candidate = np.where(candidates, scores, -np.inf)
    order = np.argsort(-candidate, axis=1, kind="stable")
    ranked = np.take_along_axis(candidate, order, axis=1)
    unseen = ranked > -np.inf
    return Predictions(
        user=np.repeat(users, unseen.sum(axis=1)).astype(np.int64),
        item=items[order[unseen]].astype(np.int64),
        score=ranked[unseen],
    )


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
        np.concatenate([part.user for part in parts]),
        np.concatenate([part.item for part in parts]),
        np.concatenate([part.score for part in parts]),
    )


def _blocks(users: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(users), BLOCK):
        yield users[start : start + BLOCK]
