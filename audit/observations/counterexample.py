"""The smallest input on which a library and the canonical definition differ, worked by hand for the report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from recsys_metric_audit.audit.observations import probe_tables
from recsys_metric_audit.audit.observations.evidence import (
    Evidence,
    any_user,
    contradictions,
    evaluate_cached,
    evidence_on,
    gather_evidence,
)
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.observations.user_states import undescribed_axes, undescribed_cases
from recsys_metric_audit.audit.process.protocol import Errored
from recsys_metric_audit.reference.cases import KINDS, Kind, Probe, split_users
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reference.evaluation.worked_example import work
from recsys_metric_audit.reference.input.case import Bools
from recsys_metric_audit.reports.model.result import Witness, WitnessItem, WitnessUser, Worked, WorkedRow

_VISIBLE = Tolerance(1e-4, "what a reader sees")
"""Smaller differences are not shown: a reader would not see them in the numbers of a report."""
_EXPECTED_GAP = 1e-3
"""Two definitions must differ by more than this on an input for the library to be asked about it."""
_KINDS = (
    Kind("single_user"), Kind("order"), Kind("duplicates"), Kind("truth_duplicates"), Kind("relevance"),
    Kind("fractions"), Kind("multi_user"), Kind("exhaustive"),
)  # fmt: skip
_OTHER_KINDS = (
    Kind("order", "all_listed"), Kind("relevance", "all_listed"), Kind("duplicates", "all_listed"),
    Kind("truth_duplicates", "all_listed"), Kind("multi_user", "all_listed"), Kind("single_user", "rated_misses"),
    Kind("multi_user", "rated_misses"),
)  # fmt: skip
"""The kinds for functions that refuse usual lists, or whose contract decides what those would show."""
_KINDS_BEYOND_SMALL_LISTS = (
    Kind("multi_user"), Kind("multi_user", "all_listed"), *(kind for kind in KINDS if kind.role == "single_user")
)  # fmt: skip
"""Lists the kinds that show what no small list does: several users, gains of 1, the order of truth rows."""
_KINDS_OF_ITEMS = (Kind("multi_user", "shown_items"), Kind("order", "shown_items"), Kind("duplicates", "shown_items"))
"""The kinds for metrics beyond accuracy."""


@dataclass(frozen=True, eq=False)
class Difference:
    """A probe on which the library's answer is not that of the canonical definition.

    Attributes:
        probe: The probe.
        evidence: The answers to this and other probes.
        number: The index of the probe in ``evidence``.
        by_formula: Whether the formula alone makes a difference on the probe.
    """

    probe: Probe
    evidence: Evidence
    number: int
    by_formula: bool = False


def smallest_difference(
    observation: Observation,
    canonical: Definition,
    under_contract: Sequence[Definition] = (),
    formula: Definition | None = None,
) -> Difference | None:
    """Return the difference on the probe with the fewest rows, the first one of equal size; None if there is none.

    Inputs that tell a threshold to the last decimal come after all others: their gains are hard to read.

    Args:
        observation: The answers of the library's function.
        canonical: The definition that the function is compared with.
        under_contract: ``canonical`` with other values of what the contract of the function or its adapter decides: a
            probe on which one of them differs from ``canonical`` shows their doing, and is left out.
        formula: The formula that the function computes, if it is another one: a probe on which it makes a difference
            is preferred to smaller ones on which something else does, as the order of ties.
    """
    kinds = _KINDS if canonical.family.reads == "relevance" else _KINDS_OF_ITEMS
    usual = (evidence_on(observation, kind) for kind in kinds)
    further = [gather_evidence(observation.probes, observation.further_probes)] if observation.further_probes else []
    other = (evidence_on(observation, kind) for kind in _OTHER_KINDS)
    smallest: Difference | None = None
    for answers in (chain(usual, further), other):
        differences = _differences(answers, canonical, under_contract, formula)
        found = min(differences, key=_hard_to_read, default=None)
        if found is not None and (found.by_formula or formula is None):
            return found
        smallest = smallest or found
    return smallest


def _hard_to_read(difference: Difference) -> tuple[bool, bool, int]:
    gain = difference.probe.case.truth.gain
    return not difference.by_formula, bool((gain != gain.round(2)).any()), difference.probe.size


def other_formula(fitted: Definition | None, canonical: Definition) -> Definition | None:
    """Return the formula of the definition that was identified; None if it is the canonical one, or none was."""
    if fitted is None or formula_of(fitted) == formula_of(canonical):
        return None
    return formula_of(fitted)


def _differences(
    answers: Iterable[Evidence], canonical: Definition, under_contract: Sequence[Definition], formula: Definition | None
) -> Iterator[Difference]:
    for evidence in answers:
        wrong = contradictions(canonical, evidence, _VISIBLE)
        for other in under_contract:
            if not wrong.any():
                break
            wrong &= _alike(canonical, other, evidence.problem)
        shown = ~_alike(canonical, formula, evidence.problem) if formula is not None and wrong.any() else wrong & False
        for number in np.flatnonzero(wrong).tolist():
            yield Difference(evidence.probes[number], evidence, number, bool(shown[number]))


def _alike(one: Definition, other: Definition, problem: Problem) -> Bools:
    """Return a mask of cases on which two definitions give equal means, and equal values to all users."""
    ours, theirs = evaluate_cached(one, problem), evaluate_cached(other, problem)
    alike: Bools = np.isclose(ours.mean, theirs.mean, equal_nan=True) & (ours.refused == theirs.refused)
    if len(ours.value) != len(problem.placement) or len(theirs.value) != len(problem.placement):
        return alike
    apart = ~np.isclose(ours.value, theirs.value, equal_nan=True) & (ours.counted | theirs.counted)
    apart |= ours.counted != theirs.counted
    return alike & ~any_user(problem, apart)


def expected_difference(
    fitted: Definition, canonical: Definition, under_contract: Sequence[Definition] = ()
) -> Probe | None:
    """Return the smallest list of one user on which two definitions differ; None if no list of up to five does.

    Lists on which a definition of ``under_contract`` differs from the canonical one are left out; see
    :func:`smallest_difference`.
    """
    problem = probe_tables.problem(Kind("exhaustive"))
    ours, theirs = evaluate(canonical, problem), evaluate(fitted, problem)
    if len(ours.value) != len(theirs.value) or len(ours.value) != len(problem.placement):
        return None
    apart = _apart(ours, theirs) & ours.counted & theirs.counted
    for other in under_contract:
        varied = evaluate_cached(other, problem)
        if len(varied.value) != len(ours.value):
            continue  # one ranking of all rows has no value of a user
        apart &= ~_apart(ours, varied) & (ours.counted == varied.counted)
    smallest = min(_places(apart, problem), key=lambda found: found[:2], default=None)
    return None if smallest is None else split_users(smallest[2])[smallest[3]]


def expected_difference_on_probes(
    fitted: Definition, canonical: Definition, under_contract: Sequence[Definition] = (), asked: Collection[str] = ()
) -> Probe | None:
    """Return the smallest probe, not asked so far, on which two definitions have different means; None without one.

    It shows what no small list of one user can, as a ranking of all users' rows, or which items are shown. Inputs on
    which a definition of ``under_contract`` differs from the canonical one are left out; see
    :func:`smallest_difference`.
    """
    found: list[Probe] = []
    for kind in _KINDS_BEYOND_SMALL_LISTS if canonical.family.reads == "relevance" else _KINDS_OF_ITEMS[:1]:
        problem = probe_tables.problem(kind)
        ours, theirs = evaluate_cached(canonical, problem), evaluate_cached(fitted, problem)
        apart = (np.abs(ours.mean - theirs.mean) > _EXPECTED_GAP) & ~ours.refused & ~theirs.refused
        for other in under_contract:
            apart &= _alike(canonical, other, problem)
        found += (probe_tables.probes(kind)[number] for number in np.flatnonzero(apart).tolist())
    left = (each for each in found if each.name not in asked)
    return min(left, key=lambda each: each.size, default=None)


def _apart(ours: Evaluated, theirs: Evaluated) -> Bools:
    """Return a mask of users to whom two evaluations give values that are visibly apart."""
    values = (np.nan_to_num(made.value, nan=-6) for made in (ours, theirs))  # no value is as low as -6
    apart: Bools = np.abs(np.subtract(*values)) > _EXPECTED_GAP
    return apart


def _places(users: Bools, problem: Problem) -> Iterator[tuple[int, int, Probe, int]]:
    """Yield the chosen users of small lists as (rows, k, probe, the user's place in it)."""
    case = problem.placement.case
    first_user = np.searchsorted(case, np.arange(len(problem.cases)))
    for user in np.flatnonzero(users).tolist():
        probe = probe_tables.probes(Kind("exhaustive"))[int(case[user])]
        place = user - int(first_user[case[user]])
        yield probe.users[place].rows, probe.k, probe, place


def witness(
    observation: Observation,
    canonical: Definition,
    fitted: Definition | None = None,
    under_contract: Sequence[Definition] = (),
) -> Witness | None:
    """Return the smallest probe on which the library is not canonical, worked by hand; None if there is none.

    Args:
        observation: The answers of the library's function.
        canonical: The definition that the function is compared with.
        fitted: The definition that was identified, if any: the probe is worked with it as well.
        under_contract: The canonical definition with other values of what the contract of the function or its adapter
            decides; see :func:`smallest_difference`.
    """
    found = smallest_difference(observation, canonical, under_contract, other_formula(fitted, canonical))
    if found is None:
        return None
    probe, evidence = found.probe, found.evidence
    made = evaluate(canonical, evidence.problem)
    right = float(made.mean[found.number])
    value = float(evidence.value[found.number]) if evidence.measured[found.number] else None
    sentence = _sentence(found, observation, right, value)
    return Witness(
        case=probe.name, k=probe.k if canonical.k is not None else None, users=tuple(_users(found, made)),
        library_value=value, canonical_value=right, text=f"{canonical.signature()} {sentence}: {probe.case.why}",
        worked=_worked(probe, canonical, fitted if fitted is not None and _says_something(fitted, probe) else None),
    )  # fmt: skip


def _sentence(found: Difference, observation: Observation, right: float, value: float | None) -> str:
    """Return the rest of a sentence that begins with the canonical signature."""
    outcome = observation.probes.get(found.probe.name)
    if isinstance(outcome, Errored):
        return f"is {right:.6g}, the library refuses the input ({outcome.error}: {outcome.message[:200]})"
    if value is None:
        return "and the library give some users different values, or the library leaves out other users"
    own, said = told_apart(right, value)
    return f"is {own}, the library says {said}"


def _users(found: Difference, made: Evaluated) -> Iterator[WitnessUser]:
    """Yield every user of the probe with all items and both values."""
    rec, rel = found.probe.case.predictions, found.probe.case.truth
    evidence, placement = found.evidence, found.evidence.problem.placement
    own = np.flatnonzero(placement.case == found.number)
    has_user_values = len(made.value) == len(placement)  # one ranking of all rows has none
    for index in own.tolist():
        user = int(placement.users[index])
        mine = rec.user == user
        gains = dict(zip(rel.item[rel.user == user].tolist(), rel.gain[rel.user == user].tolist(), strict=True))
        rows = zip(rec.item[mine].tolist(), rec.score[mine].tolist(), strict=True)
        items = tuple(WitnessItem(item=str(i), gain=gains.get(i), hit=i in gains, score=score) for i, score in rows)
        listed = set(rec.item[mine].tolist())
        missing = tuple(WitnessItem(item=str(i), gain=g, hit=True) for i, g in gains.items() if i not in listed)
        yield WitnessUser(
            user=str(user), items=items, missing=missing, r=int((rel.user == user).sum()),
            library_value=float(evidence.user_value[index]) if evidence.user_given[index] else None,
            canonical_value=float(made.value[index]) if has_user_values and made.counted[index] else None,
        )  # fmt: skip


def _worked(probe: Probe, canonical: Definition, fitted: Definition | None) -> tuple[Worked, ...]:
    """Work the first user on whom the two definitions differ, or else the first user, if any, with each definition."""
    users = np.union1d(probe.case.predictions.user, probe.case.truth.user).tolist()
    definitions = [canonical] if fitted is None else [canonical, fitted]
    by_user = [tuple(_worked_user(probe, each, user) for each in definitions) for user in users]
    return next((worked for worked in by_user if _values_differ(worked)), by_user[0] if by_user else ())


def _says_something(definition: Definition, probe: Probe) -> bool:
    """Return False if a definition has no rule for the ties or repeats of a probe: it has no value there."""
    return not undescribed_cases(undescribed_axes(definition), Problem.of([probe.case], probe.k)).any()


def _values_differ(worked: Sequence[Worked]) -> bool:
    first, last = worked[0].value, worked[-1].value
    if first is None or last is None:
        return first is not last
    return abs(first - last) > _VISIBLE.width or np.isnan(first) != np.isnan(last)


def _worked_user(probe: Probe, definition: Definition, user: int) -> Worked:
    cut = definition.with_(k=probe.k) if definition.k is not None else definition
    made = work(cut, probe.case, user)
    rows = tuple(WorkedRow(rank=row.rank, item=row.item, cells=row.cells) for row in made.rows)
    return Worked(signature=made.signature, columns=made.columns, rows=rows, lines=made.lines, value=made.value)
