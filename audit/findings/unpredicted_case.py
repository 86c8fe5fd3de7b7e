"""Describes the case that no definition predicts: its kind of input, and what function and nearest definition give."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.observations.evidence import contradictions, gather_evidence, smallest_probe
from recsys_metric_audit.audit.observations.fit import Fit, Fitting, Stage
from recsys_metric_audit.audit.observations.observation import Observation, scalar
from recsys_metric_audit.audit.process.protocol import Errored, Measured
from recsys_metric_audit.reference.cases import EXHAUSTIVE, MIXED, PROBES, Kind, Probe, Role, Variant
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate

_INPUTS: Mapping[Role, str] = {
    "single_user": "lists of one user without ties and repeats",
    "order": "ties and rows out of order",
    "duplicates": "items that are recommended twice",
    "truth_duplicates": "relevant items that the truth lists twice",
    "relevance": "gains around the threshold and scores of 0 and less",
    "fractions": "gains between whole numbers",
    "seen": "recommended items that were seen in training",
    "multi_user": "several users, some without relevant items, a list or a hit",
    "rated_users": "users with rated items of which none is relevant",
    "degenerate": "one user without relevant items, a list or a hit",
    "exhaustive": "the smallest lists",
    "distinguishing": "inputs made to tell definitions apart",
    "mixed": "inputs with everything mixed",
    "held_out": "held-out inputs",
}
_ONLY: Mapping[Variant, str] = {
    "unit_gains": "gains of 1 only", "above_threshold": "gains above the threshold only",
    "all_listed": "all relevant items listed", "rated_misses": "some items rated below the threshold",
    "shown_items": "train data that say how many users have each item",
    "one_relevant": "one relevant item each", "one_relevant_unit_gain": "one relevant item each, of gain 1",
}  # fmt: skip
"""Says what all inputs of a variant have in common."""


def input_words(kind: Kind) -> str:
    """Return which inputs the probes of a kind are, in words."""
    only = f"; {_ONLY[kind.variant]}" if kind.variant in _ONLY else ""
    return f"{_INPUTS[kind.role]}{only}"


def stage_words(stage: Stage) -> str:
    """Return the stage that no definition survived, in words."""
    match stage:
        case "formula":
            return "no formula fits"
        case "every small list" | "distinguishing input" | "held-out input" | "data":
            return stage
        case role:
            return input_words(Kind(role))


def unpredicted_case(fit: Fit, observation: Observation) -> str:
    """Say in a sentence which case no definition predicts; empty if one fits or none came near enough to be compared.

    Args:
        fit: The outcome of identification.
        observation: The answers of the function.
    """
    if isinstance(fit, Fitting) or fit.nearest is None:
        return ""
    nearest = fit.nearest
    probe = fit.counterexample or _smallest_contradiction(nearest, fit, observation)
    if probe is None or probe.name not in observation.probes:
        return ""
    cut = f", k = {probe.k}" if nearest.k is not None else ""
    return (
        f"No definition predicts what it gives on {input_words(probe.kind)}, such as {probe.case.why}{cut}: the"
        f" function {_given(observation, probe)}, the nearest definition {_predicted(nearest, probe)}."
    )


def _smallest_contradiction(nearest: Definition, fit: Fit, observation: Observation) -> Probe | None:
    """Return the smallest of all cases asked that contradicts the nearest definition, if identification met none."""
    every = (*PROBES, *EXHAUSTIVE, *MIXED, *observation.further_probes)
    asked = tuple(probe for probe in every if probe.name in observation.probes)
    wrong, _ = contradictions(nearest, gather_evidence(observation.probes, asked), fit.tolerance)
    return smallest_probe(asked, wrong)


def _given(observation: Observation, probe: Probe) -> str:
    outcome = observation.probes[probe.name]
    if isinstance(outcome, Errored):
        return f"raises {outcome.error} ({outcome.message[:200]})"
    if not isinstance(outcome, Measured):
        return "gives no answer"
    value = scalar(outcome)
    if value is not None:
        return f"gives {_number(value)}"
    return f"gives {_numbers(outcome.values)} for its users" if outcome.values is not None else "gives no number"


def _predicted(definition: Definition, probe: Probe) -> str:
    made = evaluate(definition, Problem.of([probe.case], [probe.k]))
    if made.refused[0]:
        return "an error"
    users = f" ({_numbers(made.value[made.counted])} for its users)" if len(probe.users) > 1 else ""
    return f"{_number(float(made.mean[0]))}{users}"


def _numbers(values: NDArray[np.float64]) -> str:
    return ", ".join(_number(float(value)) for value in values) or "nothing"


def _number(value: float) -> str:
    return "NaN" if isnan(value) else f"{value:.6g}"
