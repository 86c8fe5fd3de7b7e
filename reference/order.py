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
from reference.lists import Lists, Places
from reference.placement import Placement

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ORDERS_AT_MOST = 5040

ORDER = axis(
    "order", "what ranks the list",
    {"score": "by score, best first", "rows": "by the order of the rows; scores are not read"},
    slug="order-lost", part="order",
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
    },
    slug="tie-rule", part="order",
    sources={
        "average": "McSherry & Najork 2008, Computing information retrieval performance measures "
        "efficiently in the presence of tied scores, §2",
        "text_desc": "trec_eval README: ties are broken by document name, descending",
    },
)  # fmt: skip
DUPLICATES = axis(
    "duplicates", "an item that is recommended twice",
    {
        "counted": "every place counts as a hit",
        "first_in_place": "later places stay, but are no hits",
        "first_closed_up": "later places are removed and the list closes up",
        "last": "only the last place is kept, as in a dict, and the list closes up",
        "error": "the library refuses the input",
    },
    slug="duplicates", part="order",
)  # fmt: skip
TRUTH_DUPLICATES = axis(
    "truth_duplicates", "a relevant item that the truth lists twice",
    {
        "counted": "it counts twice, in the hits and in r",
        "once": "it counts once",
        "error": "the library refuses the input",
    },
    slug="truth-duplicates", part="order",
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


class TooManyOrdersError(ValueError):
    """The ties of a user have more orders than can be averaged exactly."""


def resolve(placement: Placement, k: Ints | int | None, values: Mapping[str, str]) -> Lists:
    """The lists of a placement under the order axes in ``values`` (those absent stand at their canonical value).

    ``k`` is one cut-off, one a user, or ``None`` for the whole list. Values ``error`` are not resolved here:
    :mod:`reference.evaluate` refuses the input before.

    Raises:
        TooManyOrdersError: with ``ties:average`` where a user's ties have more than 5,040 orders.
    """
    value = {axis.name: values.get(axis.name, axis.canonical) for axis in AXES}
    kept = _relevant(placement, value)
    relevant = np.bincount(placement.user[kept & (placement.repeat <= 0)], minlength=len(placement))
    ideal = _sorted(placement, np.flatnonzero(kept & (placement.repeat <= 0)), -placement.gain)
    listed = np.flatnonzero(kept & (placement.row >= 0) & _hit_rows(placement, value))
    closed = _closed_up(placement, value["duplicates"])
    length = placement.length - (placement.repeats if closed is not None else 0)
    above, tied = _levels(placement, value["order"])
    if closed is not None:
        above = above - closed
    owner, chosen, rank = _ranks(placement, listed, value, closed)
    base = np.full(len(placement), -1) if k is None else np.broadcast_to(np.asarray(k, np.int64), len(placement))
    base = np.where(base < 0, length, base)
    by_rank = np.lexsort((rank, chosen.list_of))
    index, list_of, rank = chosen.place[by_rank], chosen.list_of[by_rank], rank[by_rank]
    places = Places(list_of, rank, placement.gain[index], len(owner))
    if value["positions"] == "negatives_only":
        places = Places(list_of, rank - places.ordinal + 1, places.gain, len(owner))
    cut, depth = _cut(base, length, value["cutoff"])
    return Lists(
        k=cut[owner], depth=depth[owner], length=length[owner], relevant=relevant[owner],
        threshold=placement.threshold[owner], catalogue=placement.catalogue[owner], train=placement.train[owner],
        lowest=placement.lowest[owner], highest=placement.highest[owner], listed=places, above=above[index],
        tied=tied[index], score=placement.score[index], ideal=_repeat(ideal, owner, len(placement)), owner=owner,
    )  # fmt: skip


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
        kept = kept & (placement.copy == 0)
    if value["truth"] == "first":
        first = np.full(len(placement), np.iinfo(np.int64).max)
        np.minimum.at(first, placement.user[kept], placement.truth_row[kept])
        kept = kept & (placement.truth_row == first[placement.user])
    return kept


def _hit_rows(placement: Placement, value: Mapping[str, str]) -> Bools:
    """Listed rows that can be hits at all."""
    keep = np.ones(len(placement.row), dtype=bool)
    if value["duplicates"] in ("first_in_place", "first_closed_up"):
        keep &= placement.repeat <= 0
    if value["duplicates"] == "last":
        keep &= placement.later <= 0
    if value["counted_scores"] == "nonzero":
        keep &= placement.score != 0
    if value["counted_scores"] == "positive":
        keep &= placement.score > 0
    return keep


def _closed_up(placement: Placement, duplicates: str) -> Ints | None:
    """Rows above each place that are removed because their item stands elsewhere."""
    if duplicates == "first_closed_up":
        return placement.repeats_above
    return placement.replaced_above if duplicates == "last" else None


def _levels(placement: Placement, order: str) -> tuple[Ints, Ints]:
    if order == "rows":
        return placement.row, np.ones_like(placement.row)
    return placement.above, placement.tied


class _Chosen:
    """Which place stands in which list: ties that are averaged give a user several lists."""

    def __init__(self, place: Ints, list_of: Ints) -> None:
        self.place, self.list_of = place, list_of


def _ranks(
    placement: Placement, listed: Ints, value: Mapping[str, str], closed: Ints | None
) -> tuple[Ints, _Chosen, Ints]:
    """(owner of each list, places and their lists, 1-based rank of each of those places)."""
    users = np.arange(len(placement))
    shift = 0 if closed is None else closed[listed]
    chosen = _Chosen(listed, placement.user[listed])
    if value["order"] == "rows":
        return users, chosen, placement.row[listed] + 1 - shift
    above, tied = placement.above[listed], placement.tied[listed]
    match value["ties"]:
        case "given":
            inside = placement.before[listed]
        case "reversed":
            inside = tied - 1 - placement.before[listed]
        case "item_asc":
            inside = placement.before_item[listed]
        case "item_desc":
            inside = tied - 1 - placement.before_item[listed]
        case "text_asc":
            inside = placement.before_text[listed]
        case "text_desc":
            inside = tied - 1 - placement.before_text[listed]
        case "best" | "worst" as rule:
            inside = _extreme(placement, listed, rule)
        case _:
            return _averaged(placement, listed, shift)
    return users, chosen, above + inside + 1 - shift


def _extreme(placement: Placement, listed: Ints, rule: str) -> Ints:
    """Place inside the tie group with the relevant items first (best gain on top) or last (best at the end)."""
    user, above = placement.user[listed], placement.above[listed]
    gain = placement.gain[listed] * (1 if rule == "worst" else -1)
    by_group = np.lexsort((gain, above, user))
    group = user[by_group] * (int(above.max(initial=0)) + 1) + above[by_group]
    inside = np.empty(len(listed), dtype=np.int64)
    inside[by_group] = np.arange(len(listed)) - np.searchsorted(group, group)
    if rule == "worst":
        size = np.searchsorted(group, group, side="right") - np.searchsorted(group, group)
        inside[by_group] += placement.tied[listed][by_group] - size
    return inside


def _averaged(placement: Placement, listed: Ints, shift: Ints | int) -> tuple[Ints, _Chosen, Ints]:
    """Every order of the tied items as a list of its own."""
    owner: list[int] = []
    place: list[Ints] = []
    list_of: list[Ints] = []
    rank: list[Ints] = []
    user = placement.user[listed]
    fixed = placement.above[listed] + placement.before[listed] + 1
    bounds = np.searchsorted(user, np.arange(len(placement) + 1))
    for number in range(len(placement)):
        own = slice(bounds[number], bounds[number + 1])
        for ranks in _orders(placement, listed[own], fixed[own]):
            place.append(listed[own])
            list_of.append(np.full(len(ranks), len(owner)))
            rank.append(ranks - (shift if isinstance(shift, int) else shift[own]))
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
