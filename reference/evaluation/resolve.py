"""Resolving: the lists that formulas see, from a placement under the order and input axes.

No formula knows about ties, duplicates or thresholds: they are settled here.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from reference.placement.placement import Placement
from reference.placement.row_selection import relevant_gains
from reference.placement.tie_ranks import seat_ranks, starts
from reference.space.input_axes import AXES, CUTOFF
from reference.space.lists import Bools, Ints, Lists, Places, down_to


def resolve(placement: Placement, k: Ints | int | None, values: Mapping[str, str]) -> Lists:
    """The lists of a placement under the order axes in ``values`` (those absent stand at their canonical value).

    ``k`` is one cut-off, one a user, or ``None`` for the whole list. Where ``duplicates`` closes lists up, the
    placement is that of :func:`reference.input.repeated_items.closed_up`. Values ``error`` are not resolved here:
    :mod:`reference.evaluation.evaluate` refuses the input before.

    Raises:
        TooManyOrdersError: with ``ties:average`` where a user's ties have more than 5,040 orders.
    """
    value = {axis.name: values.get(axis.name, axis.canonical) for axis in AXES}
    value |= {axis.name: axis.canonical for axis in AXES if value[axis.name] == "other"}
    kept = _relevant(placement, value)
    every = np.flatnonzero(kept & (placement.repeat <= 0))
    relevant = np.bincount(placement.user[every], minlength=len(placement))
    ideal = _sorted(placement, every, -placement.gain)
    can_hit = _first_copies(placement, kept) if value["truth_duplicates"] == "r_only" else kept
    listed = np.flatnonzero(can_hit & (placement.row >= 0) & _hit_rows(placement, value))
    above, tied = _levels(placement, value["order"])
    owner, chosen, rank = seat_ranks(placement, listed, value)
    base = np.full(len(placement), -1) if k is None else np.broadcast_to(np.asarray(k, np.int64), len(placement))
    base = np.where(base < 0, placement.length, base)
    by_rank = _sorting(chosen.list_of, rank)
    index, list_of, rank = chosen.place[by_rank], chosen.list_of[by_rank], rank[by_rank]
    fresh = starts(list_of, rank)
    places = Places(list_of, rank, placement.gain[index], len(owner))
    if value["positions"] == "negatives_only":
        places = Places(list_of, rank - down_to(places, fresh) + 1, places.gain, len(owner))
    cut, depth = _cut(base, placement.length, value["cutoff"])
    return Lists(
        k=cut[owner], depth=depth[owner], length=placement.length[owner], relevant=relevant[owner],
        missed=(relevant - _found(placement, listed))[owner], threshold=placement.threshold[owner],
        catalogue=placement.catalogue[owner], train=placement.train[owner],
        rated=placement.truth_rows[owner], lowest=placement.lowest[owner], highest=placement.highest[owner],
        listed=places, above=above[index], tied=tied[index],
        score=placement.score[index], fresh=fresh, ideal=_repeat(ideal, owner, len(placement)), owner=owner,
    )  # fmt: skip


def _sorting(first: Ints, second: Ints) -> Ints:
    """The stable order by ``first``, then ``second``; quick, unlike a lexsort, on what is in order already."""
    low, high = int(second.min(initial=0)), int(second.max(initial=0))
    return np.argsort(first * (high - low + 1) + (second - low), kind="stable")


def _found(placement: Placement, listed: Ints) -> Ints:
    """Per user, the truth rows that stand in the list, each once."""
    user, row = placement.user[listed], placement.truth_row[listed]
    by_row = _sorting(user, row)
    return np.bincount(user[by_row][starts(user[by_row], row[by_row])], minlength=len(placement))


def _firsts(user: Ints, key: Ints, order: Ints) -> Bools:
    """Whether each entry has the least ``order`` among those of the same user and key."""
    by_key = np.lexsort((order, key, user))
    start = starts(user[by_key], key[by_key])
    least = order[by_key][start][np.cumsum(start) - 1] if len(by_key) else order
    out = np.empty(len(user), dtype=bool)
    out[by_key] = order[by_key] == least
    return out


def _relevant(placement: Placement, value: Mapping[str, str]) -> Bools:
    """Which places are of relevant truth rows that are looked at."""
    kept = relevant_gains(placement.gain, placement.threshold[placement.user], value["relevance"])
    if value["truth_duplicates"] == "once":
        kept = _first_copies(placement, kept)
    if value["truth"] == "first":
        first = np.full(len(placement), np.iinfo(np.int64).max)
        np.minimum.at(first, placement.user[kept], placement.truth_row[kept])
        kept = kept & (placement.truth_row == first[placement.user])
    return kept


def _first_copies(placement: Placement, kept: Bools) -> Bools:
    """Of the places kept, those of the first truth row of each item."""
    place = np.flatnonzero(kept)
    out = np.zeros(len(kept), dtype=bool)
    out[place] = _firsts(placement.user[place], placement.item[place], placement.truth_row[place])
    return out


def _hit_rows(placement: Placement, value: Mapping[str, str]) -> Bools:
    """Listed rows that can be hits at all."""
    keep = np.ones(len(placement.row), dtype=bool)
    if value["duplicates"] == "first_in_place":
        by_rows = value["order"] == "rows"
        keep = _firsts(placement.user, placement.truth_row, placement.row) if by_rows else placement.repeat <= 0
    if value["counted_scores"] == "nonzero":
        keep = keep & (placement.score != 0)
    if value["counted_scores"] == "positive":
        keep = keep & (placement.score > 0)
    return keep


def _levels(placement: Placement, order: str) -> tuple[Ints, Ints]:
    if order == "rows":
        return placement.row, np.ones_like(placement.row)
    return placement.above, placement.tied


def _cut(k: Ints, length: Ints, cutoff: str) -> tuple[Ints, Ints]:
    """(k as it stands in denominators, depth to which hits count)."""
    if cutoff not in CUTOFF.names:
        return k, np.full_like(k, int(float(cutoff)))
    cuts = {
        "k": (k, k), "none": (length, length), "hits_uncut": (k, length), "hits_k_plus_1": (k, k + 1),
        "k_plus_1": (k + 1, k + 1), "k_minus_1": (k - 1, k - 1),
    }  # fmt: skip
    return cuts[cutoff]


def _sorted(placement: Placement, index: Ints, key: NDArray[np.float64]) -> Places:
    by_key = index[np.lexsort((key[index], placement.user[index]))]
    places = Places(placement.user[by_key], np.zeros(len(by_key), np.int64), placement.gain[by_key], len(placement))
    return Places(places.list, places.ordinal, places.gain, len(placement))


def _repeat(ideal: Places, owner: Ints, users: int) -> Places:
    """The ideal of each list's owner."""
    if len(owner) == users and (owner == np.arange(users)).all():
        return ideal
    start = np.searchsorted(ideal.list, owner)
    times = np.searchsorted(ideal.list, owner, side="right") - start
    list_of = np.repeat(np.arange(len(owner)), times)
    index = start[list_of] + np.arange(len(list_of)) - np.repeat(np.cumsum(times) - times, times)
    return Places(list_of, ideal.rank[index], ideal.gain[index], len(owner))
