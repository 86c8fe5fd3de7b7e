"""Which of the generated cases tell definitions apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from audit.observations.evidence import evaluated
from audit.questions.generated_cases import SHOWN_BY, TWICE, pool, problem
from reference.cases import Probe
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Evaluated, Problem
from reference.space.edges import AXES as EDGES

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

GAP = 1e-3
"""Values must differ by this much to count as told apart: more than any tolerance."""
_MANY = 60
"""Of so many definitions cases are looked for that tell them apart: answers tell more apart than these."""


def separating(
    definitions: Sequence[Definition],
    asked: frozenset[str],
    *,
    per_user: bool = False,
    unknown: Collection[str] = (),
    listed: bool = False,
    at_most: int = 4,
) -> tuple[Probe, ...]:
    """Cases not in ``asked`` on which some of the definitions differ, few and with few unusual features.

    ``per_user`` compares what each user gets instead of the number of the case. A definition that has ``other`` on an
    axis says nothing of the feature that would show it: no such case is chosen, nor one on which an edge decides that
    is ``unknown``; and where it is not known who is averaged, and how, none that has several users. With ``listed``
    all relevant items stand in their lists.
    """
    definitions = definitions[:_MANY]
    probes, features = pool()
    kinds = _kinds(definitions, per_user)
    barred = unsaid(definitions)
    acting = {SHOWN_BY[axis] for axis in SHOWN_BY if len({each.axes.get(axis) for each in definitions}) > 1}
    acting |= {"rated misses" for each in definitions if each.axes.get("candidates") == "test_only"}
    shown = decided(definitions, problem(), unknown, per_user=per_user) & (_listed() | (not listed))
    open_to = [
        number
        for number, probe in enumerate(probes)
        if probe.name not in asked and not features[number] & barred and shown[number]
    ]
    order = sorted(open_to, key=lambda number: (len(features[number] - acting), len(features[number])))
    group = np.zeros(len(definitions), dtype=np.int64)
    chosen: list[Probe] = []
    while order and len(chosen) < at_most and _count(group) < len(definitions):
        parts = [_count(_refined(group, kinds[:, number])) for number in order]
        best = order[int(np.argmax(parts))]
        if max(parts) == _count(group):
            break
        group = _rows(_refined(group, kinds[:, best])[:, None])
        chosen.append(probes[best])
        order.remove(best)
    return tuple(chosen)


def unsaid(definitions: Sequence[Definition]) -> frozenset[str]:
    """Features of cases of which some of the definitions say nothing: there they have ``other`` on an axis."""
    return frozenset(SHOWN_BY[axis] for each in definitions for axis, value in each.values if value == "other")


@cache
def _listed() -> Bools:
    """Cases whose relevant items all stand in the lists of their users."""
    pairs = [
        [set(zip(table.user.tolist(), table.item.tolist(), strict=True)) for table in (case.truth, case.predictions)]
        for case in problem().cases
    ]
    return np.array([relevant <= shown for relevant, shown in pairs])


def decided(
    definitions: Sequence[Definition], asked: Problem, unknown: Collection[str], *, per_user: bool = False
) -> Bools:
    """Cases of a problem on which nothing decides, under any of the definitions, that is unknown."""
    out = np.ones(len(asked.cases), dtype=bool)
    if not any(axis.name in unknown for axis in EDGES):
        return out
    for each in definitions:
        made = evaluated(each, asked)
        odd = ~made.regular | made.conventional | made.mixed
        if len(odd) == len(asked.placement):
            case = asked.placement.case
            out &= np.bincount(case, weights=odd, minlength=len(out)) == 0
            if not per_user and "pooling" in unknown:
                out &= np.bincount(case, minlength=len(out)) == 1
        else:  # all rows are one ranking: one user a case
            out &= ~odd & (not per_user and "pooling" not in unknown)
    return out


def confirming(definition: Definition, asked: frozenset[str]) -> tuple[Probe, ...]:
    """Cases not in ``asked`` that show what a definition says of order and input, where it differs there from what is
    usual: what was found on few cases of that kind is held against others."""
    axes = {axis.name for axis in definition.family.all_axes if axis.part == "order"}
    shown = dict.fromkeys(SHOWN_BY[axis] for axis in definition.differs_on if axis in axes and axis in SHOWN_BY)
    if "other" in definition.axes.values():
        return ()
    probes, features = pool()
    cases = [
        [probe for probe, own in zip(probes, features, strict=True) if own == {feature}][:TWICE] for feature in shown
    ]
    return tuple(probe for own in cases for probe in own if probe.name not in asked)


def _kinds(definitions: Sequence[Definition], per_user: bool) -> Ints:
    """A number for each definition and case: the same one where they say the same of the case, up to the gap."""
    made = [evaluated(definition, problem()) for definition in definitions]
    if not per_user:
        told = np.array([np.where(each.refused, -7.0, np.nan_to_num(each.mean, nan=-6.0)) for each in made])
        return _labels(told)
    labels, case = _labels(np.array([_users(each) for each in made])), problem().placement.case
    return np.stack([_rows(labels[:, case == number]) for number in range(len(problem().cases))], axis=1)


def _users(made: Evaluated) -> Floats:
    """What each user gets; -8 for nobody, -7 where one ranking of all rows has no value of a user."""
    case = problem().placement.case
    if len(made.value) != len(case):
        return np.full(len(case), -7.0)
    told = np.where(made.counted, np.nan_to_num(made.value, nan=-6.0), -8.0)
    return np.asarray(np.where(made.refused[case], -7.0, told))


def _labels(values: Floats) -> Ints:
    """Values of each column numbered upwards: those that follow each other within the gap share their number."""
    order = np.argsort(values, axis=0, kind="stable")
    steps = np.diff(np.take_along_axis(values, order, axis=0), axis=0) > GAP
    numbers = np.concatenate([np.zeros((1, values.shape[1]), dtype=np.int64), np.cumsum(steps, axis=0)])
    out = np.empty_like(numbers)
    np.put_along_axis(out, order, numbers, axis=0)
    return out


def _rows(labels: Ints) -> Ints:
    """The same number for equal rows."""
    return np.asarray(np.unique(labels, axis=0, return_inverse=True)[1], dtype=np.int64).reshape(-1)


def _refined(group: Ints, kinds: Ints) -> Ints:
    return group * (int(kinds.max(initial=0)) + 1) + kinds


def _count(group: Ints) -> int:
    return len(np.unique(group))
