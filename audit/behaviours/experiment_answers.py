"""Asks the experiments, and collects their answers: one ask for each scenario, a few probes under another hash seed.

Inputs that show nothing but axes of a definition that held-out cases have confirmed need not be asked: its values are
those of the function. Inputs that no axis describes (renamed ids, shuffled rows, calls in sequence, nobody left to be
averaged) are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.contract_check import read_by_contract
from recsys_metric_audit.audit.behaviours.experiments import METAMORPHIC_TESTS
from recsys_metric_audit.audit.behaviours.responses import Responses, ScenarioOutcomes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation, infer_tolerance
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Errored, Measured, NotOffered, Outcome, Unaskable
from recsys_metric_audit.audit.questions.contract_probes import is_asked
from recsys_metric_audit.audit.questions.initial import (
    INITIAL_PROBES,
    INITIAL_PROBLEM,
    by_cutoff,
    unasked_initial_probes,
)
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case

OTHER_SEED = 1
"""The hash seed of the second process; the first one's is 0."""


@dataclass(frozen=True, eq=False)
class ExperimentAsks:
    """Asks in order, the cases that they name, and the scenario or probe of each ask by the ask's id.

    Those with ids from other numbers on can be put together: the names of their cases differ.
    """

    asks: tuple[Ask, ...]
    cases: Mapping[str, Case]
    about: Mapping[int, str]


def repeated_call_asks(functions: Sequence[Function], first: int) -> ExperimentAsks:
    """Return the asks of the calls in a row, with ids from ``first`` on: they show whether answers can be relied on."""
    called_again = [each for each in scenarios.SCENARIOS if each.name == scenarios.CALLED_AGAIN]
    return _asks(called_again, functions, first, {each.name: (scenarios.CALLED_AGAIN,) for each in functions})


def read_by_experiments(function: Function) -> frozenset[str]:
    """Return the names of the scenarios and probes that tell something of a function.

    An experiment on an axis that the contract or the adapter decides tells nothing, but it may test the contract.
    """
    told = (test.judge.reads for test in METAMORPHIC_TESTS if test.axis not in function.ruled_out)
    adapter = (each.name for each in scenarios.SINGLE_HIT)
    return read_by_contract(function).union(*told, adapter, [scenarios.COMBINED_CHANGES])


def scenario_asks(
    functions: Sequence[Function],
    told: Mapping[str, Collection[str]] = MappingProxyType({}),
    listed: Collection[str] = (),
) -> ExperimentAsks:
    """Return the asks of every scenario, but for calls in a row, for every function.

    A scenario at several cut-offs is left out for functions that take none, and one that tells nothing of a function
    for that function.

    Args:
        functions: The functions.
        told: By function name, the names of scenarios whose outcomes are known without asking.
        listed: Names of functions that are asked the form without unlisted items where there is one.
    """
    chosen = [each for each in (*scenarios.SCENARIOS, *scenarios.CONTRACT) if each.name != scenarios.CALLED_AGAIN]
    other_form = {name: scenarios.LISTED.keys() | {scenarios.COMBINED_CHANGES} for name in listed}
    wanted = {
        name: read.difference(told.get(name, ()), other_form.get(name, ()))
        for name, read in _read_by(functions).items()
    }
    return _asks(chosen, functions, 0, wanted)


def listed_asks(functions: Sequence[Function], first: int) -> ExperimentAsks:
    """Return the asks of what has a form without unlisted items, in this form, with ids from ``first`` on."""
    return _asks(tuple(scenarios.LISTED.values()), functions, first, _read_by(functions))


def _read_by(functions: Sequence[Function]) -> dict[str, frozenset[str]]:
    return {each.name: read_by_experiments(each) for each in functions}


def probe_asks(functions: Sequence[Function], wanted: Mapping[str, Collection[str]], first: int) -> ExperimentAsks:
    """Return the asks of probes, by the names that ``wanted`` gives each function, with ids from ``first`` on."""
    return _asks(scenarios.AS_PROBES, functions, first, wanted)


def separate_change_asks(functions: Sequence[Function]) -> ExperimentAsks:
    """Return the asks of each separate change, for functions whose answer the combined changes changed."""
    return _asks(scenarios.SEPARATE_CHANGES, functions, 0, _read_by(functions))


