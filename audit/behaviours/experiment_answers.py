"""Collects the answers of a library's functions in the experiments, and chooses the functions that are asked more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from recsys_metric_audit.audit.behaviours.experiment_asks import ExperimentAsks, outcomes_by_scenario
from recsys_metric_audit.audit.behaviours.responses import Responses, ScenarioOutcomes
from recsys_metric_audit.audit.behaviours.scenarios import ORDINARY
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation, infer_tolerance
from recsys_metric_audit.audit.process.protocol import Answer, Errored, Measured, Outcome

_REPEATED = "called three times"


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

    def with_repeats(self, observations: Mapping[str, Observation]) -> dict[str, Observation]:
        """Return the observations with every repeated answer to a probe.

        Repeated are the calls in a row on the ordinary probe, and the probes under another hash seed.
        """
        return {name: self._with_repeats(each) for name, each in observations.items()}

    def _with_repeats(self, observation: Observation) -> Observation:
        repeats = {name: (outcome,) for name, outcome in self.other_seed.get(observation.function, {}).items()}
        for outcomes in self.scenarios.get(observation.function, {}).get(_REPEATED, {}).values():
            repeats[ORDINARY] = (*repeats.get(ORDINARY, ()), *outcomes)
        again = {
            name: (
                *observation.repeats.get(name, ()),
                *(each for each in outcomes if isinstance(each, Measured | Errored)),
            )
            for name, outcomes in repeats.items()
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
    other_seed = {
        function: {probe: next(iter(by_cutoff.values()))[0] for probe, by_cutoff in probes.items()}
        for function, probes in outcomes_by_scenario(answers_again, asked_again.about).items()
    }
    return ExperimentAnswers(outcomes_by_scenario(answers, asked.about), other_seed)


def with_further_answers(
    known: ExperimentAnswers, answers: Sequence[Answer], about: Mapping[int, str]
) -> ExperimentAnswers:
    """Add the answers to further scenarios; ``about`` names the scenario of each ask by the ask's id."""
    further = outcomes_by_scenario(answers, about)
    names = {**dict.fromkeys(known.scenarios), **dict.fromkeys(further)}
    made = {name: {**known.scenarios.get(name, {}), **further.get(name, {})} for name in names}
    return replace(known, scenarios=made)


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


def answering_ordinary(functions: Sequence[Function], observations: Mapping[str, Observation]) -> tuple[Function, ...]:
    """Return the functions that answered the ordinary probe: only they can answer otherwise under another seed."""
    return tuple(
        each
        for each in functions
        if each.name in observations and isinstance(observations[each.name].probes.get(ORDINARY), Measured)
    )
