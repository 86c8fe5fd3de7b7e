"""Says who is averaged over: each value of the axis ``users`` asks that a user has some properties.

Evaluation and the search read this one table: a further value of the axis is a row here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

Property = Literal["rated", "relevant", "one_relevant", "listed", "hit", "trained"]
"""Names what a user may have: truth rows, relevant items, exactly one of those, recommendations, a hit, train rows."""

_IMPLIED: Mapping[Property, frozenset[Property]] = {
    "relevant": frozenset({"rated"}),
    "one_relevant": frozenset({"relevant", "rated"}),
    "hit": frozenset({"relevant", "rated", "listed"}),
}
"""Gives the further properties of a user who has one."""
_ASKED: Mapping[str, tuple[Property, ...]] = {
    "truth": ("relevant",),
    "both": ("relevant", "listed"),
    "predictions": ("listed",),
    "all": (),
    "hits": ("hit",),
    "one_relevant": ("one_relevant",),
    "truth_rows": ("rated",),
    "both_rows": ("rated", "listed"),
    "train": ("trained",),
}
"""Lists the properties that each value of the axis asks for, without those that they imply."""


def asked_properties(users: str) -> tuple[Property, ...]:
    """Return the properties that an averaged user must have, without those that they imply."""
    return _ASKED[users]


@cache
def _closed(users: str) -> frozenset[Property]:
    """Return all properties that an averaged user has."""
    asked = _ASKED[users]
    return frozenset(asked).union(*(_IMPLIED.get(each, frozenset()) for each in asked))


def asks_for(users: str, wanted: Property) -> bool:
    """Return True if every averaged user has a property."""
    return wanted in _closed(users)


@cache
def also_asking(users: str, wanted: Property) -> str:
    """Return the value of the axis that asks for one property more; ``users`` itself if there is none."""
    return _value(_closed(users) | {wanted} | _IMPLIED.get(wanted, frozenset()), users)


@cache
def not_asking(users: str, unwanted: Property) -> str:
    """Return the value of the axis that does not ask for a property any more; ``users`` itself if there is none."""
    implying: set[Property] = {each for each, implied in _IMPLIED.items() if unwanted in implied}
    return _value(_closed(users) - {unwanted} - implying, users)


def _value(properties: frozenset[Property], default: str) -> str:
    return next((name for name in _ASKED if _closed(name) == properties), default)
