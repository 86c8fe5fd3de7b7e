r"""Formulas in words and in LaTeX, put together from the values of a definition's axes.

A line is a pair (LaTeX, plain text) in which ``<axis>`` stands for what the definition's value on that axis reads
like, and ``<axis.form>`` for another way to read it. An axis value without an entry reads as its own meaning (put in
the place of ``<meaning>`` in the entry ``*``, if there is one), so that a new one needs none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from reference.definitions.definition import Definition
from reference.space.axis import is_number
from reference.space.lists import Floats, Lists, Places

Line = tuple[str, str]
Slots = Mapping[str, Mapping[str, Line]]
Values = Mapping[str, str]
Factor = Callable[[Lists, Places, Values], Floats]

_SLOT = re.compile(r"<([a-z_]+(?:\.[a-z]+)?)>")
_MEANING = "<meaning>"
_ESCAPED = re.compile(r"([&%$#_{}])")


@dataclass(frozen=True)
class Formula:
    """How a metric is told: what it ``measures``, its ``lines``, and what its ``slots`` read like.

    For worked examples: ``sums`` names the sums over the user's list in the order in which they are taken,
    ``ideal_sum`` the one over the ideal list; ``factors`` are columns beside their terms, ``counts`` further
    quantities of a list.
    """

    measures: str
    lines: tuple[Line, ...]
    slots: Slots = field(default_factory=dict)
    sums: tuple[str, ...] = ("the sum",)
    ideal_sum: str = "the ideal"
    factors: Mapping[str, Factor] = field(default_factory=dict)
    counts: Callable[[Lists, Values], Mapping[str, Floats]] = lambda lists, values: {}


@dataclass(frozen=True)
class Told:
    """One line of a formula: for a typesetter, and for a terminal."""

    latex: str
    text: str


def tell(formula: Formula, definition: Definition) -> tuple[Told, ...]:
    """The lines of ``formula`` for this definition; those that say nothing for it are left out."""
    lines = (Told(*(_filled(line[side], formula.slots, definition, side) for side in (0, 1))) for line in formula.lines)
    return tuple(line for line in lines if line.text)


def _filled(template: str, slots: Slots, definition: Definition, side: int) -> str:
    def read(found: re.Match[str]) -> str:
        return _filled(_reading(found[1], slots, definition)[side], slots, definition, side)

    return _SLOT.sub(read, template)


def _reading(slot: str, slots: Slots, definition: Definition) -> Line:
    if slot == "k":
        cut = "k" if definition.k is None else str(definition.k)
        return cut, cut
    axis = slot.partition(".")[0]
    value = definition.axes[axis]
    known = slots.get(slot, {})
    if value in known:
        return known[value]
    if definition.family.axis(axis).numeric and is_number(value):
        return value, value
    meaning = definition.family.axis(axis).value(value).meaning
    latex, text = known.get("*", (_MEANING, _MEANING))
    return latex.replace(_MEANING, r"\text{" + _ESCAPED.sub(r"\\\1", meaning) + "}"), text.replace(_MEANING, meaning)
