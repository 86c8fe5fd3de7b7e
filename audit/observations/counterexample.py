"""The smallest input on which a library and the canonical definition differ, worked by hand for the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from audit.observations import probe_tables
from audit.observations.evidence import (
    Bools,
    Evidence,
    contradictions,
    evaluate_cached,
    evidence_on,
    gather_evidence,
)
from audit.observations.observation import Observation, Tolerance
from audit.process.protocol import Errored
from reference.cases import Probe, split_users
from reference.cases.probe import Kind
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Evaluated, Problem, evaluate
from reference.evaluation.worked_example import work
from reports.model.result import Witness, WitnessItem, WitnessUser, Worked, WorkedRow

_VISIBLE = Tolerance(1e-4, "what a reader sees")
"""Smaller differences are not shown: a reader would not see them in the numbers of a report."""
_EXPECTED_GAP = 1e-3
"""Two definitions must differ by more than this on an input for the library to be asked about it."""
_KINDS: tuple[Kind, ...] = (
    "plain",
    "order",
    "duplicates",
    "truth_duplicates",
    "relevance",
    "fractions",
    "crowd",
    "small",
)


@dataclass(frozen=True, eq=False)
class Difference:
    """A probe on which the library's answer is not that of the canonical definition.

    Attributes:
        probe: The probe.
        evidence: The answers to this and other probes.
        number: The index of the probe in ``evidence``.
    """

    probe: Probe
    evidence: Evidence
    number: int


def smallest_difference(
    observation: Observation, canonical: Definition, fixed: Definition | None = None
) -> Difference | None:
    """Return the difference on the probe with the fewest rows, the first one of equal size; None if there is none.

    Args:
        observation: The answers of the library's function.
        canonical: The definition that the function is compared with.
        fixed: ``canonical`` with the values of the axes that the contract of the function or its adapter fixes: a
            probe on which these two differ shows what does not apply, and is left out.
    """
    return min(_differences(observation, canonical, fixed), key=lambda each: each.probe.size, default=None)


def _differences(
    observation: Observation, canonical: Definition, fixed: Definition | None
) -> Iterator[Difference]:  # fmt: skip
    for evidence in _all_evidence(observation):
        wrong, _ = contradictions(canonical, evidence, _VISIBLE, edges_known=True)
        if fixed is not None and fixed != canonical:
            wrong &= _alike(canonical, fixed, evidence.problem)
        for number in np.flatnonzero(wrong).tolist():
            yield Difference(evidence.probes[number], evidence, number)


def _alike(one: Definition, other: Definition, problem: Problem) -> Bools:
    """Return a mask of cases on which two definitions give equal means, and equal values to all users."""
    ours, theirs = evaluate_cached(one, problem), evaluate_cached(other, problem)
    alike: Bools = np.isclose(ours.mean, theirs.mean, equal_nan=True) & (ours.refused == theirs.refused)
    if len(ours.value) != len(problem.placement) or len(theirs.value) != len(problem.placement):
        return alike
    apart = ~np.isclose(ours.value, theirs.value, equal_nan=True) & (ours.counted | theirs.counted)
    apart |= ours.counted != theirs.counted
    unmoved: Bools = np.bincount(problem.placement.case, weights=apart, minlength=len(alike)) == 0
    return alike & unmoved


def _all_evidence(observation: Observation) -> Iterator[Evidence]:
    for kind in _KINDS:
        yield evidence_on(observation, kind)
    if observation.further_probes:
        yield gather_evidence(observation.probes, observation.further_probes)


def expected_difference(fitted: Definition, canonical: Definition) -> Probe | None:
    """Return the smallest list of one user on which two definitions differ; None if no list of up to five does."""
    problem = probe_tables.problem("small")
    ours, theirs = evaluate(canonical, problem), evaluate(fitted, problem)
    if len(ours.value) != len(theirs.value) or len(ours.value) != len(problem.placement):
        return None
    smallest = min(_users_apart(problem, ours, theirs), key=lambda found: found[:2], default=None)
    return None if smallest is None else split_users(smallest[2])[smallest[3]]


def _users_apart(problem: Problem, ours: Evaluated, theirs: Evaluated) -> Iterator[tuple[int, int, Probe, int]]:
    """Yield the users of small lists on whom two definitions differ, as (rows, k, probe, the user's place in it)."""
    values = (np.nan_to_num(made.value, nan=-6) for made in (ours, theirs))  # no value is as low as -6
    apart = np.abs(np.subtract(*values)) > _EXPECTED_GAP
    case = problem.placement.case
    first_user = np.searchsorted(case, np.arange(len(problem.cases)))
    for user in np.flatnonzero(apart & ours.counted & theirs.counted).tolist():
        probe = probe_tables.probes("small")[int(case[user])]
        place = user - int(first_user[case[user]])
        yield probe.users[place].rows, probe.k, probe, place


def witness(
    observation: Observation,
    canonical: Definition,
    fitted: Definition | None = None,
    fixed: Definition | None = None,
) -> Witness | None:
    """Return the smallest probe on which the library is not canonical, worked by hand; None if there is none.

    Args:
        observation: The answers of the library's function.
        canonical: The definition that the function is compared with.
        fitted: The definition that was identified, if any: the probe is worked with it as well.
        fixed: The canonical definition with the values that the contract fixes; see :func:`smallest_difference`.
    """
    found = smallest_difference(observation, canonical, fixed)
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
        worked=_worked(probe, canonical, fitted),
    )  # fmt: skip


def _sentence(found: Difference, observation: Observation, right: float, value: float | None) -> str:
    """Return the rest of a sentence that begins with the canonical signature."""
    outcome = observation.probes.get(found.probe.name)
    if isinstance(outcome, Errored):
        return f"is {right:.6g}, the library refuses the input ({outcome.error}: {outcome.message[:200]})"
    if value is None:
        return "and the library give some users different values, or the library leaves out other users"
    return f"is {right:.6g}, the library says {value:.6g}"


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
    """Work the first user on whom the two definitions differ, or else the first user, with each definition."""
    users = np.union1d(probe.case.predictions.user, probe.case.truth.user).tolist()
    definitions = [canonical] if fitted is None else [canonical, fitted]
    by_user = [tuple(_worked_user(probe, each, user) for each in definitions) for user in users]
    return next((worked for worked in by_user if _values_differ(worked)), by_user[0])


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
