"""Fits functions to which an item is relevant from a gain of their own, whatever the threshold of the input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from audit.identification.data_recheck import fitting_data
from audit.identification.given_answers import infer_search_tolerance
from audit.inhouse.fitting.documented_fit import with_ties
from audit.inhouse.function_inputs import FunctionInputs
from audit.inhouse.shapes import Shape
from audit.observations.candidates import distinct, expand, meaningful
from audit.observations.evidence import Evidence, evidence_on, gather_evidence, survivors
from audit.observations.fit import Fit, Fitting, narrowed
from audit.observations.observation import Observation, Tolerance
from audit.questions.threshold_cases import with_told_threshold
from reference.cases import Kind, Probe
from reference.catalogue import variants_of
from reference.definitions.definition import Definition
from reference.equality.projection import formula_of
from reference.evaluation.evaluate import Problem
from reference.metrics import METRICS

_ABOVE_ORDINARY_GAINS = ("3", "4", "5", "6", "2.5", "3.5", "4.5")
"""The gains of the probes above 2, which most of their relevant items have; whole numbers are tried first."""
_WHO_COUNTS = ({"users": "truth_rows", "undefined": "0"}, {"users": "truth"}, {"users": "all", "undefined": "0"})
"""Who may be averaged, and as what users without a relevant item count, where one call has all users."""
_UNUSUAL_ROWS = (("duplicates",), ("truth_duplicates",))


def has_high_threshold(observation: Observation) -> bool:
    """Return True if items of gain 1 seem never to be relevant: all inputs with no other gain have one value.

    The search takes the items of most inputs for relevant, so such a function is found without it.
    """
    low = evidence_on(observation, Kind("single_user", "unit_gains"))
    usual = evidence_on(observation, Kind("single_user"))
    alike = [len(np.unique(each.value[each.measured])) for each in (low, usual)]
    return low.measured.sum() > 1 and alike[0] == 1 and alike[1] > 1


def fit_with_own_threshold(
    metric: str, observation: Observation, inputs: FunctionInputs, shape: Shape, data: Problem
) -> Fit | None:
    """Return the fit of a documented formula to which an item is relevant from a gain above 2 on; None if none fits.

    Args:
        metric: The metric whose name the function bears.
        observation: The answers of the function.
        inputs: The inputs of its calls.
        shape: How it was called; there is no fit where it holds labels for a truth.
        data: The larger input, as a problem of one case.
    """
    acting = {"relevance", "users", "undefined"} <= METRICS[metric].canonical.keys()
    if not shape.unlisted or not acting or METRICS[metric].axis("relevance").numeric is None:
        return None
    tolerance = infer_search_tolerance(observation)
    formulas = [formula_of(variant.definition).with_(k="k") for variant in variants_of(metric)]
    # A function of one user is called for each user of the truth. What comes out where nobody is left is told later.
    who = _WHO_COUNTS if shape.users else _WHO_COUNTS[:1]
    own = [
        Definition.of(metric, {**each.axes, **counted, "relevance": threshold}, each.k)
        for each in with_ties(formulas, shape) for counted in who for threshold in _ABOVE_ORDINARY_GAINS
    ]  # fmt: skip
    every = gather_evidence(observation.probes, inputs.every).without_refusals()
    every = every.only(np.array([probe.kind.role != "degenerate" for probe in every.probes]))
    left = _surviving(
        own, every.only(np.array(["duplicates" not in each.kind.role for each in every.probes])), tolerance
    )
    for axes in _UNUSUAL_ROWS:
        if axes[0] not in shape.not_shown:
            rows = every.only(np.array([each.kind.role in ("single_user", *axes) for each in every.probes]))
            left = _surviving((each for one in left for each in _with_values(one, axes)), rows, tolerance)
    left = _surviving(left, every, tolerance)
    # Few tied or repeated items have a gain above such a threshold: often several rules fit.
    unseen = [
        axis for axis in ("ties", "duplicates", "truth_duplicates") if len({each.axes.get(axis) for each in left}) > 1
    ]
    found = Fitting(tuple(left[:1]), 0.0, tolerance, every.answered, unidentified_axes=tuple(unseen))
    return found if left and fitting_data(found, observation, data, with_unspecified_ties=False) else None


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


def _surviving(definitions: Iterable[Definition], evidence: Evidence, tolerance: Tolerance) -> list[Definition]:
    return survivors(distinct(meaningful(list(definitions))), evidence, tolerance)[0]


def _with_values(definition: Definition, axes: tuple[str, ...]) -> list[Definition]:
    metric = definition.metric
    return [Definition.of(metric, values, definition.k) for values in expand(definition.axes, metric, axes)]
