"""Temporal splits of ratings into train data and held-out truth, and a sample of users."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Floats, Ids, Train, Truth

Split = tuple[Train, Truth]


@dataclass(frozen=True, eq=False)
class Ratings:
    """Rated pairs: ``user``, ``item`` (int64 ids), ``rating`` (float64), ``timestamp`` (int64 seconds)."""

    user: Ids
    item: Ids
    rating: Floats
    timestamp: NDArray[np.int64]


def at_least(ratings: Ratings, threshold: float) -> Ratings:
    """Return the ratings of ``threshold`` or more."""
    keep = ratings.rating >= threshold
    return Ratings(ratings.user[keep], ratings.item[keep], ratings.rating[keep], ratings.timestamp[keep])


def by_global_time(ratings: Ratings, share: float = 0.2) -> Split:
    """Hold out the latest ``share`` of all ratings, as in Tamm, Damdinov & Vasilev (RecSys 2021), §3.

    No timestamp is on both sides: ratings of the same second as the earliest held-out one are held out too.
    """
    held_out = int(len(ratings.timestamp) * share)
    if not held_out:
        return _parted(ratings, np.zeros(len(ratings.timestamp), dtype=np.bool_))
    start = np.sort(ratings.timestamp)[-held_out]
    return _parted(ratings, ratings.timestamp >= start)


def by_user_time(ratings: Ratings, share: float = 0.2) -> Split:
    """Hold out the latest ``share`` of each user's ratings, rounded down; within a second the higher item ids."""
    order = np.lexsort((ratings.item, ratings.timestamp, ratings.user))
    _, starts, inverse, counts = np.unique(
        ratings.user[order], return_index=True, return_inverse=True, return_counts=True
    )
    place = np.arange(len(order)) - starts[inverse]
    late = np.empty(len(order), dtype=np.bool_)
    late[order] = place >= (counts - np.floor(counts * share))[inverse]
    return _parted(ratings, late)


def sample_users(split: Split, most: int, seed: int = 0) -> Split:
    """Keep the truth of at most ``most`` users; the train data stays whole.

    Users are drawn by a hash of seed and id, so that the sample does not depend on the release of numpy.
    """
    train, truth = split
    users = np.unique(truth.user).tolist()
    drawn = sorted(users, key=lambda user: sha256(f"{seed}:{user}".encode()).digest())[:most]
    keep = np.isin(truth.user, drawn)
    return train, Truth(truth.user[keep], truth.item[keep], truth.gain[keep])


def _parted(ratings: Ratings, late: NDArray[np.bool_]) -> Split:
    """Return train and truth, each sorted by user and item; users and items without train rows are removed."""
    early = ~late
    known = np.isin(ratings.user, ratings.user[early]) & np.isin(ratings.item, ratings.item[early])
    order = np.lexsort((ratings.item, ratings.user))
    train, truth = order[early[order]], order[(late & known)[order]]
    return (
        Train(ratings.user[train], ratings.item[train]),
        Truth(ratings.user[truth], ratings.item[truth], ratings.rating[truth]),
    )
