"""The lists that formulas read, made from a placement by the order and input axes.

No formula knows about ties, duplicates or thresholds: they are applied here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.ordering import order_by
from recsys_metric_audit.reference.placement.placement import Placement
from recsys_metric_audit.reference.placement.row_selection import relevant_gains
from recsys_metric_audit.reference.placement.tie_ranks import pair_starts, tie_ranks
from recsys_metric_audit.reference.space.input_axes import AXES, CUTOFF, WITHOUT_RULE
from recsys_metric_audit.reference.space.lists import Bools, Ints, Lists, Places, rows_above, rows_beside


def resolve(placement: Placement, k: Ints | int | None, values: Mapping[str, str]) -> Lists:
    """Return the lists of a placement under the order axes in ``values`` (canonical where absent).

    If ``duplicates`` closes lists up, the placement must come from rows after
    :func:`reference.input.repeated_items.drop_repeats`. Values ``error`` are not resolved here:
    :mod:`reference.evaluation.evaluate` refuses the input before.

    Args:
        placement: Where relevant items stand.
        k: Cut-off of all users, or of each; None for the whole list.
        values: Value name by axis name.

    Raises:
        TooManyOrdersError: with ``ties:average`` where a user's ties have more than 5,040 orders.
    """
    value = {axis.name: values.get(axis.name, axis.canonical) for axis in AXES}
    value |= {axis.name: axis.canonical for axis in AXES if value[axis.name] in WITHOUT_RULE}
    relevant = _relevant(placement, value)
    every = np.flatnonzero(relevant & (placement.repeat <= 0))
    r = np.bincount(placement.user[every], minlength=len(placement))
    ideal = _sorted(placement, every, -placement.gain)
    can_hit = _first_copies(placement, relevant) if value["truth_duplicates"] == "r_only" else relevant
    listed = np.flatnonzero(can_hit & (placement.row >= 0) & _hit_rows(placement, value))
    found = _found(placement, listed)
    above, tied = _levels(placement, value["order"])
    owner, chosen, rank = tie_ranks(placement, listed, value)
    by_rank = order_by(chosen.list_of, rank)
    index, list_of, rank = chosen.place[by_rank], chosen.list_of[by_rank], rank[by_rank]
    fresh = pair_starts(list_of, placement.row[index])
    places = Places(list_of, rank, placement.gain[index], len(owner))
    if value["positions"] == "negatives_only":
        # Of tied rows, the mean place among the irrelevant ones: half of those that are relevant too, is left out.
        beside = rows_beside(places, fresh) / 2 if value["ties"] == "middle" else 0
        places = Places(list_of, rank - rows_above(places, fresh) - beside, places.gain, len(owner))
    cut, depth = _cut_and_depth(placement, k, value["cutoff"])
    return Lists(
        k=cut[owner], depth=depth[owner], length=placement.length[owner], given=placement.given[owner],
        relevant=r[owner],
        missed=(r - np.bincount(placement.user[found], minlength=len(placement)))[owner],
        threshold=placement.threshold[owner],
        catalogue=placement.catalogue[owner], train=placement.train[owner],
        rated=placement.truth_rows[owner], lowest=placement.lowest[owner], highest=placement.highest[owner],
        at_half=placement.at_half[owner],
        listed=places, above=above[index], tied=tied[index],
        score=placement.score[index], fresh=fresh, once=_marked(placement, found)[index],
        ideal=_repeat(ideal, owner, len(placement)), owner=owner,
    )  # fmt: skip


def at_cutoff(lists: Lists, placement: Placement, k: Ints | int | None, cutoff: str) -> Lists:
    """Return the lists of a placement at another cut-off, which changes ``k`` and ``depth`` alone.

    Args:
        lists: What :func:`resolve` made of the placement at any cut-off.
        placement: Where relevant items stand.
        k: Cut-off of all users, or of each; None for the whole list.
        cutoff: Value of that axis.
    """
    cut, depth = _cut_and_depth(placement, k, CUTOFF.canonical if cutoff in WITHOUT_RULE else cutoff)
    return replace(lists, k=cut[lists.owner], depth=depth[lists.owner])


def _cut_and_depth(placement: Placement, k: Ints | int | None, cutoff: str) -> tuple[Ints, Ints]:
    """Return (k for denominators, depth to which hits count) of each user."""
    base = np.full(len(placement), -1) if k is None else np.broadcast_to(np.asarray(k, np.int64), len(placement))
    return _cut(np.where(base < 0, placement.length, base), placement.length, cutoff)


def _found(placement: Placement, listed: Ints) -> Ints:
    """Return one of the ``listed`` places for each truth row whose item is in the list."""
    user, row = placement.user[listed], placement.truth_row[listed]
    by_row = order_by(user, row)
    return listed[by_row[pair_starts(user[by_row], row[by_row])]]


def _marked(placement: Placement, places: Ints) -> Bools:
    """Return a mask of the placement's places that is true at ``places``."""
    out = np.zeros(len(placement.row), dtype=bool)
    out[places] = True
    return out


