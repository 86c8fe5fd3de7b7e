"""The result of an identification: the definitions that fit, or the nearest one and the probe that contradicts it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from audit.observations.evidence import (
    Evidence,
    contradictions,
    evaluate_cached,
    largest_user_deviation,
    smallest_probe,
)
from audit.observations.observation import Tolerance
from reference.cases import Kind, Probe
from reference.definitions.definition import Definition

MAX_TRIED_FOR_NEAREST = 1000
"""Of the definitions that do not fit, at most this many are compared for the nearest one."""
ONE_USER_ROLES = ("single_user", "order", "duplicates", "truth_duplicates", "relevance")
"""Roles of probes of one user: they show neither averaging nor edge policies."""


class Suspended(NamedTuple):
    """The point at which a search was suspended, since too many definitions were left to follow.

    Attributes:
        multi_user_kind: The kind of multi-user probes that are still to be followed.
        step: The number of the first multi-user stage that is.
    """

    multi_user_kind: Kind
    step: int


class Ambiguity(NamedTuple):
    """Why several definitions are left.

    Attributes:
        text: The input that would tell them apart and what became of it, or why there is none.
        inseparable: True if the function takes no generated input that tells them apart: it refuses all that would.
    """

    text: str
    inseparable: bool


@dataclass(frozen=True)
class Fit:
    """Holds the state of an identification: the definitions that fit, or the nearest one.

    Attributes:
        definitions: All definitions that fit, in their provably equal short form, canonical-most first.
        deviation: Largest deviation of a fitting definition from an answer; NaN if none fits.
        tolerance: Deviations up to which numbers counted as equal.
        cases: Number of probes that were asked.
        note: The stage that no definition survived, or that the function computes another metric than it is named
            after.
        nearest: If none fits, the definition that the fewest probes contradict.
        residual: The largest deviation of ``nearest``.
        counterexample: The smallest probe that contradicts ``nearest``.
        unidentified_axes: Axes that could not be asked about, or whose answers left too many definitions to follow.
        user_values_only: True if the function gave values of users, but no mean of several.
        ambiguity: If several fit, the input that would tell them apart, or why there is none; None if one fits.
        suspended: Where the search was suspended; None if it is complete.
    """

    definitions: tuple[Definition, ...]
    deviation: float
    tolerance: Tolerance
    cases: int
    note: str = ""
    nearest: Definition | None = None
    residual: float = float("nan")
    counterexample: Probe | None = None
    unidentified_axes: tuple[str, ...] = ()
    user_values_only: bool = False
    ambiguity: Ambiguity | None = None
    suspended: Suspended | None = None


def contradicted(stage: str, evidence: Evidence, tried: list[Definition], tolerance: Tolerance, asked: int) -> Fit:
    """Return the fit of a search that no definition survived.

    Args:
        stage: The stage at which that happened: a kind of probes, or a name of its own.
        evidence: What contradicted all definitions at that stage.
        tried: The definitions, canonical-most first; the first ones are compared for the nearest.
        tolerance: Deviations up to which numbers counted as equal.
        asked: Number of probes that were asked.
    """
    scored = [
        (contradictions(each, evidence, tolerance, edges_known=stage not in ONE_USER_ROLES)[0], each)
        for each in tried[:MAX_TRIED_FOR_NEAREST]
    ]
    wrong, nearest = min(scored, key=lambda each: (int(each[0].sum()), len(each[1].differs_on)))
    made = evaluate_cached(nearest, evidence.problem)
    gap = np.where(wrong & evidence.measured, np.abs(made.mean - evidence.value), 0)
    residual = max(float(np.nan_to_num(gap, nan=1.0).max(initial=0)), largest_user_deviation(made, evidence, wrong))
    return Fit((), float("nan"), tolerance, asked, stage, nearest, residual, smallest_probe(evidence.probes, wrong))
