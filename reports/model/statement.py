"""What an audit says of a function: the one type from which every report, pin, badge and command takes its words."""

# ruff: noqa: RUF012
# Models of pydantic copy their defaults; ruff sees that of models in the module of their base only.

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Literal, Self

from pydantic import FiniteFloat, model_validator

from recsys_metric_audit.reference.space.contract_words import ruled_out_by
from recsys_metric_audit.reference.space.levels import Level, by_level
from recsys_metric_audit.reports.model.fields import CutOff, FrozenModel, SafeText

Verdict = Literal["agrees", "variant", "undocumented", "ambiguous", "unexplained", "unstable"]
Documenter = Literal["library", "catalogue"]
Kind = Literal["known", "unknown", "cannot_matter", "does_not_apply"]

WELL = 0.5
"""The share of answers that a definition must give to be called near."""
_AXIS = re.compile(r"\|(\w+):")
"""An axis in a signature."""


class AxisStatement(FrozenModel):
    """States what the answers of a function say of one axis."""

    kind: Kind = "known"
    """`known`: the answers show the value; `unknown`: the axis acts in this metric, and several of its values fit or
    none does; `cannot_matter`: no input of this function tells apart the values that `why` names; `does_not_apply`:
    the contract of the function or its adapter decides it."""
    value: str | None = None
    """The value; null where the axis is unknown or does not apply."""
    differs: bool = False
    """True if the value is not the canonical one."""
    why: SafeText = ""
    """Why the axis cannot matter or does not apply."""
    no_rule: SafeText = ""
    """The smallest case that shows that the answers follow none of the values of the axis; empty if one fits."""
    assumed: str | None = None
    """The value with which the definition explains the answers, where the signature has another. It says nothing of
    the function, but an audit that begins with it needs fewer calls."""


class Scope(FrozenModel):
    """Says how the numbers of a function have to be read for a definition to hold: ``offset + factor`` × its value."""

    times: str = ""
    """What is before the definition: `100 times`, `1 −`; empty for nothing."""
    where: str = ""
    """What is behind it: `where every gain is 1`, `rounded to 2 digits`; empty for nothing."""
    offset: FiniteFloat = 0.0
    factor: FiniteFloat = 1.0
    gains_of_1: bool = False
    """Whether every gain is 1 in what the function is asked."""
    one_relevant: bool = False
    """Whether each user has one relevant item in what the function is asked."""
    digits: int | None = None
    """The digits to which it rounds, where its answers alone do not show that."""

    @property
    def whole(self) -> bool:
        """Return True if a definition holds for every input, as it is."""
        return self == WHOLE

    def __str__(self) -> str:
        return ", ".join(filter(None, [f"{self.times} the definition" if self.times else "", self.where]))

    def of(self, signature: str) -> str:
        """Return a signature with the words of the scope around it."""
        return f"{self.times} {signature}".strip() + (f", {self.where}" if self.where else "")

    def number(self, value: float) -> float:
        """Return the number that the function gives where the definition gives ``value``."""
        return self.offset + self.factor * value


WHOLE = Scope()
"""The scope of a definition that holds for every input, as it is."""


class NearDefinition(FrozenModel):
    """Names the definition that gives most answers of a function, and where it does not."""

    definition: str
    """Its signature."""
    scope: Scope = WHOLE
    """How the numbers were read for that."""
    fits: int
    """How many cases it gives."""
    of: int
    """How many cases were answered."""
    not_where: dict[str, int] = {}
    """What the other cases have in common, each with the number of them."""
    other_misfits: int = 0
    """How many cases misfit that have nothing of that."""
    example: SafeText = ""
    """The smallest case that misfits, in words."""
    checked: SafeText = ""
    """What else was found of it: that held-out inputs or larger data refute it."""

    @property
    def share(self) -> float:
        """Return the share of the answers that the definition gives."""
        return self.fits / max(1, self.of)

    def words(self) -> str:
        """Say how far the definition goes, where it does not, and the smallest case against it."""
        cases = f"{self.fits} of {self.of} cases as {self.scope.of(self.definition)}"
        text = cases if self.share >= WELL else f"nothing well, {cases}, the nearest documented formula"
        if self.not_where and self.share >= WELL:
            text += f"; not where there are {' or '.join(f'{each} ({n})' for each, n in self.not_where.items())}"
            text += f", nor in {self.other_misfits} other case(s)" if self.other_misfits else ""
        if self.checked:
            text += f"; {self.checked}"
        return f"{text}; the smallest that does not: {self.example}" if self.example else text


