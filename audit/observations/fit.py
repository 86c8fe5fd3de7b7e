"""The outcome of an identification: the definitions that fit, or the nearest one and the probe that contradicts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from recsys_metric_audit.audit.observations.evidence import (
    Evidence,
    contradictions,
    evaluate_cached,
    largest_user_deviation,
    smallest_probe,
    survivors,
)
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.reference.cases import Probe, Role
from recsys_metric_audit.reference.definitions.definition import Definition

Stage = Role | Literal["formula", "every small list", "distinguishing input", "held-out input", "data"]
"""A stage of an identification that no definition survived: what it read, or what it decided."""


class Ambiguity(NamedTuple):
    """Why several definitions are left.

    Attributes:
        text: The input that would tell them apart and what became of it, or why there is none.
        inseparable: True if the function takes no generated input that tells them apart: it refuses all that would.
    """

    text: str
    inseparable: bool


@dataclass(frozen=True)
class Fitting:
    """Holds the definitions that fit all answers so far.

    Attributes:
        definitions: The definitions written shortest, canonical-most first; at least one.
        deviation: Their largest deviation from an answer.
        tolerance: Deviations up to which numbers counted as equal.
        cases: Number of probes that were asked.
        unidentified_axes: Axes that could not be asked about, or whose answers left too many definitions to follow.
        user_values_only: True if the function gave values of users, but no mean of several.
        ambiguity: If several fit, the input that would tell them apart, or why there is none; None if one fits.
        hypothesis: The first of them as it was tested: with values on the axes that are not identified.
    """

    definitions: tuple[Definition, ...]
    deviation: float
    tolerance: Tolerance
    cases: int
    unidentified_axes: tuple[str, ...] = ()
    user_values_only: bool = False
    ambiguity: Ambiguity | None = None
    hypothesis: Definition | None = None

    @property
    def assumed(self) -> dict[str, str]:
        """Return the values, by axis, that the first definition was tested with where it now has others.

        These are values of axes that are not identified, and of who is averaged beside them; none if what fits was
        changed since.
        """
        first, tested = self.definitions[0], self.hypothesis
        if tested is None or tested.metric != first.metric:
            return {}
        moved = {axis: value for axis, value in tested.axes.items() if first.axes[axis] != value}
        return moved if moved.keys() <= {*self.unidentified_axes, "users"} else {}


@dataclass(frozen=True)
class Contradicted:
    """Holds how an identification ended that no definition survived.

    Attributes:
        stage: The stage that no definition survived.
        tolerance: Deviations up to which numbers counted as equal.
        cases: Number of probes that were asked.
        nearest: The definition that the fewest probes contradict; None if none was near enough to be compared.
        residual: The largest deviation of ``nearest``; NaN without one.
        counterexample: The smallest probe that contradicts ``nearest``.
        unidentified_axes: Axes that could not be asked about.
    """

    stage: Stage
    tolerance: Tolerance
    cases: int
    nearest: Definition | None = None
    residual: float = float("nan")
    counterexample: Probe | None = None
    unidentified_axes: tuple[str, ...] = ()

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """No definition fits."""
        return ()


Fit = Fitting | Contradicted
"""The outcome of an identification."""


def contradicted(
    stage: Stage, evidence: Evidence, tried: Sequence[Definition], tolerance: Tolerance, asked: int
) -> Contradicted:
    """Return the outcome of a stage that no definition survived.

    Args:
        stage: The stage.
        evidence: What contradicted all definitions at that stage.
        tried: The definitions, canonical-most first: the nearest of them is told.
        tolerance: Deviations up to which numbers counted as equal.
        asked: Number of probes that were asked.
    """
    scored = [(contradictions(each, evidence, tolerance), each) for each in tried]
    wrong, nearest = min(scored, key=lambda each: (int(each[0].sum()), len(each[1].differs_on)))
    made = evaluate_cached(nearest, evidence.problem)
    gap = np.where(wrong & evidence.measured, np.abs(made.mean - evidence.value), 0)
    residual = max(float(np.nan_to_num(gap, nan=1.0).max(initial=0)), largest_user_deviation(made, evidence, wrong))
    return Contradicted(stage, tolerance, asked, nearest, residual, smallest_probe(evidence.probes, wrong))


def narrowed(fit: Fitting, evidence: Evidence) -> Fit:
    """Keep what fits the answers to a question."""
    evidence = evidence.expected_refusals(fit.definitions)
    surviving, gap = survivors(fit.definitions, evidence, fit.tolerance)
    if surviving:
        return replace(fit, definitions=tuple(surviving), deviation=max(fit.deviation, gap))
    failed = contradicted("distinguishing input", evidence, list(fit.definitions), fit.tolerance, fit.cases)
    return replace(failed, unidentified_axes=fit.unidentified_axes)
