"""The rank of each row that holds relevant items, under a rule for equal scores (axis ``ties``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import permutations

import numpy as np

from recsys_metric_audit.reference.placement.placement import Placement
from recsys_metric_audit.reference.space.lists import Bools, Floats, Ints, Ranks

MAX_ORDERS = 5040
_COUNTED = 10**15
"""Orders from which on they are not counted to the end."""


class TooManyOrdersError(ValueError):
    """Tells that the tied items of a user have more orders than can be averaged exactly."""


def pair_starts(first: Ints, second: Ints) -> Bools:
    """Tell for each pair (first, second) whether it differs from the pair before."""
    out = np.ones(len(first), dtype=bool)
    out[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return out


class ListedPlaces:
    """Places and the list that holds each; a user has several lists if ties are averaged over their orders."""

    def __init__(self, place: Ints, list_of: Ints) -> None:
        self.place, self.list_of = place, list_of


def tie_ranks(placement: Placement, listed: Ints, value: Mapping[str, str]) -> tuple[Ints, ListedPlaces, Ranks]:
    """Return (user of each list, places and their lists, 1-based rank of each place).

    Raises:
        TooManyOrdersError: if ties are averaged and the ties of a user have more than MAX_ORDERS orders.
    """
    start = np.flatnonzero(pair_starts(placement.user[listed], placement.row[listed]))
    owner, chosen, rank = _rank_rows(placement, listed[start], _row_gains(placement, listed, start), value)
    if len(start) == len(listed):
        return owner, ListedPlaces(listed[chosen.place], chosen.list_of), rank
    times = np.diff(np.append(start, len(listed)))[chosen.place]
    entry = np.repeat(np.arange(len(times)), times)
    offset = np.arange(len(entry)) - np.repeat(np.cumsum(times) - times, times)
    return owner, ListedPlaces(listed[start[chosen.place[entry]] + offset], chosen.list_of[entry]), rank[entry]


def _row_gains(placement: Placement, listed: Ints, start: Ints) -> Floats:
    """Return the gain of each row that holds relevant items: a sum if the truth lists its item twice."""
    out: Floats = np.add.reduceat(placement.gain[listed], start) if len(start) else np.empty(0)
    return out


def _rank_rows(
    placement: Placement, rows: Ints, row_gain: Floats, value: Mapping[str, str]
) -> tuple[Ints, ListedPlaces, Ranks]:
    """Rank ``rows``, one place each; the places returned are indices into ``rows``."""
    users = np.arange(len(placement))
    chosen = ListedPlaces(np.arange(len(rows)), placement.user[rows])
    if value["order"] == "rows":
        return users, chosen, placement.row[rows] + 1
    above, tied = placement.above[rows], placement.tied[rows]
    ties = value["ties"]
    if ties == "middle":
        return users, chosen, above + (tied + 1) / 2
    if ties == "average" and (tied > 1).any():
        return _all_orders(placement, rows)
    if ties in ("best", "worst"):
        inside = _extreme(placement, rows, row_gain, ties)
    elif ties == "shared":
        inside = np.zeros_like(tied)
    else:
        by_id = {"item": placement.before_item, "text": placement.before_text}
        inside = by_id.get(ties.partition("_")[0], placement.before)[rows]
        if ties in ("reversed", "item_desc", "text_desc"):
            inside = tied - 1 - inside
    return users, chosen, above + inside + 1


def _extreme(placement: Placement, rows: Ints, row_gain: Floats, rule: str) -> Ints:
    """Return places inside tie groups, relevant items first (best gain on top) or last (best at the end)."""
    user, above = placement.user[rows], placement.above[rows]
    by_group = np.lexsort((row_gain if rule == "worst" else -row_gain, above, user))
    group = user[by_group] * (int(above.max(initial=0)) + 1) + above[by_group]
    inside = np.empty(len(rows), dtype=np.int64)
    inside[by_group] = np.arange(len(rows)) - np.searchsorted(group, group)
    if rule == "worst":
        size = np.searchsorted(group, group, side="right") - np.searchsorted(group, group)
        inside[by_group] += placement.tied[rows][by_group] - size
    return inside


def _all_orders(placement: Placement, rows: Ints) -> tuple[Ints, ListedPlaces, Ranks]:
    """Make every order of a user's tied items a list of its own."""
    fixed, user = placement.above[rows] + placement.before[rows] + 1, placement.user[rows]
    has_ties = np.bincount(user, weights=placement.tied[rows] > 1, minlength=len(placement)) > 0
    # Most users have no tied row, and one list; they are taken all at once.
    owner, untied = np.flatnonzero(~has_ties).tolist(), np.flatnonzero(~has_ties[user])
    number = np.cumsum(~has_ties) - 1
    place, list_of, rank = [untied], [number[user[untied]]], [fixed[untied]]
    bounds = np.searchsorted(user, np.arange(len(placement) + 1))
    for each in np.flatnonzero(has_ties).tolist():
        own = np.arange(bounds[each], bounds[each + 1])
        ranks = _orders(placement, rows[own], fixed[own])
        place.append(np.tile(own, len(ranks)))
        list_of.append(np.repeat(len(owner) + np.arange(len(ranks)), len(own)))
        rank.append(ranks.ravel())
        owner += [each] * len(ranks)
    by_owner = np.argsort(owner, kind="stable")
    new_number = np.empty_like(by_owner)
    new_number[by_owner] = np.arange(len(owner))
    lists = new_number[np.concatenate(list_of)]
    by_list = np.argsort(lists, kind="stable")
    chosen = ListedPlaces(np.concatenate(place)[by_list], lists[by_list])
    return np.array(owner, dtype=np.int64)[by_owner], chosen, np.concatenate(rank)[by_list]


def _number_of_orders(groups: Iterable[tuple[int, int]]) -> int:
    """Multiply in how many ways so many of the tied can be placed, group by group, until it is ``_COUNTED`` or more."""
    count = 1
    for tied, placed in groups:
        for taken in range(placed):
            count *= tied - taken
            if count >= _COUNTED:  # a number of thousands of digits takes long, and cannot be printed
                return count
    return count


def _orders(placement: Placement, own: Ints, fixed: Ints) -> Ints:
    """Return the rank of each of a user's rows in every order of the ties; shape (orders, rows)."""
    above, tied = placement.above[own], placement.tied[own]
    groups = [np.flatnonzero((above == level) & (tied > 1)) for level in np.unique(above[tied > 1])]
    count = _number_of_orders((int(tied[group[0]]), len(group)) for group in groups)
    if count > MAX_ORDERS:
        about = f"{count:,}" if count < _COUNTED else f"at least {_COUNTED:,}"
        raise TooManyOrdersError(f"the tied items of one user have {about} orders, more than {MAX_ORDERS:,}")
    made = [_permutations(int(tied[group[0]]), len(group)) for group in groups]
    ranks = np.tile(fixed, (count, 1))
    chosen = np.unravel_index(np.arange(count), [len(each) for each in made])
    for group, inside, number in zip(groups, made, chosen, strict=True):
        ranks[:, group] = above[group] + inside[number] + 1
    return ranks


@lru_cache(maxsize=200)
def _permutations(tied: int, placed: int) -> Ints:
    """Return the places that some of the tied rows can have, counted from 0; shape (orders, placed)."""
    return np.array(list(permutations(range(tied), placed)), dtype=np.int64)