def _asks(
    chosen: Sequence[scenarios.Scenario],
    functions: Sequence[Function],
    first: int,
    wanted: Mapping[str, Collection[str]],
) -> ExperimentAsks:
    """Return the asks of the scenarios that ``wanted`` names by function."""
    asks: list[Ask] = []
    cases: dict[str, Case] = {}
    about: dict[int, str] = {}
    files: dict[str, str] = {}
    for scenario in chosen:
        asked = [each for each in functions if scenario.name in wanted.get(each.name, ())]
        for names, ks in by_cutoff(asked, scenario.ks):
            if ks == (None,) and len(scenario.ks) > 1:
                continue
            file = files.setdefault(scenario.case.name, f"x{first + len(files):03}")  # no more files than asks
            cases[file] = scenario.case
            about[first + len(asks)] = scenario.name
            asks.append(Ask(first + len(asks), file, names, ks, scenario.repeat, scenario.fresh))
    return ExperimentAsks(tuple(asks), cases, about)


def other_seed_asks(functions: Sequence[Function], observations: Mapping[str, Observation]) -> ExperimentAsks:
    """Return the asks under another hash seed: only functions that answered can answer otherwise.

    Recordings need no answer to the one whose relevant items are all listed: they are older.
    """
    wanted = {
        name: [
            *([scenarios.SEEDED_LISTED] if isinstance(own.probes.get(scenarios.SEEDED_LISTED), Measured) else []),
            *(scenarios.SEEDED[1:] if isinstance(own.probes.get(scenarios.ORDINARY), Measured) else []),
        ]
        for name, own in observations.items()
    }
    chosen = [
        replace(each, case=replace(each.case, name=f"{scenarios.ALL_LISTED}: {each.name}"))
        if each.name == scenarios.SEEDED_LISTED
        else each
        for each in scenarios.AS_PROBES
    ]
    return _asks(chosen, functions, 0, wanted)


def outcomes_by_scenario(
    answers: Iterable[Answer], about: Mapping[int, str]
) -> dict[str, dict[str, dict[int | None, tuple[Outcome, ...]]]]:
    """Sort answers by function, scenario and cut-off: one outcome for each repetition.

    Args:
        answers: what was answered; answers to other asks are left out.
        about: the scenario or probe of each ask, by the ask's id.
    """
    made: dict[str, dict[str, dict[int | None, tuple[Outcome, ...]]]] = {}
    for answer in answers:
        if answer.ask in about:
            of_ask = made.setdefault(answer.function, {}).setdefault(about[answer.ask], {})
            of_ask[answer.k] = (*of_ask.get(answer.k, ()), answer.outcome)
    return made


def first_outcomes(answers: Iterable[Answer], about: Mapping[int, str]) -> dict[str, dict[str, Outcome]]:
    """Sort answers by function and probe: the first outcome of each; ``about`` as in :func:`outcomes_by_scenario`."""
    return {
        function: {probe: next(iter(of_ks.values()))[0] for probe, of_ks in probes.items()}
        for function, probes in outcomes_by_scenario(answers, about).items()
    }


@dataclass(frozen=True, eq=False)
class ExperimentAnswers:
    """Holds outcomes by function.

    Attributes:
        scenarios: The outcomes in every scenario.
        other_seed: Those of some probes in the process of another hash seed.
        probes: Those of probes that identification did not ask.
    """

    scenarios: Mapping[str, ScenarioOutcomes] = field(default_factory=dict)
    other_seed: Mapping[str, Mapping[str, Outcome]] = field(default_factory=dict)
    probes: Mapping[str, Mapping[str, Outcome]] = field(default_factory=dict)

    def with_scenarios(self, further: Mapping[str, ScenarioOutcomes]) -> ExperimentAnswers:
        """Add the outcomes in further scenarios, by function."""
        names = {**dict.fromkeys(self.scenarios), **dict.fromkeys(further)}
        made = {name: {**self.scenarios.get(name, {}), **further.get(name, {})} for name in names}
        return replace(self, scenarios=made)

    def with_repeats(self, observations: Mapping[str, Observation]) -> dict[str, Observation]:
        """Return the observations with every repeated answer to a probe.

        Repeated are the calls in a row on the ordinary probe, and the probes under another hash seed.
        """
        return {name: self._with_repeats(each) for name, each in observations.items()}

    def _with_repeats(self, observation: Observation) -> Observation:
        repeats = {name: (outcome,) for name, outcome in self.other_seed.get(observation.function, {}).items()}
        for outcomes in self.scenarios.get(observation.function, {}).get(scenarios.CALLED_AGAIN, {}).values():
            repeats[scenarios.ORDINARY] = (*repeats.get(scenarios.ORDINARY, ()), *outcomes)
        again = {
            name: (*observation.repeats.get(name, ()), *(each for each in own if isinstance(each, Measured | Errored)))
            for name, own in repeats.items()
            if name in observation.probes
        }
        return replace(observation, repeats={**observation.repeats, **again})