def _firsts(user: Ints, key: Ints, order: Ints) -> Bools:
    """Tell for each entry whether it has the least ``order`` among the entries of its user and key."""
    by_key = order_by(user, key, order)
    start = pair_starts(user[by_key], key[by_key])
    least = order[by_key][start][np.cumsum(start) - 1] if len(by_key) else order
    out = np.empty(len(user), dtype=bool)
    out[by_key] = order[by_key] == least
    return out


def _relevant(placement: Placement, value: Mapping[str, str]) -> Bools:
    """Tell which places are of relevant truth rows that are used."""
    relevant = relevant_gains(placement.gain, placement.threshold[placement.user], value["relevance"])
    if value["truth_duplicates"] == "once":
        relevant = _first_copies(placement, relevant)
    if value["truth"] == "first":
        first = np.full(len(placement), np.iinfo(np.int64).max)
        np.minimum.at(first, placement.user[relevant], placement.truth_row[relevant])
        relevant = relevant & (placement.truth_row == first[placement.user])
    return relevant


def _first_copies(placement: Placement, relevant: Bools) -> Bools:
    """Tell which of the ``relevant`` places are of the first truth row of their item."""
    place = np.flatnonzero(relevant)
    out = np.zeros(len(relevant), dtype=bool)
    out[place] = _firsts(placement.user[place], placement.item[place], placement.truth_row[place])
    return out


def _hit_rows(placement: Placement, value: Mapping[str, str]) -> Bools:
    """Tell which places can be hits as far as repeated items and scores decide."""
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
    """Return for each place how many rows rank strictly above it, and how many tie with it."""
    if order == "rows":
        return placement.row, np.ones_like(placement.row)
    return placement.above, placement.tied


def _cut(k: Ints, length: Ints, cutoff: str) -> tuple[Ints, Ints]:
    """Return (k for denominators, depth to which hits count)."""
    if cutoff not in CUTOFF.names:
        return k, np.full_like(k, int(float(cutoff)))
    cuts = {
        "k": (k, k), "none": (length, length), "hits_uncut": (k, length), "hits_k_plus_1": (k, k + 1),
        "k_plus_1": (k + 1, k + 1), "k_minus_1": (k - 1, k - 1),
    }  # fmt: skip
    return cuts[cutoff]


def _sorted(placement: Placement, index: Ints, key: NDArray[np.float64]) -> Places:
    by_key = index[order_by(placement.user[index], key[index])]
    places = Places(placement.user[by_key], np.zeros(len(by_key), np.int64), placement.gain[by_key], len(placement))
    return Places(places.list, places.ordinal, places.gain, len(placement))


def _repeat(ideal: Places, owner: Ints, users: int) -> Places:
    """Return the ideal list of each list's owner."""
    if len(owner) == users and (owner == np.arange(users)).all():
        return ideal
    start = np.searchsorted(ideal.list, owner)
    times = np.searchsorted(ideal.list, owner, side="right") - start
    list_of = np.repeat(np.arange(len(owner)), times)
    index = start[list_of] + np.arange(len(list_of)) - np.repeat(np.cumsum(times) - times, times)
    return Places(list_of, ideal.rank[index], ideal.gain[index], len(owner))
