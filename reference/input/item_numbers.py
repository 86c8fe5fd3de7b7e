"""Numbers for the ids that occur in some columns, cheap to look up for millions of rows at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.reference.input.case import Ids, Ints
from recsys_metric_audit.reference.input.distinct import BLOCK, distinct

Integer = TypeVar("Integer", bound=np.integer[Any])

_WIDE = 1 << 44


@dataclass(frozen=True, eq=False)
class IdIndex:
    """The ``distinct`` ids of some columns, ascending; ``narrow`` if a table over their whole range is small."""

    distinct: Ids
    narrow: bool

    @staticmethod
    def of(*columns: Ids) -> IdIndex:
        """Collect the ids of some columns."""
        known = distinct(*columns).astype(np.int64)
        span = int(known[-1]) - int(known[0]) if len(known) else 0
        return IdIndex(known, narrow=span < max(4 * sum(map(len, columns)), 1 << 16))

    def __len__(self) -> int:
        return len(self.distinct)

    @cached_property
    def least(self) -> int:
        """The id whose :meth:`offset` is 0: 0 where that widens the span little, since ids are then their offsets."""
        low, high = (int(self.distinct[0]), int(self.distinct[-1])) if len(self) else (0, 0)
        return 0 if 0 <= low <= (high - low) // 4 else low

    @cached_property
    def span(self) -> int:
        """An upper bound (exclusive) of :meth:`offset`."""
        width = int(self.distinct[-1]) - self.least + 1 if len(self) else 1
        return width if width < _WIDE else len(self)

    def offset(self, item: Ids) -> Ints:
        """Return a number for each id, different for different ids, from 0 to below ``span``."""
        if self.span == len(self) and not self.narrow:
            return np.searchsorted(self.distinct, item)
        return np.subtract(item, self.least, dtype=np.int64) if self.least else item.astype(np.int64, copy=False)

    def keys(self, base: Ints, length: Ints, item: Ids) -> Ints:
        """Return each id's offset plus the ``base`` of its list, for lists of the given ``length``."""
        if self.span == len(self) and not self.narrow:
            return np.repeat(base, length) + self.offset(item)
        key = np.repeat(base - self.least, length)
        key += item
        return key

    def code(self, item: Ids) -> Ints:
        """Return the index of each id in ``distinct``."""
        return self.code_as(np.int64, item)

    def code_as(self, dtype: type[Integer], item: Ids) -> NDArray[Integer]:
        """Return the index of each id in ``distinct`` as ``dtype``, which must be wide enough."""
        by_table = self.narrow and len(item) >= len(self)
        table = np.zeros(self.span if by_table else 0, dtype=dtype)
        if by_table:
            table[self.offset(self.distinct)] = np.arange(len(self))
        out = np.empty(len(item), dtype=dtype)
        for start in range(0, len(item), BLOCK):
            block = item[start : start + BLOCK]
            code = table[self.offset(block)] if by_table else np.searchsorted(self.distinct, block)
            out[start : start + BLOCK] = code
        return out

    @cached_property
    def text_rank(self) -> Ints:
        """The rank of each of ``distinct`` in the order of the ids as text."""
        return text_rank(self.distinct)


def text_rank(ids: Ids) -> Ints:
    """Return the rank of each of these distinct whole numbers in the order of their decimal texts.

    The digits, written from the left into a field of 19, compare as the text does; of two that fill the field
    alike (5 and 50) the shorter text is first; a minus sign comes before every digit.
    """
    size = np.abs(ids).astype(np.uint64)
    powers = np.uint64(10) ** np.arange(19, dtype=np.uint64)
    digits = np.maximum(np.searchsorted(powers, size, side="right"), 1)
    out = np.empty(len(ids), dtype=np.int64)
    out[np.lexsort((digits, size * powers[19 - digits], ids >= 0))] = np.arange(len(ids))
    return out


def text_key(numbers: Ints, digits: int) -> Ints:
    """Return keys that sort like the decimal texts of ``numbers``: 0 or more, of at most ``digits`` (17) digits."""
    powers = 10 ** np.arange(digits + 1, dtype=np.int64)
    own = np.maximum(np.searchsorted(powers, numbers, side="right"), 1)
    out: Ints = numbers * powers[digits - own] * 32 + own
    return out