def collect_answers(
    asked: ExperimentAsks, answers: Sequence[Answer], asked_again: ExperimentAsks, answers_again: Sequence[Answer]
) -> ExperimentAnswers:
    """Sort the answers of two processes by function and scenario or probe.

    Args:
        asked: the asks of the scenarios.
        answers: the answers to them.
        asked_again: the asks of probes under another hash seed.
        answers_again: the answers to them.
    """
    other_seed = first_outcomes(answers_again, asked_again.about)
    return ExperimentAnswers(outcomes_by_scenario(answers, asked.about), other_seed)


def with_further_answers(
    known: ExperimentAnswers, answers: Sequence[Answer], about: Mapping[int, str]
) -> ExperimentAnswers:
    """Add the answers to further scenarios; ``about`` names the scenario of each ask by the ask's id."""
    return known.with_scenarios(outcomes_by_scenario(answers, about))


def changed_by_combination(
    functions: Sequence[Function], answers: ExperimentAnswers, observations: Mapping[str, Observation]
) -> tuple[Function, ...]:
    """Return the functions whose answer the combined changes changed: each change is then asked separately."""
    observed = {each.name: observations[each.name] for each in functions if each.name in observations}
    responses = {
        name: Responses(each.probes, answers.scenarios.get(name, {}), infer_tolerance(each.probes.values()))
        for name, each in observed.items()
    }
    return tuple(each for each in functions if each.name in responses and responses[each.name].changed_by_combination)


_BY_AXES = frozenset(each.name for each in (*scenarios.SINGLE_HIT, *scenarios.TIES, *scenarios.UNTIED)) | {
    "a hit just below k, nothing twice", "the copy taken out, the hit moved up", "filled up with misses",
    "perfect list upside down", "without that user", "without the row below", "without the row of 0",
    "without the negative row", scenarios.TRUTH_ONCE, scenarios.K_ALONE, scenarios.ONLY_LISTED, scenarios.TRAIN_ON_TOP,
    scenarios.UNSEEN_ON_TOP,
}  # fmt: skip
"""The scenarios that show nothing but axes of definitions."""
_PREDICTED = tuple(
    (each, k) for each in (*scenarios.SCENARIOS, *scenarios.CONTRACT) if each.name in _BY_AXES for k in each.ks
)
_PROBES = tuple(Probe(Kind("held_out"), each.case, k) for each, k in _PREDICTED)
_SCENARIO_PROBLEM = problem_of(_PROBES)
_CUTOFFS = {each.name: len(each.ks) for each, _ in _PREDICTED}
Tells = Callable[[Sequence[Probe]], NDArray[np.bool_]]
"""Returns a mask of the inputs that a definition tells."""
_TIED = frozenset(each.name for each in scenarios.TIES)


def predicted_scenarios(
    definition: Definition, function: Function, like: Measured, tells: Tells
) -> dict[str, dict[int | None, tuple[Outcome, ...]]]:
    """Return the outcomes of the scenarios that a confirmed definition tells, by name and cut-off.

    Args:
        definition: The definition.
        function: The function. Where its contract or its adapter decides what becomes of ties, the definition says
            nothing of them.
        like: An outcome of the function: with a mean, users' values, or both.
        tells: Returns a mask of the inputs for which held-out cases have shown that the definition holds.
    """
    chosen = _BY_AXES - _TIED if {"ties", "order"} & function.ruled_out.keys() else _BY_AXES
    outcomes = _outcomes(definition, _SCENARIO_PROBLEM, like)
    told: dict[str, dict[int | None, tuple[Outcome, ...]]] = {}
    for (scenario, k), is_told, outcome in zip(_PREDICTED, tells(_PROBES), outcomes, strict=True):
        asked = function.cutoff or len(scenario.ks) == 1
        if scenario.name in chosen and asked and outcome is not None and is_told:
            told.setdefault(scenario.name, {})[k if function.cutoff else None] = (outcome,)
    return {name: own for name, own in told.items() if len(own) == _CUTOFFS[name] or not function.cutoff}


def predicted_probes(
    definition: Definition, function: Function, asked: Mapping[str, Outcome], like: Measured, tells: Tells
) -> dict[str, Outcome]:
    """Return the outcomes that a confirmed definition tells of initial probes that were not asked, by name."""
    outcomes = _outcomes(definition, INITIAL_PROBLEM, like)
    left = frozenset(probe.name for probe in unasked_initial_probes(function, asked))
    return {
        probe.name: outcome
        for probe, outcome, is_told in zip(INITIAL_PROBES, outcomes, tells(INITIAL_PROBES), strict=True)
        if outcome is not None and is_told and probe.name in left
    }


def refuses_more(definition: Definition, function: Function, observation: Observation, tells: Tells) -> bool:
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
    asked = problem_of(refused)
    return not bool(evaluate(definition, asked).refused.all())


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
