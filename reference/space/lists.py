"""The ranked lists that formulas read, after order and input axes have been applied; one entry a list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ranks = NDArray[Any]
"""Whole numbers; halves too where tied rows share the mean of their places."""


@dataclass(frozen=True, eq=False)
class Ratio:
    """A value of each list as numerator and denominator, both of shape (lists,); 0/0 means undefined.

    Kept apart because pooling sums them separately. ``root`` takes the square root of the quotient.
    """

    numerator: Floats
    denominator: Floats
    root: bool = False

    @property
    def value(self) -> Floats:
        """The quotients, NaN where the denominator is 0."""
        shape = np.shape(self.denominator)
        out = np.full(shape, np.nan)
        np.divide(self.numerator, self.denominator, out=out, where=np.asarray(self.denominator) != 0)
        return np.sqrt(out) if self.root else out


@dataclass(frozen=True, eq=False)
class Places:
    """Ranked items of several lists: ``list`` index, 1-based ``rank``, ``gain``; sorted by list, then rank."""

    list: Ints
    rank: Ranks
    gain: Floats
    lists: int

    def sum(self, values: Floats | Ints | float) -> Floats:
        """Sum ``values`` (one a place, or one for all) over each list; shape (lists,)."""
        weights = np.broadcast_to(np.asarray(values, dtype=np.float64), self.list.shape)
        return np.asarray(np.bincount(self.list, weights=weights, minlength=self.lists), dtype=np.float64)

    @cached_property
    def count(self) -> Ints:
        """The number of places of each list."""
        return np.bincount(self.list, minlength=self.lists).astype(np.int64)

    @cached_property
    def ordinal(self) -> Ints:
        """The 1-based number of each place among the places of its list."""
        starts = np.cumsum(self.count) - self.count
        return np.arange(1, len(self.list) + 1) - starts[self.list]

    def where(self, keep: Bools) -> Places:
        """Return the places for which ``keep`` (one a place) holds."""
        at = np.flatnonzero(keep)  # a tenth of the time of indexing with a mask, where true and false alternate
        return Places(self.list.take(at), self.rank.take(at), self.gain.take(at), self.lists)


@dataclass(frozen=True, eq=False)
class Lists:
    """Ranked lists with everything that a formula may read of them.

    Per list: cut-off ``k`` (for denominators), ``depth`` (down to which rank hits count), ``length``, ``given``
    (rows before some were selected as candidates), ``relevant`` (r), ``missed`` (relevant items that are not in the
    list), relevance ``threshold``, ``catalogue`` (number of items that exist), ``train`` (items seen in training),
    ``rated`` (truth rows, relevant or not), rating scale (``lowest``, ``highest``), ``at_half`` (rows with a score of
    0.5 and more).

    ``listed``: every relevant item that stands in the list; ``above`` and ``tied`` say for each how many rows
    score strictly higher and how many score the same (itself included); ``score`` is its score; ``fresh`` is
    false where the place before stands on the same row (an item that the truth lists twice); ``once`` is true at one
    of the places of each truth row (several where the item is recommended twice). ``ideal``: all
    relevant items, best gain first. ``owner``: the user each list belongs to (several where ties are averaged).
    """

    k: Ints
    depth: Ints
    length: Ints
    given: Ints
    relevant: Ints
    missed: Ints
    threshold: Floats
    catalogue: Ints
    train: Ints
    rated: Ints
    lowest: Floats
    highest: Floats
    at_half: Ints
    listed: Places
    above: Ints
    tied: Ints
    score: Floats
    fresh: Bools
    once: Bools
    ideal: Places
    owner: Ints

    def __len__(self) -> int:
        return len(self.k)

    @cached_property
    def inside(self) -> Bools:
        """Mask of the listed places within the depth."""
        inside: Bools = self.listed.rank <= self.depth[self.listed.list]
        return inside

    @cached_property
    def hits(self) -> Places:
        """The relevant items within the depth."""
        return self.listed.where(self.inside)

    @cached_property
    def irrelevant_above(self) -> Ints:
        """The number of irrelevant rows ranked above each listed place, if ranks are places in the list."""
        out: Ints = self.listed.rank - 1 - rows_above(self.listed, self.fresh)
        return out

    @cached_property
    def positives(self) -> Ints:
        """Count the relevant items in the list, as often as they count there, plus the missed ones."""
        return self.listed.count + self.missed

    @cached_property
    def negatives(self) -> Ints:
        """The number of rows of the list without a relevant item."""
        return self.length - np.bincount(self.listed.list[self.fresh], minlength=len(self))

    @cached_property
    def shown_negatives(self) -> Ints:
        """The number of rows within the depth without a relevant item, if ranks are places in the list."""
        taken = np.bincount(self.listed.list[self.fresh & self.inside], minlength=len(self))
        return np.maximum(np.minimum(self.depth, self.length), 0) - taken

    @cached_property
    def shown(self) -> Ints:
        """The number of rows shown, n = min(k, length)."""
        return np.minimum(self.k, self.length)

    @cached_property
    def reachable(self) -> Ints:
        """The most hits that a list of length k can have, min(k, r)."""
        return np.minimum(self.k, self.relevant)

    @cached_property
    def ideal_at_k(self) -> Places:
        """Keep the first k places of the ideal list."""
        return self.ideal_within(self.k)

    def ideal_within(self, bound: Ints) -> Places:
        """Return the first ``bound`` (one a list) places of the ideal list."""
        return self.ideal.where(self.ideal.rank <= bound[self.ideal.list])


def kept_with_lists(function: Callable[..., Floats]) -> Callable[..., Floats]:
    """Keep what a function returns for lists and words for as long as the lists live, and no longer."""

    @wraps(function)
    def kept(lists: Lists, *words: str) -> Floats:
        held: dict[tuple[str, ...], Floats] = lists.__dict__.setdefault("_kept", {})
        key = (function.__name__, *words)
        if key not in held:
            held[key] = function(lists, *words)
        return held[key]

    return kept


def down_to(places: Places, marked: Bools) -> Ints:
    """Count, for each place, the marked places of its list down to it, itself included."""
    total = np.concatenate([[0], np.cumsum(marked)])
    start = np.cumsum(places.count) - places.count
    out: Ints = total[1:] - total[start[places.list]]
    return out


def rows_above(places: Places, fresh: Bools) -> Ints:
    """Count, for each place, the rows of its list that hold other places and are ranked above it.

    ``fresh`` marks the first place of each row. Places of one rank, on one row or sharing it, have the same rows above.
    """
    rows = down_to(places, fresh)
    starts = _rank_starts(places)
    out: Ints = np.repeat(rows[starts], np.diff(np.append(starts, len(rows)))) - 1
    return out


def rows_beside(places: Places, fresh: Bools) -> Ints:
    """Count, for each place, the other rows of its list that hold places and share its rank."""
    starts = _rank_starts(places)
    rows = np.add.reduceat(fresh.astype(np.int64), starts) if len(starts) else np.zeros(0, np.int64)
    out: Ints = np.repeat(rows, np.diff(np.append(starts, len(fresh)))) - 1
    return out


def _rank_starts(places: Places) -> Ints:
    """Return the first place of each rank of each list."""
    return np.flatnonzero((np.diff(places.list, prepend=-1) != 0) | (np.diff(places.rank, prepend=-1) != 0))


def harmonic(upto: Ints) -> Floats:
    """Return the harmonic number H(n) = 1 + 1/2 + ... + 1/n for each n; H(0) = 0."""
    top = int(upto.max(initial=0))
    table = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, top + 1))])
    out: Floats = table[upto]
    return out


def cumulated(upto: Ints, terms: Floats) -> Floats:
    """Sum the first ``upto`` (one a list) of ``terms``, which must be long enough."""
    out: Floats = np.concatenate([[0.0], np.cumsum(terms)])[upto]
    return out
