"""Seats: the rank of each row that holds relevant items, under a rule for equal scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product
from math import perm

import numpy as np
from numpy.typing import NDArray

from reference.placement.placement import Placement
from reference.space.lists import Bools, Ints

MAX_ORDERS = 5040


class TooManyOrdersError(ValueError):
    """The ties of a user have more orders than can be averaged exactly."""


def starts(first: Ints, second: Ints) -> Bools:
    """Where a pair differs from the one before."""
    out = np.ones(len(first), dtype=bool)
    out[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return out


class Chosen:
    """Which place stands in which list: ties that are averaged give a user several lists."""

    def __init__(self, place: Ints, list_of: Ints) -> None:
        self.place, self.list_of = place, list_of


def seat_ranks(placement: Placement, listed: Ints, value: Mapping[str, str]) -> tuple[Ints, Chosen, Ints]:
    """(owner of each list, places and their lists, 1-based rank of each of those places)."""
    start = np.flatnonzero(starts(placement.user[listed], placement.row[listed]))
    owner, chosen, rank = _one_each(placement, listed[start], _worth(placement, listed, start), value)
    if len(start) == len(listed):
        return owner, Chosen(listed[chosen.place], chosen.list_of), rank
    times = np.diff(np.append(start, len(listed)))[chosen.place]
    entry = np.repeat(np.arange(len(times)), times)
    offset = np.arange(len(entry)) - np.repeat(np.cumsum(times) - times, times)
    return owner, Chosen(listed[start[chosen.place[entry]] + offset], chosen.list_of[entry]), rank[entry]


def _worth(placement: Placement, listed: Ints, start: Ints) -> NDArray[np.float64]:
    """Gain of each row that holds relevant items: the sum where the truth lists its item twice."""
    out: NDArray[np.float64] = np.add.reduceat(placement.gain[listed], start) if len(start) else np.empty(0)
    return out


def _one_each(
    placement: Placement, seats: Ints, worth: NDArray[np.float64], value: Mapping[str, str]
) -> tuple[Ints, Chosen, Ints]:
    """The same for one place a row (``seats``); the places are their numbers among ``seats``."""
    users = np.arange(len(placement))
    chosen = Chosen(np.arange(len(seats)), placement.user[seats])
    if value["order"] == "rows":
        return users, chosen, placement.row[seats] + 1
    above, tied = placement.above[seats], placement.tied[seats]
    match value["ties"]:
        case "given":
            inside = placement.before[seats]
        case "reversed":
            inside = tied - 1 - placement.before[seats]
        case "item_asc":
            inside = placement.before_item[seats]
        case "item_desc":
            inside = tied - 1 - placement.before_item[seats]
        case "text_asc":
            inside = placement.before_text[seats]
        case "text_desc":
            inside = tied - 1 - placement.before_text[seats]
        case "best" | "worst" as rule:
            inside = _extreme(placement, seats, worth, rule)
        case _ if (tied > 1).any():
            return _averaged(placement, seats)
        case _:
            inside = placement.before[seats]
    return users, chosen, above + inside + 1


def _extreme(placement: Placement, seats: Ints, worth: NDArray[np.float64], rule: str) -> Ints:
    """Place inside the tie group with the relevant items first (best gain on top) or last (best at the end)."""
    user, above = placement.user[seats], placement.above[seats]
    by_group = np.lexsort((worth if rule == "worst" else -worth, above, user))
    group = user[by_group] * (int(above.max(initial=0)) + 1) + above[by_group]
    inside = np.empty(len(seats), dtype=np.int64)
    inside[by_group] = np.arange(len(seats)) - np.searchsorted(group, group)
    if rule == "worst":
        size = np.searchsorted(group, group, side="right") - np.searchsorted(group, group)
        inside[by_group] += placement.tied[seats][by_group] - size
    return inside


def _averaged(placement: Placement, seats: Ints) -> tuple[Ints, Chosen, Ints]:
    """Every order of the tied items as a list of its own."""
    owner: list[int] = []
    place: list[Ints] = []
    list_of: list[Ints] = []
    rank: list[Ints] = []
    fixed = placement.above[seats] + placement.before[seats] + 1
    bounds = np.searchsorted(placement.user[seats], np.arange(len(placement) + 1))
    for number in range(len(placement)):
        own = np.arange(bounds[number], bounds[number + 1])
        for ranks in _orders(placement, seats[own], fixed[own]):
            place.append(own)
            list_of.append(np.full(len(ranks), len(owner)))
            rank.append(ranks)
            owner.append(number)
    empty = np.empty(0, dtype=np.int64)
    chosen = Chosen(np.concatenate([empty, *place]), np.concatenate([empty, *list_of]))
    return np.array(owner, dtype=np.int64), chosen, np.concatenate([empty, *rank])


def _orders(placement: Placement, own: Ints, fixed: Ints) -> Iterator[Ints]:
    above, tied = placement.above[own], placement.tied[own]
    groups = [np.flatnonzero((above == level) & (tied > 1)) for level in np.unique(above[tied > 1])]
    count = 1
    for group in groups:
        count *= perm(int(tied[group[0]]), len(group))
    if count > MAX_ORDERS:
        raise TooManyOrdersError(f"the tied items of one user have {count:,} orders, more than {MAX_ORDERS:,}")
    for spots in product(*(permutations(range(int(tied[group[0]])), len(group)) for group in groups)):
        ranks = fixed.copy()
        for group, inside in zip(groups, spots, strict=True):
            ranks[group] = above[group] + np.array(inside) + 1
        yield ranks
