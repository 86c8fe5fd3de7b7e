"""Asks a library the experiments last, but for those whose outcome a confirmed definition tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.behaviours.experiment_answers import (
    ExperimentAnswers,
    changed_by_combination,
    with_further_answers,
)
from recsys_metric_audit.audit.behaviours.experiment_asks import (
    outcomes_by_scenario,
    probe_asks,
    read_by_experiments,
    scenario_asks,
    separate_change_asks,
)
from recsys_metric_audit.audit.behaviours.predicted_outcomes import (
    Tells,
    predicted_probes,
    predicted_scenarios,
    refuses_more,
)
from recsys_metric_audit.audit.behaviours.responses import ScenarioOutcomes
from recsys_metric_audit.audit.behaviours.scenarios import ORDINARY
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.process.protocol import Measured, Outcome
from recsys_metric_audit.audit.questions.distinguishing import independent_cases
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.run.initial_answers import AskLibrary, InitialAnswers
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem


def ask_experiments(
    functions: Sequence[Function],
    initial: InitialAnswers,
    trials: Mapping[str, Trial],
    ask: AskLibrary,
    *,
    predict: bool,
) -> ExperimentAnswers:
    """Ask the experiments whose outcomes are not known yet, in one conversation.

    Functions whose answer several changes of the input together have changed are asked each change separately.

    Args:
        functions: The functions of the library.
        initial: Their initial answers.
        trials: Their trials on held-out cases, by name.
        ask: Puts asks to the library.
        predict: Whether outcomes are read from confirmed definitions; a recording is to hold all answers.
    """
    told: dict[str, ScenarioOutcomes] = {}
    probes: dict[str, Mapping[str, Outcome]] = {}
    missing: dict[str, frozenset[str]] = {}
    for function in functions:
        trial = trials.get(function.name)
        asked = trial.diagnosis.observation.probes if trial is not None else {}
        definition = _telling(function, trial) if trial is not None and predict else None
        like = asked.get(ORDINARY)
        if trial is not None and definition is not None and isinstance(like, Measured):
            tells = told_inputs(definition, trial)
            told[function.name] = predicted_scenarios(definition, function, like, tells)
            probes[function.name] = predicted_probes(definition, function, asked, like, tells)
        if asked:
            known = asked.keys() | probes.get(function.name, {}).keys()
            missing[function.name] = read_by_experiments(function) - known
    scenarios = scenario_asks(functions, told)
    named = probe_asks(functions, missing, len(scenarios.asks))
    conversation = ask({**scenarios.cases, **named.cases}, (*scenarios.asks, *named.asks))
    experiments = _with_told(initial.experiments, told)
    experiments = with_further_answers(experiments, conversation.answers, scenarios.about)
    for name, outcomes in outcomes_by_scenario(conversation.answers, named.about).items():
        probes[name] = {
            **probes.get(name, {}),
            **{probe: next(iter(own.values()))[0] for probe, own in outcomes.items()},
        }
    experiments = replace(experiments, probes=probes)
    observations = {name: trial.diagnosis.observation for name, trial in trials.items()}
    separate = separate_change_asks(changed_by_combination(functions, experiments, observations))
    if not separate.asks:
        return experiments
    return with_further_answers(experiments, ask(separate.cases, separate.asks).answers, separate.about)


def _telling(function: Function, trial: Trial) -> Definition | None:
    """Return the confirmed definition of a function that refuses nothing more than this definition says."""
    definition = trial.confirmed
    if definition is None or refuses_more(
        definition, function, trial.diagnosis.observation, told_inputs(definition, trial)
    ):
        return None
    return definition


def told_inputs(definition: Definition, trial: Trial) -> Tells:
    """Return which inputs a definition tells: none of their features was left out, and no unknown edge decides.

    Args:
        definition: The definition.
        trial: The trial that confirmed it.
    """
    fit = trial.diagnosis.fit
    assert isinstance(fit, Fitting)

    def tells(probes: Sequence[Probe]) -> NDArray[np.bool_]:
        told = trial.tells(probes)
        if not told.any() or not fit.unidentified_axes:
            return told
        asked = Problem.of([probe.case for probe in probes], [probe.k for probe in probes])
        return told & independent_cases((definition,), asked, fit.unidentified_axes, per_user=fit.user_values_only)

    return tells


def _with_told(known: ExperimentAnswers, told: Mapping[str, ScenarioOutcomes]) -> ExperimentAnswers:
    names = {**dict.fromkeys(known.scenarios), **dict.fromkeys(told)}
    return replace(known, scenarios={name: {**known.scenarios.get(name, {}), **told.get(name, {})} for name in names})
