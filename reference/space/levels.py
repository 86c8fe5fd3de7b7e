"""Levels: the question that an axis answers: what is computed, who counts, or how unusual input is handled.

A reader of a finding asks these three questions in this order and gets three answers. A verdict is about the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

Level = Literal["formula", "who_counts", "input"]

LEVELS: Final[tuple[Level, ...]] = ("formula", "who_counts", "input")
"""All levels, in the order in which a signature names their axes."""

_WHO_COUNTS = frozenset({"users", "undefined", "no_hit", "no_negatives", "no_list", "no_pair", "no_history", "nobody"})
_INPUT = frozenset({
    "order", "ties", "tied_scores", "short_lists", "duplicates", "truth_duplicates", "relevance", "counted_scores",
    "candidates",
})  # fmt: skip


def level_of(axis: str) -> Level:
    """Return the level of the axis of that name; axes that neither table names belong to the formula."""
    if axis in _WHO_COUNTS:
        return "who_counts"
    return "input" if axis in _INPUT else "formula"


def by_level(axes: Iterable[str]) -> dict[Level, tuple[str, ...]]:
    """Return ``axes`` sorted into their levels, each in the order given."""
    names = tuple(axes)
    return {level: tuple(name for name in names if level_of(name) == level) for level in LEVELS}
