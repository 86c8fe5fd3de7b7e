"""Holds the meaning of a function level by level, and compares two meanings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reference.space.levels import LEVELS, Level, by_level, level_of
from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.model.result import Finding

LEVEL_TITLES: dict[Level, str] = {"formula": "formula", "who_counts": "who counts", "input": "input handling"}
"""The levels as reports call them."""

NOT_KNOWN = "not known"
DOES_NOT_APPLY = "does not apply"
_STATED_ALWAYS = NOBODY.name
"""The axis that a meaning states at any value: one that is silent of it, as older pins are, says nothing of it."""

MoveKind = Literal["changed", "applies", "known", "unknown"]


@dataclass(frozen=True)
class Move:
    """One axis or one experiment with its old and its new value, and its level.

    ``kind`` is ``changed``; ``applies`` where the axis applies on one side only; or ``known`` or ``unknown`` where only
    one side knows the value.
    """

    name: str
    old: str
    new: str
    level: Level = "formula"
    kind: MoveKind = "changed"


class LevelMeaning(FrozenModel):
    """Keeps the formula, who counts and input handling of one function apart."""

    formulas: tuple[str, ...] = ()
    """Signatures of all formulas that fit, with the cut-off left open; the one shown in reports first."""
    who_counts: dict[str, str] = Field(default_factory=dict)
    """Known axes of this level whose value is not canonical; ``nobody`` at any value."""
    input: dict[str, str] = Field(default_factory=dict)
    """Known axes of input handling whose value is not canonical."""
    unknown: tuple[str, ...] = ()
    """Axes that act but were not identified."""
    does_not_apply: tuple[str, ...] = ()
    """Axes that the function's contract or its adapter decides."""

    @property
    def signature(self) -> str:
        """The signature that reports show, with all three levels; empty if nothing was identified."""
        values = [f"{axis}:{value}" for axis, value in (self.who_counts | self.input).items()]
        text = "|".join([self.formulas[0], *values]) if self.formulas else ""
        whole = parsed(text)
        return text if whole is None else whole.signature()

    @property
    def unstated(self) -> frozenset[str]:
        """The axes of which nothing is stated."""
        return frozenset((*self.unknown, *self.does_not_apply))


def level_meaning(finding: Finding) -> LevelMeaning:
    """Return what ``finding`` says, level by level."""
    if finding.signature is None:
        return LevelMeaning()
    meaning = meaning_of_signatures(
        (finding.signature, *finding.equivalent), finding.formula, finding.unknown, finding.does_not_apply
    )
    if _STATED_ALWAYS not in finding.definition or _STATED_ALWAYS in finding.cannot_matter:
        return meaning
    stated = {_STATED_ALWAYS: finding.definition[_STATED_ALWAYS]}
    return meaning.model_copy(update={"who_counts": meaning.who_counts | stated})


def meaning_of_signatures(
    signatures: tuple[str, ...],
    formula: str | None = None,
    unknown: Collection[str] = (),
    does_not_apply: Collection[str] = (),
) -> LevelMeaning:
    """Return the meaning of the definitions that fit one function.

    Args:
        signatures: Their signatures, the one shown in reports first. One that does not parse is kept as it is, as a
            formula of its own.
        formula: The formula of the first one, if it is known apart.
        unknown: Axes that act but were not identified.
        does_not_apply: Axes that the contract of the function or its adapter decides.
    """
    try:
        definitions = [parse(each).with_(k="k") for each in signatures]
        shown = formula_of(definitions[0]) if formula is None else parse(formula).with_(k="k")
    except SignatureError:  # an axis that this version of the tool does not have any more
        return LevelMeaning(formulas=tuple(dict.fromkeys(signatures)))
    first = definitions[0]
    levels = by_level(axis for axis in first.differs_on if axis not in (*unknown, *does_not_apply))
    return LevelMeaning(
        formulas=tuple(dict.fromkeys(each.signature() for each in (shown, *map(formula_of, definitions[1:])))),
        who_counts={axis: first.axes[axis] for axis in levels["who_counts"]},
        input={axis: first.axes[axis] for axis in levels["input"]},
        unknown=tuple(unknown),
        does_not_apply=tuple(does_not_apply),
    )


def compared_formulas(old: LevelMeaning, new: LevelMeaning) -> tuple[frozenset[str], frozenset[str]]:
    """Return the formulas that fit on both sides, with the axes that either side leaves open at canonical values."""
    hidden = old.unstated | new.unstated
    return _formulas(old, hidden), _formulas(new, hidden)


def _formulas(meaning: LevelMeaning, hidden: frozenset[str]) -> frozenset[str]:
    return frozenset(
        each if definition is None else shortest(_without(definition, hidden)).signature()
        for each, definition in zip(meaning.formulas, map(parsed, meaning.formulas), strict=True)
    )


