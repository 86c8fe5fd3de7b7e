"""What an identification has found so far, and how a step of it ends without any."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from audit.observations.evidence import Heard, against, evaluated, smallest, split_gap
from audit.observations.observation import Tolerance
from reference.cases import Kind, Probe
from reference.definitions.definition import Definition

_LOOKED_AT = 1000
"""So many of the definitions that do not fit are looked at, at most, for the nearest."""
LONE = ("plain", "order", "duplicates", "truth_duplicates", "relevance")
"""Kinds of probes with nothing to average; the others show averaging and edges too."""


class Waiting(NamedTuple):
    """Definitions that were too many to be followed through the crowds of a kind, from which step on."""

    crowds: Kind
    step: int


@dataclass(frozen=True)
class Fit:
    """What fits: ``definitions`` (simplified, canonical-most first), or none and ``note`` says at which stage.

    ``nearest`` and ``residual`` are given where nothing fits; ``failing`` is the smallest probe that shows it.
    ``blind`` names axes that could not be asked, or whose answers left too many definitions to follow; ``of_users``
    says that no mean of several users was heard; ``separating`` says of several what would tell them apart,
    ``waiting`` where they wait until they are less.
    """

    definitions: tuple[Definition, ...]
    deviation: float
    tolerance: Tolerance
    cases: int
    note: str = ""
    nearest: Definition | None = None
    residual: float = float("nan")
    failing: Probe | None = None
    blind: tuple[str, ...] = ()
    of_users: bool = False
    separating: str = ""
    waiting: Waiting | None = None


def distinct(definitions: Iterable[Definition], *, edges_known: bool = False) -> list[Definition]:
    """Provably equal definitions merged, the canonical-most first: those that are equal whatever their edges are, or,
    where all that was to be put in is known (``edges_known``), as they are."""
    merged = dict.fromkeys(definition.simplified(edges_known=edges_known) for definition in definitions)
    return sorted(merged, key=lambda definition: len(definition.differs_on))


def widen(candidates: list[Definition], choices: Callable[[dict[str, str]], list[dict[str, str]]]) -> list[Definition]:
    """Every candidate with every choice of values put in."""
    return distinct(Definition.of(each.metric, values, each.k) for each in candidates for values in choices(each.axes))


def meaning(definitions: list[Definition]) -> list[Definition]:
    """Those that mean something: while axes are put in one after the other, some do not yet."""
    return [each for each in definitions if each.family.refusal(each.axes) is None]


def stopped(kind: str, heard: Heard, tried: list[Definition], width: Tolerance, asked: int) -> Fit:
    """No value of the axes of one stage fits: the nearest of the canonical-most of those tried."""
    scored = [(against(each, heard, width, lone=kind in LONE)[0], each) for each in tried[:_LOOKED_AT]]
    wrong, nearest = min(scored, key=lambda each: (int(each[0].sum()), len(each[1].differs_on)))
    made = evaluated(nearest, heard.problem)
    gap = np.where(wrong & heard.known, np.abs(made.mean - heard.value), 0)
    residual = max(float(np.nan_to_num(gap, nan=1.0).max(initial=0)), split_gap(made, heard, wrong))
    return Fit((), float("nan"), width, asked, kind, nearest, residual, smallest(heard.probes, wrong))
