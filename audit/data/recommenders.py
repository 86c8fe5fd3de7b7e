"""Small recommenders in closed form, to have predictions of real data to audit on.

Each takes the train data as a matrix (users × items, float64, 1 where the user has the item) and gives a
score for every cell, of the same shape.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from audit.errors import UserError
from reference.input.case import Floats, Ids, Predictions, Train

Recommender = Callable[[Floats], Floats]

EASE_L2 = 100.0
DECIMALS = 9
"""Scores are rounded to this: coarser than what differs between machines (5e-15), and fine enough to keep
different scores apart. Items liked by exactly the same users tie, as they do in exact arithmetic."""


def ease(seen: Floats, l2: float = EASE_L2) -> Floats:
    """Embarrassingly shallow autoencoder (Steck, WWW 2019, eq. 8): B = −P / diag(P), diagonal 0.

    P = (XᵀX + l2·I)⁻¹; B is the least-squares solution of X ≈ XB with an L2 penalty and no item allowed
    to explain itself. Scores are XB.
    """
    scores: Floats = seen @ ease_weights(seen.T @ seen, l2)
    return scores


def ease_weights(gram: Floats, l2: float) -> Floats:
    """B of :func:`ease` from XᵀX, of which the memory is used."""
    gram[np.diag_indices_from(gram)] += l2
    weights: Floats = np.asarray(np.linalg.inv(gram), dtype=np.float64)
    weights /= -np.diag(weights)
    np.fill_diagonal(weights, 0.0)
    return weights


def itemknn(seen: Floats, neighbours: int = 100) -> Floats:
    """Item-based nearest neighbours by cosine (Sarwar et al., WWW 2001): X times the similarities kept.

    Each item keeps its ``neighbours`` most similar others; items of equal similarity, the lower id first.
    """
    norms = np.sqrt((seen * seen).sum(axis=0))
    similar = (seen.T @ seen) / np.maximum(np.outer(norms, norms), 1.0)
    np.fill_diagonal(similar, 0.0)
    nearest = np.argsort(-similar, axis=0, kind="stable")[:neighbours]
    kept = np.zeros_like(similar)
    np.put_along_axis(kept, nearest, np.take_along_axis(similar, nearest, axis=0), axis=0)
    scores: Floats = seen @ kept
    return scores


def popular(seen: Floats) -> Floats:
    """How many users have the item; the same for every user."""
    counts: Floats = np.broadcast_to(seen.sum(axis=0), seen.shape).copy()
    return counts


def random(seen: Floats, seed: int = 0) -> Floats:
    """Uniform in [0, 1), by seed."""
    return np.random.default_rng(seed).random(seen.shape)


RECOMMENDERS: dict[str, Recommender] = {
    "ease": ease,
    "itemknn": itemknn,
    "popular": popular,
    "random": random,
}


def full_ranking(train: Train, users: Ids, recommender: str = "ease") -> Predictions:
    """For each of ``users``, every item of ``train`` that they have not seen there, best first.

    Rows are by user id, then score downwards, then item id. Raises :class:`UserError` for a recommender
    that does not exist.
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
    return best_first(scores, seen[place] == 0.0, users, item_ids)


def best_first(scores: Floats, candidates: NDArray[np.bool_], users: Ids, items: Ids) -> Predictions:
    """The candidates of each user (users × items), by score downwards, then item id."""
    candidate = np.where(candidates, scores, -np.inf)
    order = np.argsort(-candidate, axis=1, kind="stable")
    ranked = np.take_along_axis(candidate, order, axis=1)
    unseen = ranked > -np.inf
    return Predictions(
        user=np.repeat(users, unseen.sum(axis=1)).astype(np.int64),
        item=items[order[unseen]].astype(np.int64),
        score=ranked[unseen],
    )
