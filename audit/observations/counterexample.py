"""The smallest input on which a library and the canonical definition differ, told item by item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from audit.observations import probe_tables
from audit.observations.evidence import Heard, against, hear
from audit.observations.observation import Observation, Tolerance
from audit.observations.worked_by_hand import both
from audit.process.protocol import Errored
from reference.cases import Probe, split_users
from reference.cases.probe import Kind
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Evaluated, Problem, evaluate
from reports.model.result import Witness, WitnessItem, WitnessUser

_VISIBLE = Tolerance(1e-4, "what a reader sees")
_KINDS: tuple[Kind, ...] = ("plain", "order", "duplicates", "truth_duplicates", "relevance", "crowd", "small")
_GAP = 1e-3


@dataclass(frozen=True, eq=False)
class Difference:
    """A probe on which library and canonical definition differ: column ``number`` of what was heard."""

    probe: Probe
    heard: Heard
    number: int


def smallest_difference(observation: Observation, canonical: Definition) -> Difference | None:
    """The smallest probe asked on which the library is not canonical; the first of those of one size."""
    return min(_differences(observation, canonical), key=lambda each: each.probe.size, default=None)


def _differences(observation: Observation, canonical: Definition) -> Iterator[Difference]:
    for heard in _everything(observation):
        wrong, _ = against(canonical, heard, _VISIBLE, lone=False)
        for number in np.flatnonzero(wrong).tolist():
            yield Difference(heard.probes[number], heard, number)


def _everything(observation: Observation) -> Iterator[Heard]:
    for kind in _KINDS:
        yield hear(
            observation.probes, probe_tables.probes(kind, observation.k), probe_tables.problem(kind, observation.k)
        )
    if further := observation.further:
        yield hear(observation.probes, further, Problem.of([each.case for each in further], [p.k for p in further]))


def expected_difference(fitted: Definition, canonical: Definition) -> Probe | None:
    """The smallest list of one user on which two definitions differ, None where no list of up to five shows it."""
    problem = probe_tables.problem("small")
    ours, theirs = evaluate(canonical, problem), evaluate(fitted, problem)
    if len(ours.value) != len(theirs.value) or len(ours.value) != len(problem.placement):
        return None
    apart = np.abs(np.nan_to_num(ours.value, nan=-6) - np.nan_to_num(theirs.value, nan=-6)) > _GAP
    apart |= ours.counted != theirs.counted
    users = np.flatnonzero(apart & (theirs.counted & ours.counted)).tolist()
    singles = [(probe_tables.probes("small")[int(problem.placement.case[user])], user) for user in users]
    first = np.searchsorted(problem.placement.case, np.arange(len(problem.cases)))
    sized = [
        (probe.users[place].rows, probe.k, probe, place)
        for probe, user in singles
        for place in [user - int(first[problem.placement.case[user]])]
    ]
    least = min(sized, key=lambda each: each[:2], default=None)
    return None if least is None else split_users(least[2])[least[3]]


def witness(observation: Observation, canonical: Definition, fitted: Definition | None = None) -> Witness | None:
    """The smallest probe on which the library and the canonical definition of the metric differ, worked by hand with
    the canonical and the ``fitted`` definition."""
    found = smallest_difference(observation, canonical)
    if found is None:
        return None
    made, probe, heard = evaluate(canonical, found.heard.problem), found.probe, found.heard
    right = float(made.mean[found.number])
    value = float(heard.value[found.number]) if heard.known[found.number] else None
    said = _says(found, observation, right, value)
    return Witness(
        case=probe.name, k=probe.k if canonical.k is not None else None, users=tuple(_users(found, made)),
        library_value=value, canonical_value=right, text=f"{canonical.signature()} {said}: {probe.case.why}",
        worked=both(probe, canonical, fitted),
    )  # fmt: skip


def _says(found: Difference, observation: Observation, right: float, value: float | None) -> str:
    outcome = observation.probes.get(found.probe.name)
    if isinstance(outcome, Errored):
        return f"is {right:.6g}, the library refuses the input ({outcome.error}: {outcome.message[:200]})"
    if value is None:
        return "and the library give some users different values, or the library leaves out other users"
    return f"is {right:.6g}, the library says {value:.6g}"


def _users(found: Difference, made: Evaluated) -> Iterator[WitnessUser]:
    rec, rel = found.probe.case.predictions, found.probe.case.truth
    placement = found.heard.problem.placement
    own = np.flatnonzero(placement.case == found.number)
    each = len(made.value) == len(placement)  # one ranking of all rows has no value of a user
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
            library_value=float(found.heard.each[index]) if found.heard.given[index] else None,
            canonical_value=float(made.value[index]) if each and made.counted[index] else None,
        )  # fmt: skip
