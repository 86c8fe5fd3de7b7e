"""Tells how an identification ended that found no definition: the nearest one, and the smallest input against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress

from recsys_metric_audit.audit.identification.given_answers import evidence_on_all, infer_search_tolerance
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.evidence import contradictions, gather_evidence, smallest_probe
from recsys_metric_audit.audit.observations.fit import Contradicted, Stage, contradicted
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.questions.contract_probes import allows_gains_of
from recsys_metric_audit.reference.cases import Probe, split_batch
from recsys_metric_audit.reference.cases.item_probes import SHOWN_ITEMS
from recsys_metric_audit.reference.definitions.definition import Definition


def contradiction(nearest: Definition | None, function: Function, observation: Observation) -> Contradicted:
    """Return the outcome for a function that the nearest definition does not explain either.

    Args:
        nearest: The definition that the fewest answers contradict; None if there is none.
        function: The function.
        observation: Its answers.
    """
    tolerance, evidence = infer_search_tolerance(observation), evidence_on_all(function, observation)
    if nearest is None:
        return Contradicted("formula", tolerance, observation.answered)
    wrong = contradictions(nearest, evidence, tolerance)
    smallest, kinds = smallest_probe(evidence.probes, wrong), {each.kind for each in compress(evidence.probes, wrong)}
    of_formula = any(each.role == "single_user" or each == SHOWN_ITEMS for each in kinds)
    stage = "formula" if smallest is None or of_formula else _stage_of(smallest)
    return contradicted(stage, evidence, [nearest], tolerance, observation.answered)


def _stage_of(probe: Probe) -> Stage:
    match probe.kind.role:
        case "exhaustive":
            return "every small list"
        case "distinguishing":
            return "distinguishing input"
        case role:
            return role


def single_lists(fit: Contradicted, function: Function, observation: Observation) -> tuple[Probe, ...]:
    """Return each list of a batch of small lists by itself where the batch is what contradicts the nearest definition.

    Args:
        fit: The outcome.
        function: The function.
        observation: Its answers: what it was asked is not asked again.
    """
    batch = fit.counterexample
    if batch is None or batch.kind.role != "exhaustive" or len(batch.users) < 2:
        return ()
    lists = (probe for probe in split_batch(batch) if probe.name not in observation.probes)
    return tuple(probe for probe in lists if allows_gains_of(function, probe))


def sharpened(fit: Contradicted, observation: Observation, asked: Sequence[Probe]) -> Contradicted:
    """Return the outcome with the smallest single list that contradicts the nearest definition, if one does."""
    assert fit.nearest is not None
    evidence = gather_evidence(observation.probes, asked)
    wrong = contradictions(fit.nearest, evidence, fit.tolerance)
    smallest = smallest_probe(evidence.probes, wrong) or fit.counterexample
    return replace(fit, counterexample=smallest, cases=observation.answered)
