"""Formulas as templates with slots for the values of axes, filled for one definition, and the symbols they use."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.space.axis import is_number
from recsys_metric_audit.reference.space.lists import Floats, Lists, Places

Line = tuple[str, str]
Slots = Mapping[str, Mapping[str, Line]]
Values = Mapping[str, str]
Factor = Callable[[Lists, Places, Values], Floats]

_SLOT = re.compile(r"<([a-z_]+(?:\.[a-z]+)?)>")
_MEANING, _NUMBER = "<meaning>", "<number>"
_SPECIAL_IN_LATEX = re.compile(r"([&%$#_{}])")


@dataclass(frozen=True)
class FormulaTemplate:
    """The formula of a metric with slots for the values of its axes.

    ``measures`` says in one sentence what the metric measures; ``lines`` are pairs (LaTeX, plain text); ``slots``
    maps a slot to the wordings of its values.

    The other fields serve worked examples. ``sums`` names the sums over the user's list in the order in which the
    formula takes them, ``ideal_sum`` the sum over the ideal list. ``factors`` are columns beside the terms of a sum,
    ``counts`` further quantities of each list.
    """

    measures: str
    lines: tuple[Line, ...]
    slots: Slots = field(default_factory=dict)
    sums: tuple[str, ...] = ("the sum",)
    ideal_sum: str = "the ideal"
    factors: Mapping[str, Factor] = field(default_factory=dict)
    counts: Callable[[Lists, Values], Mapping[str, Floats]] = lambda lists, values: {}


@dataclass(frozen=True)
class FormulaLine:
    """One line of a formula: ``latex`` for typesetting, ``text`` for a terminal."""

    latex: str
    text: str


def fill(template: FormulaTemplate, definition: Definition) -> tuple[FormulaLine, ...]:
    """Return the lines of ``template`` for ``definition``, without the lines that are empty for it."""
    lines = (
        FormulaLine(*(_filled(line[side], template.slots, definition, side) for side in (0, 1)))
        for line in template.lines
    )
    return tuple(line for line in lines if line.text)


def _filled(text: str, slots: Slots, definition: Definition, side: int) -> str:
    def replace(found: re.Match[str]) -> str:
        return _filled(_wording(found[1], slots, definition)[side], slots, definition, side)

    return _SLOT.sub(replace, text)


def _wording(slot: str, slots: Slots, definition: Definition) -> Line:
    if slot == "k":
        cut = "k" if definition.k is None else str(definition.k)
        return cut, cut
    axis = slot.partition(".")[0]
    value = definition.axes[axis]
    known = slots.get(slot, {})
    if value in known:
        return known[value]
    if definition.family.axis(axis).numeric and is_number(value):
        of_number = known.get("#", (_NUMBER, _NUMBER))
        return of_number[0].replace(_NUMBER, value), of_number[1].replace(_NUMBER, value)
    meaning = definition.family.axis(axis).value(value).meaning
    latex, text = known.get("*", (_MEANING, _MEANING))
    in_latex = r"\text{" + _SPECIAL_IN_LATEX.sub(r"\\\1", meaning) + "}"
    return latex.replace(_MEANING, in_latex), text.replace(_MEANING, meaning)


NOTATION = (
    ("L", "the user's list, best first; |L| its length"),
    ("k, n", "the cut-off, and what is shown: n = min(k, |L|)"),
    ("r", "the user's relevant items"),
    ("j, h_j, g_j", "a rank; 1 if the item there is relevant, else 0; its gain"),
    ("H", "hits: relevant items among the first n"),
)
"""Pairs (symbol, meaning)."""
