"""Order and input: which truth rows are relevant, and at which rank each of them stands.

These axes turn a placement into the lists that formulas see, so that no formula knows about ties, duplicates
or thresholds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product
from math import perm

import numpy as np
from numpy.typing import NDArray

from reference.axis import axis
from reference.lists import Lists, Places, down_to
from reference.placement import Placement

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ORDERS_AT_MOST = 5040

_OTHER = "in a way that none of these values describes; evaluated as the canonical one"

ORDER = axis(
    "order", "what ranks the list",
    {"score": "by score, best first", "rows": "by the order of the rows; scores are not read"},
    slug="order-lost", part="order",
    sources={"rows": "Tamm et al. 2021, §4: a rank is the position in the recommendation list"},
)  # fmt: skip
TIES = axis(
    "ties", "order of equal scores",
    {
        "given": "as given (a stable sort)",
        "reversed": "the other way round than given",
        "item_asc": "by item id as a number, ascending",
        "item_desc": "by item id as a number, descending",
        "text_asc": "by item id as text, ascending",
        "text_desc": "by item id as text, descending",
        "average": "the mean over all orders of the tied items",
        "best": "relevant items first (optimistic)",
        "worst": "relevant items last (pessimistic)",
        "other": _OTHER,
    },
    slug="tie-rule", part="order",
    sources={
        "average": "McSherry & Najork 2008, Computing information retrieval performance measures "
        "efficiently in the presence of tied scores, §2",
        "text_desc": "trec_eval README: ties are broken by document name, descending",
    },
)  # fmt: skip
DUPLICATES = axis(
    "duplicates", "an item that is recommended twice (which copy is the later one is settled before ties are)",
    {
        "counted": "every place counts as a hit",
        "first_in_place": "later places stay, but are no hits",
        "first_closed_up": "later places are removed and the list closes up",
        "last": "only the last place is kept, as in a dict, and the list closes up",
        "error": "the library refuses the input",
        "other": _OTHER,
    },
    slug="duplicates", part="order",
    sources={"first_in_place": "Tamm et al. 2021, §4.1: rel(u) and rec(u) are intersected as sets"},
)  # fmt: skip
TRUTH_DUPLICATES = axis(
    "truth_duplicates", "a relevant item that the truth lists twice",
    {
        "counted": "it counts twice, in the hits and in r",
        "once": "it counts once",
        "error": "the library refuses the input",
        "other": _OTHER,
    },
    slug="truth-duplicates", part="order",
    sources={"once": "Tamm et al. 2021, §4.1: rel(u) and rec(u) are intersected as sets"},
)  # fmt: skip
CUTOFF = axis(
    "cutoff", "how deep hits count, and which k stands in denominators",
    {
        "k": "the first k rows",
        "none": "the whole list; k is the list's length everywhere",
        "hits_uncut": "hits count in the whole list; k stays in the denominator",
        "k_plus_1": "k + 1 rows",
        "k_minus_1": "k - 1 rows",
    },
    slug="cut-off", part="order",
)  # fmt: skip
POSITIONS = axis(
    "positions", "what a rank counts",
    {
        "list": "the place in the list",
        "negatives_only": "one plus the irrelevant items above: relevant ones push nobody down",
    },
    slug="positions", part="order",
)  # fmt: skip
RELEVANCE = axis(
    "relevance", "which truth rows are relevant (t is the case's threshold)",
    {
        "every_row": "every one",
        "positive": "gain > 0",
        "at_least_t": "gain >= t",
        "above_t": "gain > t",
        "equal_1": "gain = 1",
    },
    slug="relevance-threshold", part="order",
)  # fmt: skip
COUNTED_SCORES = axis(
    "counted_scores", "which recommended rows can be hits",
    {"any": "all", "nonzero": "score other than 0", "positive": "score above 0"},
    slug="score-filter", part="order",
)  # fmt: skip
TRUTH = axis(
    "truth", "which relevant items are looked at",
    {"all": "all", "first": "the first truth row only (leave-one-out code)"},
    slug="leave-one-out", part="order",
)  # fmt: skip

AXES = (ORDER, TIES, DUPLICATES, TRUTH_DUPLICATES, CUTOFF, POSITIONS, RELEVANCE, COUNTED_SCORES, TRUTH)


def first_copy_leads(values: Mapping[str, str]) -> bool:
    """Whether the copy of an item that counts with ``duplicates:first_in_place`` is ranked before the others, so that
    the first hit does not change when they count too."""
    ranked = values.get("order") == "rows" or values.get("ties") in ("given", "item_asc", "text_asc", "best")
    return ranked and values.get("counted_scores") == "any"


class TooManyOrdersError(ValueError):
    """The ties of a user have more orders than can be averaged exactly."""


def resolve(placement: Placement, k: Ints | int | None, values: Mapping[str, str]) -> Lists:
    """The lists of a placement under the order axes in ``values`` (those absent stand at their canonical value).

    ``k`` is one cut-off, one a user, or ``None`` for the whole list. Where ``duplicates`` closes lists up, the
    placement is that of :func:`reference.duplicates.closed_up`. Values ``error`` are not resolved here:
    :mod:`reference.evaluation` refuses the input before.

    Raises:
        TooManyOrdersError: with ``ties:average`` where a user's ties have more than 5,040 orders.
    """
    value = {axis.name: values.get(axis.name, axis.canonical) for axis in AXES}
    value |= {axis.name: axis.canonical for axis in AXES if value[axis.name] == "other"}
    kept = _relevant(placement, value)
    every = np.flatnonzero(kept & (placement.repeat <= 0))
    relevant = np.bincount(placement.user[every], minlength=len(placement))
    ideal = _sorted(placement, every, -placement.gain)
    listed = np.flatnonzero(kept & (placement.row >= 0) & _hit_rows(placement, value))
    above, tied = _levels(placement, value["order"])
    owner, chosen, rank = _ranks(placement, listed, value)
    base = np.full(len(placement), -1) if k is None else np.broadcast_to(np.asarray(k, np.int64), len(placement))
    base = np.where(base < 0, placement.length, base)
    by_rank = _sorting(chosen.list_of, rank)
    index, list_of, rank = chosen.place[by_rank], chosen.list_of[by_rank], rank[by_rank]
    fresh = _starts(list_of, rank)
    places = Places(list_of, rank, placement.gain[index], len(owner))
    if value["positions"] == "negatives_only":
        places = Places(list_of, rank - down_to(places, fresh) + 1, places.gain, len(owner))
    cut, depth = _cut(base, placement.length, value["cutoff"])
    return Lists(
        k=cut[owner], depth=depth[owner], length=placement.length[owner], relevant=relevant[owner],
        missed=(relevant - _found(placement, listed))[owner], threshold=placement.threshold[owner],
        catalogue=placement.catalogue[owner], train=placement.train[owner], lowest=placement.lowest[owner],
        highest=placement.highest[owner], listed=places, above=above[index], tied=tied[index],
        score=placement.score[index], fresh=fresh, ideal=_repeat(ideal, owner, len(placement)), owner=owner,
    )  # fmt: skip


def _starts(first: Ints, second: Ints) -> Bools:
    """Where a pair differs from the one before."""
    out = np.ones(len(first), dtype=bool)
    out[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return out


def _sorting(first: Ints, second: Ints) -> Ints:
    """The stable order by ``first``, then ``second``; quick, unlike a lexsort, on what is in order already."""
    low, high = int(second.min(initial=0)), int(second.max(initial=0))
    return np.argsort(first * (high - low + 1) + (second - low), kind="stable")


def _found(placement: Placement, listed: Ints) -> Ints:
    """Per user, the truth rows that stand in the list, each once."""
    user, row = placement.user[listed], placement.truth_row[listed]
    by_row = _sorting(user, row)
    return np.bincount(user[by_row][_starts(user[by_row], row[by_row])], minlength=len(placement))


def _firsts(user: Ints, key: Ints, order: Ints) -> Bools:
    """Whether each entry has the least ``order`` among those of the same user and key."""
    by_key = np.lexsort((order, key, user))
    start = _starts(user[by_key], key[by_key])
    least = order[by_key][start][np.cumsum(start) - 1] if len(by_key) else order
    out = np.empty(len(user), dtype=bool)
    out[by_key] = order[by_key] == least
    return out


def _relevant(placement: Placement, value: Mapping[str, str]) -> Bools:
    gain, threshold = placement.gain, placement.threshold[placement.user]
    match value["relevance"]:
        case "positive":
            kept = gain > 0
        case "at_least_t":
            kept = gain >= threshold
        case "above_t":
            kept = gain > threshold
        case "equal_1":
            kept = gain == 1
        case _:
            kept = np.ones(len(gain), dtype=bool)
    if value["truth_duplicates"] == "once":
        place = np.flatnonzero(kept)
        kept = np.zeros(len(gain), dtype=bool)
        kept[place] = _firsts(placement.user[place], placement.item[place], placement.truth_row[place])
    if value["truth"] == "first":
        first = np.full(len(placement), np.iinfo(np.int64).max)
        np.minimum.at(first, placement.user[kept], placement.truth_row[kept])
        kept = kept & (placement.truth_row == first[placement.user])
    return kept


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


class _Chosen:
    """Which place stands in which list: ties that are averaged give a user several lists."""

    def __init__(self, place: Ints, list_of: Ints) -> None:
        self.place, self.list_of = place, list_of


def _ranks(placement: Placement, listed: Ints, value: Mapping[str, str]) -> tuple[Ints, _Chosen, Ints]:
    """(owner of each list, places and their lists, 1-based rank of each of those places)."""
    start = np.flatnonzero(_starts(placement.user[listed], placement.row[listed]))
    owner, chosen, rank = _seat_ranks(placement, listed[start], _worth(placement, listed, start), value)
    if len(start) == len(listed):
        return owner, _Chosen(listed[chosen.place], chosen.list_of), rank
    times = np.diff(np.append(start, len(listed)))[chosen.place]
    entry = np.repeat(np.arange(len(times)), times)
    offset = np.arange(len(entry)) - np.repeat(np.cumsum(times) - times, times)
    return owner, _Chosen(listed[start[chosen.place[entry]] + offset], chosen.list_of[entry]), rank[entry]


def _worth(placement: Placement, listed: Ints, start: Ints) -> NDArray[np.float64]:
    """Gain of each row that holds relevant items: the sum where the truth lists its item twice."""
    out: NDArray[np.float64] = np.add.reduceat(placement.gain[listed], start) if len(start) else np.empty(0)
    return out


def _seat_ranks(
    placement: Placement, seats: Ints, worth: NDArray[np.float64], value: Mapping[str, str]
) -> tuple[Ints, _Chosen, Ints]:
    """The same for one place a row (``seats``); the places are their numbers among ``seats``."""
    users = np.arange(len(placement))
    chosen = _Chosen(np.arange(len(seats)), placement.user[seats])
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


def _averaged(placement: Placement, seats: Ints) -> tuple[Ints, _Chosen, Ints]:
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
    chosen = _Chosen(np.concatenate([empty, *place]), np.concatenate([empty, *list_of]))
    return np.array(owner, dtype=np.int64), chosen, np.concatenate([empty, *rank])


def _orders(placement: Placement, own: Ints, fixed: Ints) -> Iterator[Ints]:
    above, tied = placement.above[own], placement.tied[own]
    groups = [np.flatnonzero((above == level) & (tied > 1)) for level in np.unique(above[tied > 1])]
    count = 1
    for group in groups:
        count *= perm(int(tied[group[0]]), len(group))
    if count > ORDERS_AT_MOST:
        raise TooManyOrdersError(f"the tied items of one user have {count:,} orders, more than {ORDERS_AT_MOST:,}")
    for spots in product(*(permutations(range(int(tied[group[0]])), len(group)) for group in groups)):
        ranks = fixed.copy()
        for group, inside in zip(groups, spots, strict=True):
            ranks[group] = above[group] + np.array(inside) + 1
        yield ranks


def _cut(k: Ints, length: Ints, cutoff: str) -> tuple[Ints, Ints]:
    """(k as it stands in denominators, depth to which hits count)."""
    shift = {"k_plus_1": 1, "k_minus_1": -1}.get(cutoff, 0)
    if cutoff == "none":
        return length, length
    return k + shift, length if cutoff == "hits_uncut" else k + shift


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
