"""Fits functions to which an item is relevant from a gain of their own, whatever the threshold of the input."""

from __future__ import annotations

from collections.abc import Sequence

from audit.inhouse.function_inputs import FunctionInputs
from audit.observations.evidence import gather_evidence
from audit.observations.fit import Fit, Fitting, narrowed
from audit.observations.observation import Observation
from audit.questions.threshold_cases import with_told_threshold
from reference.cases import Probe


def fit_after_questions(fit: Fit, observation: Observation, inputs: FunctionInputs, chosen: Sequence[Probe]) -> Fit:
    """Return the fit with the threshold that the answers to questions tell; contradicted where none gives them.

    Args:
        fit: The fit to all other answers.
        observation: All answers of the function.
        inputs: The inputs of its calls.
        chosen: The inputs among them that :func:`audit.questions.threshold_cases.threshold_questions` chose.
    """
    told = with_told_threshold(fit, gather_evidence(observation.probes, inputs.every))
    if not isinstance(told, Fitting):
        return told
    return narrowed(told, gather_evidence(observation.probes, tuple(chosen)).without_refusals())