class Statement(FrozenModel):
    """States what one function computes: which definition, in which scope, and what of it is not known."""

    metric: str
    """Metric after which the function is named."""
    k: CutOff | None
    """Cut-off; null for a function that takes none."""
    verdict: Verdict | None = None
    """The conclusion about the formula alone; null unless the function was measured and all checks were made."""
    signature: str | None = None
    """Signature of the identified definition: only axes that are not canonical, in the order of the levels."""
    formula: str | None = None
    """Signature of the identified formula alone: all axes of the other levels are canonical in it."""
    axes: dict[str, AxisStatement] = {}
    """What is known of every axis of the identified definition, by the name of the axis."""
    equivalent: tuple[str, ...] = ()
    """Signatures of other definitions that fit all answers as well."""
    scope: Scope = WHOLE
    """How the numbers have to be read for the definition to hold."""
    unchecked: tuple[SafeText, ...] = ()
    """The checks that a verdict needs and that could not be made."""
    near: NearDefinition | None = None
    """The nearest definition of a function of one's own, where none fits as it is."""
    takes: dict[str, str] = {}
    """The contract of the function: what it takes as `input`, `truth` and `gains`."""
    called_with: tuple[SafeText, ...] = ()
    """The arguments that the adapter made of the data for the call."""
    documented_by: tuple[Documenter, ...] = ()
    """Sources that state the formula: the library's own documentation, or a source of the catalogue."""
    classes: tuple[str, ...] = ()
    """Classes of deviation, as slugs."""

    @property
    def definition(self) -> dict[str, str]:
        """Gives the identified definition: the value of every axis that applies and is known, by name of the axis."""
        return {name: each.value for name, each in self.axes.items() if each.value is not None}

    @property
    def differs_on(self) -> tuple[str, ...]:
        """Names the axes on which the identified definition is not the canonical one."""
        return tuple(name for name, each in self.axes.items() if each.differs)

    @property
    def levels(self) -> dict[Level, tuple[str, ...]]:
        """Names the axes of `differs_on` by level: `formula`, `who_counts`, `input`."""
        return by_level(self.differs_on)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names the axes that act in this metric but could not be identified."""
        return tuple(self._of("unknown"))

    @property
    def cannot_matter(self) -> dict[str, str]:
        """Names the axes of which no input of this function tells some values apart, each with the reason."""
        return self._of("cannot_matter")

    @property
    def does_not_apply(self) -> dict[str, str]:
        """Names the axes that the contract of the function or its adapter decides, each with the reason."""
        return self._of("does_not_apply")

    @property
    def assumed(self) -> dict[str, str]:
        """Gives the values with which the definition explains the answers, where the signature has others."""
        return {name: each.assumed for name, each in self.axes.items() if each.assumed is not None}

    @property
    def no_rule(self) -> dict[str, str]:
        """Names the axes whose answers follow none of their values, each with the smallest case that shows it."""
        return {name: each.no_rule for name, each in self.axes.items() if each.no_rule}

    def _of(self, kind: Kind) -> dict[str, str]:
        return {name: each.why for name, each in self.axes.items() if each.kind == kind}

    @model_validator(mode="after")
    def _states_only_what_applies(self) -> Self:
        """Refuse an axis that the contract of the function or its adapter rules out, wherever it would be stated."""
        ruled_out = {**ruled_out_by(self.takes), **self.does_not_apply}
        signatures = "|".join([self.signature or "", self.formula or "", *self.equivalent])
        stated = {name for name, each in self.axes.items() if each.kind != "does_not_apply"}
        for axis in sorted(ruled_out.keys() & (stated | {*_AXIS.findall(signatures)})):
            raise ValueError(f"{axis} does not apply ({ruled_out[axis]}), and is stated")
        return self

    @model_validator(mode="after")
    def _axes_are_whole(self) -> Self:
        for name, each in self.axes.items():
            if (each.value is not None) != (each.kind in ("known", "cannot_matter")):
                raise ValueError(f"{name} is {each.kind}, and its value is {each.value}")
        return self


def axis_statements(
    definition: Mapping[str, str],
    differs_on: Collection[str],
    unknown: Collection[str] = (),
    cannot_matter: Mapping[str, str] = MappingProxyType({}),
    does_not_apply: Mapping[str, str] = MappingProxyType({}),
    assumed: Mapping[str, str] = MappingProxyType({}),
    no_rule: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, AxisStatement]:
    """Return what is said of each axis; the arguments are the properties of :class:`Statement` with these names."""
    kinds: dict[str, Kind] = {
        **dict.fromkeys(definition, "known"), **dict.fromkeys(cannot_matter, "cannot_matter"),
        **dict.fromkeys(unknown, "unknown"), **dict.fromkeys(does_not_apply, "does_not_apply"),
    }  # fmt: skip
    why = {**cannot_matter, **does_not_apply}
    return {
        name: AxisStatement(
            kind=kind, value=definition.get(name), differs=name in differs_on, why=why.get(name, ""),
            no_rule=no_rule.get(name, ""), assumed=assumed.get(name),
        )
        for name, kind in kinds.items()
    }  # fmt: skip