def _without(definition: Definition, axes: Collection[str]) -> Definition:
    canonical = definition.family.canonical
    return definition.with_(**{name: canonical[name] for name in axes if name in canonical})


@cache  # parses 300 signatures in place of 50,000 for the recorded run: saves 2.3 of 7 seconds
def parsed(signature: str | None) -> Definition | None:
    """Return a definition; None without one, or for a signature of another version of this tool."""
    try:
        return parse(signature) if signature else None
    except SignatureError:
        return None


def level_moves(old: LevelMeaning, new: LevelMeaning) -> tuple[Move, ...]:
    """Return the axes that differ, in the order of the levels; only ``metric`` if the metrics differ.

    An axis of the formula differs if no value of it fits both sides. No value changed between two definitions that are
    equal: they are one in other words.
    """
    before, after = _definitions(old), _definitions(new)
    if not before or not after:
        return ()
    metrics = _listed(each.metric for each in before), _listed(each.metric for each in after)
    if not {each.metric for each in before} & {each.metric for each in after}:
        return (Move("metric", *metrics),)
    moves = [*_formula_moves(before, after, old, new), *_value_moves(before[0], after[0], old, new)]
    if any(move.kind == "changed" for move in moves) and _are_alike(old, new):
        moves = [move for move in moves if move.kind != "changed"]
    return tuple(sorted(moves, key=lambda move: LEVELS.index(move.level)))


def _are_alike(old: LevelMeaning, new: LevelMeaning) -> bool:
    """Return True if both sides say one thing, whoever is averaged where that is not stated."""
    if (len(old.formulas), len(new.formulas)) != (1, 1):
        return False
    one, other = parsed(old.signature), parsed(new.signature)
    if one is None or other is None or one.metric != other.metric:
        return False
    hidden = old.unstated | new.unstated
    if not (_tells(_STATED_ALWAYS, old) and _tells(_STATED_ALWAYS, new)):
        hidden |= {_STATED_ALWAYS}
    pair = [_without(each, hidden) for each in (one, other)]
    if "users" not in hidden or "users" not in one.axes:
        return are_equal(*pair)
    cases = ([each.with_(users=users) for each in pair] for users in one.family.axis("users").names)
    return all(are_equal(*each) for each in cases if not any(one.family.refusal(side.axes) for side in each))


def _definitions(meaning: LevelMeaning) -> list[Definition]:
    known = [each for each in map(parsed, meaning.formulas) if each is not None]
    return known if len(known) == len(meaning.formulas) else []


def _formula_moves(
    before: list[Definition], after: list[Definition], old: LevelMeaning, new: LevelMeaning
) -> Iterator[Move]:
    every = (*before, *after)
    for name in after[0].axes:
        if level_of(name) != "formula" or any(name not in each.axes for each in every):
            continue
        was, now = ({each.axes[name] for each in side} for side in (before, after))
        if name in old.unstated or name in new.unstated:
            yield from _knowledge_move(name, _listed(was), _listed(now), old, new)
        elif not was & now:
            yield Move(name, _listed(was), _listed(now))


def _value_moves(before: Definition, after: Definition, old: LevelMeaning, new: LevelMeaning) -> Iterator[Move]:
    stated = old.who_counts | old.input, new.who_counts | new.input
    for name in after.axes:
        if level_of(name) == "formula" or name not in before.axes:
            continue
        if name == _STATED_ALWAYS and not (_tells(name, old) and _tells(name, new)):
            continue
        was, now = stated[0].get(name, before.axes[name]), stated[1].get(name, after.axes[name])
        if name in old.unstated or name in new.unstated:
            yield from _knowledge_move(name, was, now, old, new)
        elif was != now:
            yield Move(name, was, now, level_of(name))


def _tells(name: str, meaning: LevelMeaning) -> bool:
    """Return True if a meaning says of an axis what its value is, or that it has none that is known."""
    return name in meaning.who_counts or name in meaning.unstated


def _knowledge_move(name: str, was: str, now: str, old: LevelMeaning, new: LevelMeaning) -> Iterator[Move]:
    """Yield a move if exactly one side states the axis."""
    if (name in old.unstated) != (name in new.unstated):
        kind: MoveKind = "known" if name in old.unstated else "unknown"
        if name in (*old.does_not_apply, *new.does_not_apply):
            kind = "applies"
        yield Move(name, _stated(name, was, old), _stated(name, now, new), level_of(name), kind)


def _stated(name: str, value: str, meaning: LevelMeaning) -> str:
    if name in meaning.unknown:
        return NOT_KNOWN
    return DOES_NOT_APPLY if name in meaning.does_not_apply else value


def _listed(values: Iterable[str]) -> str:
    return " or ".join(sorted(set(values)))


def levels_in_words(levels: Iterable[Level]) -> str:
    """Return the titles of ``levels`` in their order, joined: ``formula and who counts``."""
    chosen = set(levels)
    names = [LEVEL_TITLES[level] for level in LEVELS if level in chosen]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
