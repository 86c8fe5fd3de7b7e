"""A function of a library with everything that its behaviours are judged from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recsys_metric_audit.audit.behaviours.experiment_answers import ExperimentAnswers
from recsys_metric_audit.audit.behaviours.responses import Responses, ScenarioOutcomes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Fit
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance, infer_tolerance
from recsys_metric_audit.audit.process.protocol import Declined, Errored, NotOffered, Outcome
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition


@dataclass(frozen=True, eq=False)
class FunctionUnderTest:
    """A function, its outcomes on probes and scenarios, and the definitions that fit it.

    ``other_seed`` holds the outcomes on some probes in the process of another hash seed. ``further`` are the probes
    that were asked to tell definitions apart. ``unknown`` are the axes of the definitions that are not known; ``known``
    is the definition if there is one and there are none.
    """

    function: Function
    probes: Mapping[str, Outcome]
    scenarios: ScenarioOutcomes
    tolerance: Tolerance
    definitions: Sequence[Definition] = ()
    other_seed: Mapping[str, Outcome] = field(default_factory=dict)
    further: tuple[Probe, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def known(self) -> Definition | None:
        """The definition, if there is one and all its axes are known."""
        return self.definitions[0] if len(self.definitions) == 1 and not self.unknown else None

    @property
    def responses(self) -> Responses:
        """Return its outcomes as responses that judges compare."""
        return Responses(self.probes, self.scenarios, self.tolerance, self.function.cutoff, self.other_seed)


def functions_under_test(
    functions: Sequence[Function],
    answers: ExperimentAnswers,
    found: Mapping[str, tuple[Observation, Fit | None]],
) -> dict[str, FunctionUnderTest]:
    """Return, by name, the functions that the library offers and that can be imported.

    Args:
        functions: the functions of the library's manifest.
        answers: their answers in the experiments.
        found: the observation and the fit of each function, by its name.
    """
    made = {}
    for function in functions:
        observation, fit = found.get(function.name, (None, None))
        if observation is None or isinstance(observation.failure(), Declined) or not_built(function, observation):
            continue
        width = fit.tolerance if fit is not None else infer_tolerance(observation.probes.values())
        probes = {**answers.probes.get(function.name, {}), **observation.probes}
        made[function.name] = FunctionUnderTest(
            function, probes, answers.scenarios.get(function.name, {}), width,
            fit.definitions if fit is not None else (), answers.other_seed.get(function.name, {}),
            observation.further_probes, fit.unidentified_axes if fit is not None else (),
        )  # fmt: skip
    return made


def not_built(function: Function, observation: Observation) -> str:
    """Return why a function that needs compiling in a checkout cannot be imported; empty if it can."""
    match observation.failure() if function.built else None:
        case NotOffered(why):
            return why
        case Errored("ImportError" | "ModuleNotFoundError", message):
            return message
    return ""
