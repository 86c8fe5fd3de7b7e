"""Looks up the formulas that fit the answers to probes of one user without ties or repeats, among all there are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from audit.observations.candidates import Values
from audit.observations.evidence import Evidence, evidence_on, is_policy_value
from audit.observations.formula_settings import setting_levels
from audit.observations.formula_table import FormulaTable, formula_table
from audit.observations.observation import Observation, Tolerance
from reference.cases import Kind, Variant
from reference.definitions.definition import Definition
from reference.metrics import METRICS
from reference.metrics.ndcg import without_cut_gains
from reference.space.metric import is_stacked

Bools = NDArray[np.bool_]

_VARIANTS: tuple[Variant, ...] = (
    "usual", "unit_gains", "above_threshold", "one_relevant", "one_relevant_unit_gain", "rated_misses"
)  # fmt: skip
"""The variants of single-user probes on which formulas are looked up; those after the first only if none fits it."""
_MOST = 400
"""At most so many formulas are looked up: where more fit, too little was answered to tell formulas apart."""
_LEAST_DECIDED = 3
"""A formula must decide the number of so many probes; some are 0/0 on most small lists."""
_LEAST_SHARE_ELSEWHERE = 0.5
"""Share of the probes answered with a number that the formula of a metric must decide that has another name."""


def formulas_that_fit(
    observation: Observation, metric: str, *, has_k: bool, tolerance: Tolerance, own: bool
) -> Iterator[Definition]:
    """Yield the formulas of a metric that fit the probes of one user, each as a definition canonical elsewhere.

    Args:
        observation: The answers of the function.
        metric: Name of the metric whose formulas are tried.
        has_k: Whether the function takes a cut-off.
        tolerance: Deviations up to which numbers count as equal.
        own: Whether the function bears the name of the metric; otherwise few changes are tried.
    """
    found = 0
    for variant in _VARIANTS if own else _VARIANTS[:1]:
        evidence = evidence_on(observation, Kind("single_user", variant))
        least = max(_LEAST_DECIDED, 0 if own else _LEAST_SHARE_ELSEWHERE * int(evidence.measured.sum()))
        for points in fitting_formulas(evidence, metric, has_k, tolerance, 3 if own else 1, least):
            made = (Definition.of(metric, point, "k" if has_k else None) for point in points)
            for each in sorted(made, key=lambda definition: definition.remoteness):
                found += 1
                yield each
                if found == _MOST:
                    return
        if found:
            return


def fitting_formulas(
    evidence: Evidence, metric: str, has_k: bool, tolerance: Tolerance, max_level: int, least: float
) -> Iterator[list[Values]]:
    """Yield groups of formula points that fit; groups with the fewest changes of input and cut-off come first.

    Gains cut to whole numbers are tried only if gains with fractions were answered.

    Args:
        evidence: Answers to probes of one user each.
        metric: Name of the metric whose formulas are tried.
        has_k: Whether the function takes a cut-off.
        tolerance: Deviations up to which numbers count as equal.
        max_level: How many levels of changes are tried: 1 is no change, 2 one change, 3 two changes.
        least: A formula must decide the number of at least this many probes.
    """
    if not evidence.measured.any():
        return
    variant, family = evidence.probes[0].kind.variant, METRICS[metric]
    levels = setting_levels(metric, has_k, variant)[:max_level]
    all_equal = len(np.unique(evidence.value[evidence.measured])) == 1
    fractions = bool(evidence.problem.has_fractions[evidence.measured].any())
    if variant in ("one_relevant", "one_relevant_unit_gain") and all_equal and is_stacked(family, family.canonical):
        # What is undefined for one row may be defined for a ranking of several users' rows: multi-user probes decide.
        points = family.points() if fractions else without_cut_gains(family.points())
        yield [{**family.canonical, **point, **dict(levels[0][0])} for point in points]
    for settings in levels:
        table = formula_table(metric, settings, has_k, evidence.problem)
        found = _fitting_points(evidence, table, tolerance, least)
        if found := found if fractions else without_cut_gains(found):
            yield found


def _fitting_points(evidence: Evidence, table: FormulaTable, tolerance: Tolerance, least: float) -> list[Values]:
    # Where the formula is 0 by convention, a policy's number shows another policy, not another formula.
    policy = evidence.policy_values(tolerance)
    could_be_a_policy = _could_be_a_policy(evidence, tolerance)
    # A number that no policy gives leaves few rows; in most tables nearly all fail on the first answers.
    telling = policy | (evidence.value == 0)
    measured = sorted(np.flatnonzero(evidence.measured).tolist(), key=lambda number: bool(telling[number]))
    found: list[Values] = []
    for rows in table.blocks():
        deciding = np.zeros(len(rows), dtype=np.int64)
        for number in measured:
            values, irregular = rows.column(number)
            seen = ~irregular
            if policy[number]:
                seen &= ~rows.conventional(number)
            fits = tolerance.close(values, evidence.value[number]) | ~seen
            if not could_be_a_policy[number]:
                fits &= ~rows.policy_only(number)
            rows, deciding = rows.where(fits), (deciding + seen)[fits]
            if not len(rows):
                break
        found += rows.where(deciding >= least).points()
    return found


def _could_be_a_policy(evidence: Evidence, tolerance: Tolerance) -> Bools:
    """Return a mask of values that a policy can give; without a cut-off, the k of 1/k is the length of the list."""
    value = evidence.value
    length = np.array([len(probe.case.predictions.user) for probe in evidence.probes])
    zero = tolerance.close(np.zeros(len(value)), value)
    return zero | evidence.policy_values(tolerance) | is_policy_value(value, length, tolerance)


def shows_a_formula(evidence: Evidence, tolerance: Tolerance) -> bool:
    """Return whether the answers have more than one value that no policy gives."""
    known, k = evidence.value[evidence.measured], evidence.cutoffs[evidence.measured]
    return len(np.unique(np.round(known[~is_policy_value(known, k, tolerance) & (known != 0)], 6))) > 1
