"""A dict of what was made last: the oldest entry goes when there are too many."""

from __future__ import annotations

from typing import TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
MOST_KEPT = 150
"""So many ways to order and select the rows of one problem are kept: more than the definitions near one take."""


class Recent(dict[_Key, _Value]):
    """Holds at most :data:`MOST_KEPT` entries, those that were set last."""

    def __setitem__(self, key: _Key, value: _Value) -> None:
        """Set an entry, and forget the oldest one if there are more than may be kept."""
        super().__setitem__(key, value)
        if len(self) > MOST_KEPT:
            del self[next(iter(self))]
