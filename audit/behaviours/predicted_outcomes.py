"""Reads from an identified definition what a function answers, where held-out cases have confirmed it.

Inputs that show nothing but axes of the definition need not be asked again: its values are those of the function.
Inputs that no axis describes (renamed ids, shuffled rows, calls in sequence, nobody left to be averaged) are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.behaviours.scenarios import (
    CONTRACT,
    K_ALONE,
    ONLY_LISTED,
    SCENARIOS,
    SINGLE_HIT,
    TIES,
    TRAIN_ON_TOP,
    TRUTH_ONCE,
    UNSEEN_ON_TOP,
    UNTIED,
)
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, Measured, NotOffered, Outcome, Unaskable
from recsys_metric_audit.audit.questions.contract_probes import is_asked
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES, initial_problem, unasked_initial_probes
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate

_BY_AXES = frozenset(
    each.name for each in (*SINGLE_HIT, *TIES, *UNTIED)
) | {
    "a hit just below k, nothing twice", "the copy taken out, the hit moved up", TRUTH_ONCE, "filled up with misses",
    "perfect list upside down", "without that user", "without the row below", "without the row of 0",
    "without the negative row", K_ALONE, ONLY_LISTED, TRAIN_ON_TOP, UNSEEN_ON_TOP,
}  # fmt: skip
"""The scenarios that show nothing but axes of definitions."""
_PREDICTED = tuple((each, k) for each in (*SCENARIOS, *CONTRACT) if each.name in _BY_AXES for k in each.ks)
_PROBES = tuple(Probe(Kind("held_out"), each.case, k) for each, k in _PREDICTED)
_CUTOFFS = {each.name: len(each.ks) for each, _ in _PREDICTED}
Tells = Callable[[Sequence[Probe]], NDArray[np.bool_]]
"""Returns a mask of the inputs that a definition tells."""
_TIED = frozenset(each.name for each in TIES)


def predicted_scenarios(
    definition: Definition, function: Function, like: Measured, tells: Tells
) -> dict[str, dict[int | None, tuple[Outcome, ...]]]:  # fmt: skip
    """Return the outcomes of the scenarios that a confirmed definition tells, by name and cut-off.

    Args:
        definition: The definition.
        function: The function. Where its contract or its adapter decides what becomes of ties, the definition says
            nothing of them.
        like: An outcome of the function: with a mean, users' values, or both.
        tells: Returns a mask of the inputs for which held-out cases have shown that the definition holds.
    """
    chosen = _BY_AXES - _TIED if {"ties", "order"} & function.ruled_out.keys() else _BY_AXES
    outcomes = _outcomes(definition, _scenario_problem(), like)
    told: dict[str, dict[int | None, tuple[Outcome, ...]]] = {}
    for (scenario, k), is_told, outcome in zip(_PREDICTED, tells(_PROBES), outcomes, strict=True):
        asked = function.cutoff or len(scenario.ks) == 1
        if scenario.name in chosen and asked and outcome is not None and is_told:
            told.setdefault(scenario.name, {})[k if function.cutoff else None] = (outcome,)
    return {name: own for name, own in told.items() if len(own) == _CUTOFFS[name] or not function.cutoff}


def predicted_probes(
    definition: Definition, function: Function, asked: Mapping[str, Outcome], like: Measured,
    tells: Tells,
) -> dict[str, Outcome]:  # fmt: skip
    """Return the outcomes that a confirmed definition tells of initial probes that were not asked, by name."""
    outcomes = _outcomes(definition, initial_problem(), like)
    left = frozenset(probe.name for probe in unasked_initial_probes(function, asked))
    return {
        probe.name: outcome
        for probe, outcome, is_told in zip(INITIAL_PROBES, outcomes, tells(INITIAL_PROBES), strict=True)
        if outcome is not None and is_told and probe.name in left
    }


def refuses_more(
    definition: Definition, function: Function, observation: Observation, tells: Tells
) -> bool:  # fmt: skip
    """Return True if a function refused a probe that a confirmed definition tells, and expects a number for.

    What else it would refuse is not known then, and no outcome is told.
    """
    probes = {probe.name: probe for probe in (*INITIAL_PROBES, *observation.further_probes)}
    refused = [
        probe
        for name, probe in probes.items()
        if isinstance(observation.probes.get(name), Errored | NotOffered | Unaskable) and is_asked(function, probe)
    ]
    refused = [probe for probe, is_told in zip(refused, tells(refused), strict=True) if is_told]
    if not refused:
        return False
    asked = Problem.of([probe.case for probe in refused], [probe.k for probe in refused])
    return not bool(evaluate(definition, asked).refused.all())


@cache
def _scenario_problem() -> Problem:
    return Problem.of([each.case for each, _ in _PREDICTED], [k for _, k in _PREDICTED])


def _outcomes(definition: Definition, problem: Problem, like: Measured) -> list[Measured | None]:
    """Return the outcome of each case; None where no axis tells it: an error, or nobody is left to be averaged."""
    made = evaluate(definition, problem)
    has_users = like.users is not None and len(made.value) == len(problem.placement.users)
    out: list[Measured | None] = []
    for number, mean in enumerate(made.mean.tolist()):
        if made.refused[number] or made.nobody[number]:
            out.append(None)
            continue
        own = np.flatnonzero((problem.placement.case == number) & made.counted) if has_users else None
        out.append(
            Measured(
                mean=mean if like.mean is not None else None,
                users=None if own is None else problem.placement.users[own],
                values=None if own is None else made.value[own],
                dtype=like.dtype,
                seconds=0.0,
            )
        )
    return out
