"""Sorts the definitions that fit by level: formulas, and axes that are unknown, cannot matter or do not apply."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.projection import formula_of, idle_axes, leaves_somebody
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reference.space.user_outcomes import asked_properties

PER_USER = "the function gives a value for each user and no mean"
SOMEBODY = "somebody always counts, or all rows are one ranking"
IDLE = "no value of it changes this formula"
LISTED = "only users with recommendations are averaged, and it does not raise"
_MEANS = ("pooling", "weight", "mean", "nobody")


@dataclass(frozen=True)
class ByLevel:
    """Holds the definitions that fit one function, sorted by level.

    ``formulas`` are the distinct formulas among them, the fewest changes first. ``shown`` is the first definition,
    with every axis that is unknown or does not apply at its canonical value; ``stated`` are the axes that it states.
    ``alike`` are further formulas that fit, which no input that the function takes tells from the one of ``formulas``.
    ``assumed`` are the values with which the first definition explains the answers, where what is shown has others.
    """

    formulas: tuple[Definition, ...]
    shown: Definition
    stated: tuple[str, ...]
    unknown: tuple[str, ...]
    cannot_matter: Mapping[str, str]
    does_not_apply: Mapping[str, str]
    assumed: Mapping[str, str]
    alike: tuple[Definition, ...] = ()

    @property
    def definition(self) -> dict[str, str]:
        """Every axis that is stated, with its value."""
        return {name: self.shown.axes[name] for name in self.stated}


def split_by_level(
    fitting: Sequence[Definition],
    unidentified: Collection[str],
    *,
    ruled_out: Mapping[str, str] = MappingProxyType({}),
    per_user: bool = False,
    inseparable: str = "",
    tested: Mapping[str, str] = MappingProxyType({}),
) -> ByLevel:
    """Tell what all of ``fitting`` say, level by level; the first of them is the one that is shown.

    Args:
        fitting: The definitions that fit all answers, at least one, canonical-most first.
        unidentified: Axes of which the answers say nothing.
        ruled_out: Axes that the function's contract or its adapter decides, each with the reason.
        per_user: Whether the function gives users' values and no mean.
        inseparable: Why no input that the function takes can tell several formulas apart; empty if one could.
            Such formulas are one: the first stands for all, and the axes on which they differ cannot matter.
        tested: Values that the first definition was tested with where it now has others.
    """
    first = fitting[0]
    does_not_apply = {axis: reason for axis, reason in ruled_out.items() if axis in first.axes}
    if per_user:
        across = [axis for axis in first.family.across_users if axis in first.axes]
        does_not_apply |= dict.fromkeys((*_MEANS, *across), PER_USER)
    formulas = tuple(dict.fromkeys(formula_of(_without(each, does_not_apply)) for each in fitting))
    cannot_matter: dict[str, str] = {}
    alike: tuple[Definition, ...] = ()
    if inseparable and len(formulas) > 1:
        cannot_matter = {axis: f"between {_listed(axis, formulas)}, {inseparable}" for axis in _apart(formulas)}
        formulas, alike = formulas[:1], formulas[1:]
    unknown = {axis for axis in (*_apart(fitting), *unidentified) if axis in first.axes}
    unknown -= {*does_not_apply, *cannot_matter}
    if NOBODY.name in first.axes and NOBODY.name not in does_not_apply and all(map(leaves_somebody, fitting)):
        cannot_matter[NOBODY.name] = SOMEBODY
        unknown -= {NOBODY.name}
    if first.axes.get("no_hit") == "skip" and first.axes.get(NOBODY.name) not in (None, NOBODY.canonical):
        # It was asked of input without users: what comes out where all were left out for want of a hit may be another
        # thing, as in MS Recommenders' NDCG of raw gains, which gives 0 for the one and NaN for the other.
        unknown |= {NOBODY.name} - {*does_not_apply, *cannot_matter}
    if len(formulas) > 1:
        unknown = {axis for axis in unknown if level_of(axis) != "formula"}
    shown = _without(first, {*unknown, *does_not_apply})
    listed = _of_averaged_users(shown, does_not_apply, unknown)
    idle = (axis for axis in idle_axes(shown) if axis not in unknown and axis not in does_not_apply)
    return ByLevel(
        formulas=formulas,
        shown=shown,
        stated=tuple(name for name in first.axes if name not in unknown and name not in does_not_apply),
        unknown=tuple(name for name in first.axes if name in unknown),
        cannot_matter={**dict.fromkeys(idle, IDLE), **listed, **cannot_matter},
        does_not_apply=does_not_apply,
        alike=alike,
        assumed={name: value for name, value in {**first.axes, **tested}.items() if value != shown.axes[name]},
    )


def _of_averaged_users(shown: Definition, *unstated: Collection[str]) -> dict[str, str]:
    """Return the axis of users without a list if none of them is averaged over, with the reason.

    A library may raise for such a user all the same, whomever it averages over.
    """
    stated = {"users", "no_list"} <= shown.axes.keys() - {name for names in unstated for name in names}
    if not stated or shown.axes["no_list"] == "error":
        return {}
    return {"no_list": LISTED} if {"listed", "hit"} & {*asked_properties(shown.axes["users"])} else {}


def _without(definition: Definition, axes: Collection[str]) -> Definition:
    """Return ``definition`` with ``axes`` at their canonical values."""
    canonical = definition.family.canonical
    return definition.with_(**{name: canonical[name] for name in axes if name in definition.axes})


def _listed(axis: str, formulas: Sequence[Definition]) -> str:
    """Return the values that an axis has in formulas that no input tells apart; others are told apart."""
    return " and ".join(dict.fromkeys(each.axes[axis] for each in formulas if axis in each.axes))


def _apart(definitions: Sequence[Definition]) -> tuple[str, ...]:
    """Return the axes on which definitions of one metric differ; of several metrics, none."""
    first = definitions[0]
    same = [each for each in definitions if each.metric == first.metric]
    return tuple(name for name in first.axes if any(each.axes[name] != first.axes[name] for each in same))
