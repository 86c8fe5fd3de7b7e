"""The first stage of the search: formulas that fit probes of one user without ties or repeats."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from audit.identification.edge_choices import formula_decides_edges
from audit.identification.search_limits import MIN_PROBES_DECIDED
from audit.observations.candidates import Values, expand, widen
from audit.observations.evidence import (
    Evidence,
    evaluate_cached,
    evidence_on,
    is_policy_value,
    smallest_probe,
    survivors,
)
from audit.observations.fit import Contradicted
from audit.observations.formula_settings import setting_levels
from audit.observations.formula_table import FormulaTable, Rows, formula_table
from audit.observations.observation import Observation, Tolerance
from reference.cases import Kind
from reference.definitions.definition import Definition
from reference.metrics import METRICS
from reference.metrics.ndcg import without_cut_gains
from reference.space.metric import is_stacked

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


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


def fitting_plain_probes(
    candidates: list[Definition], observation: Observation, tolerance: Tolerance
) -> list[Definition]:
    """Return the candidates that fit the usual probes of one user.

    If none does, and users with one relevant item are averaged, every rule of relevance is tried: until it is known,
    so is not who these users are.
    """
    evidence = evidence_on(observation, Kind("single_user"))
    surviving, _ = survivors(candidates, evidence, tolerance, edges_known=False)
    if not surviving and candidates[0].axes.get("users") == "one_relevant":
        metric = candidates[0].metric
        widened = widen(candidates, lambda values: expand(values, metric, ("relevance",)))
        surviving, _ = survivors(widened, evidence, tolerance, edges_known=False)
    return [each for each in surviving if not _is_beyond_policies(each, evidence, tolerance)]


def without_rules_beyond_policies(
    candidates: list[Definition], evidence: Evidence, tolerance: Tolerance
) -> list[Definition]:
    """Drop candidates under which a policy would have to give a number that no policy gives; keep all if all do.

    Such a rule of relevance leaves no relevant item on most lists, so that nearly every answer seems to fit it.
    """
    return [each for each in candidates if not _is_beyond_policies(each, evidence, tolerance)] or candidates


def _is_beyond_policies(definition: Definition, evidence: Evidence, tolerance: Tolerance) -> bool:
    """Return whether an answer is a number that no policy gives, where only a policy can give one."""
    if formula_decides_edges(definition.axes, definition.metric):
        return False
    number = evidence.measured & ~_could_be_a_policy(evidence, tolerance)
    made = evaluate_cached(definition, evidence.problem)
    return len(made.regular) == len(number) and bool((number & ~made.regular).any())


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


def nearest_formula(evidence: Evidence, metric: str, has_k: bool, tolerance: Tolerance, asked: int) -> Contradicted:
    """Return the fit where no formula fits: the formula that the fewest probes contradict, with the first of them.

    Ties are broken by the largest deviation. Formulas that decide too few probes come last.
    """
    best: tuple[int, float, Rows] | None = None
    measured = list(enumerate(evidence.measured.tolist()))
    for settings in setting_levels(metric, has_k)[:2]:
        table = formula_table(metric, settings, has_k, evidence.problem)
        for rows in table.blocks():
            count, gap = _missed(evidence, rows, tolerance)
            nearest = int(np.lexsort((gap, count))[0])
            if best is None or (count[nearest], gap[nearest]) < best[:2]:
                best = (int(count[nearest]), float(gap[nearest]), rows.where(np.arange(len(rows)) == nearest))
    if best is None:
        return Contradicted("formula", tolerance, asked)
    _, residual, row = best
    definition = Definition.of(metric, row.points()[0], "k" if has_k else None).simplified()
    wrong = [known and bool(_misses(evidence, row, number, tolerance)[0][0]) for number, known in measured]
    counterexample = smallest_probe(evidence.probes, np.array(wrong, dtype=bool))
    return Contradicted("formula", tolerance, asked, definition, residual, counterexample)


def _missed(evidence: Evidence, rows: Rows, tolerance: Tolerance) -> tuple[Ints, Floats]:
    """Return how many probes contradict each row, 1000 more where it decides too few, and its largest deviation."""
    count, decided, gap = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64), np.zeros(len(rows))
    for number in np.flatnonzero(evidence.measured).tolist():
        missed, seen, deviation = _misses(evidence, rows, number, tolerance)
        count, decided = count + missed, decided + seen
        gap = np.maximum(gap, np.where(missed, deviation, 0))
    return count + np.where(decided < MIN_PROBES_DECIDED, 1000, 0), gap


def _misses(evidence: Evidence, rows: Rows, number: int, tolerance: Tolerance) -> tuple[Bools, Bools, Floats]:
    """Return masks of the rows that a probe contradicts and that decide its value, and how far they are from it."""
    values, irregular = rows.column(number)
    value = evidence.value[number]
    missed = ~irregular & ~tolerance.close(values, value)
    # A NaN is farther than any value.
    return missed, ~irregular, np.nan_to_num(np.abs(values - value), nan=9.0)
