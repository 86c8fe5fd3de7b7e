"""Axes: the independent choices that make up a definition, as data.

The first value of an axis is the canonical one. Every other value carries the slug of the class of mismatch
that it causes, so that classifying a difference needs no rules of its own, and may carry the source that
documents it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Literal

Part = Literal["formula", "averaging", "edges", "order"]
_ABOVE = "above_"
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?")


@dataclass(frozen=True)
class Value:
    """One choice on an axis: its name in signatures, meaning, class of mismatch (``slug``) and source."""

    name: str
    meaning: str
    slug: str | None = None
    source: str | None = None


@dataclass(frozen=True)
class Axis:
    """A named choice with its values; an axis with a range ``numeric`` also takes any number in it.

    ``of_number`` is what such a number means, with a place for it in braces; empty for "axis = number". Where
    ``of_more`` says what more than a number means, ``above_NUMBER`` is a value, too.
    """

    name: str
    meaning: str
    values: tuple[Value, ...]
    part: Part = "formula"
    numeric: tuple[float, float] | None = None
    of_number: str = ""
    of_more: str = ""

    @property
    def canonical(self) -> str:
        """The name of the first value."""
        return self.values[0].name

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all listed values, canonical first."""
        return tuple(value.name for value in self.values)

    def place(self, name: str) -> int:
        """Return the place of a value among the listed ones; numbers come after them."""
        return self._places.get(name, len(self.values))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def value(self, name: str) -> Value:
        """Return the value of that name.

        Raises:
            KeyError: if the axis has no such value.
        """
        for value in self.values:
            if value.name == name:
                return value
        if self.numeric and is_number(name):
            return Value(name, (self.of_number or f"{self.name} = {{}}").format(name), f"other-{self.name}")
        if self.admits(name):
            return Value(name, self.of_more.format(name.removeprefix(_ABOVE)), f"other-{self.name}")
        raise KeyError(name)

    def admits(self, name: str) -> bool:
        """Return True if ``name`` is a value of this axis."""
        if name in self.names or (self.numeric is not None and is_number(name)):
            return True
        return bool(self.of_more) and (more_than(name) or 0) > 0


def is_number(text: str) -> bool:
    """Return True if ``text`` is a finite number, written in digits as in a signature."""
    return _NUMBER.fullmatch(text) is not None and isfinite(float(text))


def shortest_number(value: str) -> str:
    """Return a value of an axis with its number, if it is one or is ``above_NUMBER``, in the fewest digits.

    >>> shortest_number("04.0"), shortest_number("above_2.50"), shortest_number("exp2")
    ('4', 'above_2.5', 'exp2')
    """
    above = _ABOVE if value.startswith(_ABOVE) else ""
    number = value.removeprefix(above)
    return f"{above}{repr(float(number)).removesuffix('.0')}" if is_number(number) else value


def more_than(value: str) -> float | None:
    """Return the number of a value ``above_NUMBER``; None for any other value."""
    number = value.removeprefix(_ABOVE)
    return float(number) if number != value and is_number(number) else None


def axis(
    name: str,
    meaning: str,
    values: Mapping[str, str],
    *,
    slug: str,
    slugs: Mapping[str, str] | None = None,
    sources: Mapping[str, str] | None = None,
    part: Part = "formula",
    numeric: tuple[float, float] | None = None,
    of_number: str = "",
    of_more: str = "",
) -> Axis:
    """Make an axis from a table of values.

    Args:
        name: Name in signatures.
        meaning: The choice that the axis stands for, in words.
        values: Meaning of each value by name, canonical first.
        slug: Class of mismatch of every value that is neither canonical nor in ``slugs``.
        slugs: Classes of mismatch of single values.
        sources: Documents that describe single values.
        part: Part of a definition to which the axis belongs.
        numeric: Lowest and highest number that the axis takes beside ``values``.
        of_number: What such a number means, with ``{}`` in its place.
        of_more: What ``above_NUMBER`` means, with ``{}`` in the number's place; empty if that is no value.
    """
    own, cited = slugs or {}, sources or {}
    made = tuple(
        Value(value, text, None if position == 0 else own.get(value, slug), cited.get(value))
        for position, (value, text) in enumerate(values.items())
    )
    return Axis(name, meaning, made, part, numeric, of_number, of_more)
