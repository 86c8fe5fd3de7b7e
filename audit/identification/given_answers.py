"""Reads from the answers of a function how precise they are, and what it was asked."""

from __future__ import annotations

import numpy as np

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations import probe_tables
from recsys_metric_audit.audit.observations.evidence import Evidence, evidence_on, gather_evidence
from recsys_metric_audit.audit.observations.observation import (
    SINGLE_PRECISION,
    Observation,
    Tolerance,
    infer_tolerance,
    user_tolerance,
)
from recsys_metric_audit.audit.observations.rescale import rescale
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES, initial_probes
from recsys_metric_audit.reference.cases import Kind


def infer_search_tolerance(observation: Observation) -> Tolerance:
    """Infer the tolerance from all answers, or from those on single-user probes where each user's value is rounded."""
    tolerance = infer_tolerance([*observation.probes.values(), *observation.data.values()])
    if tolerance.width >= SINGLE_PRECISION.width:
        return tolerance
    plain = (observation.probes.get(probe.name) for probe in probe_tables.probes(Kind("single_user"), observation.k))
    return user_tolerance(filter(None, plain)) or tolerance


def needs_all_listed(observation: Observation) -> bool:
    """Return whether the function answered more multi-user probes with all relevant items listed than others."""
    listed, others = (evidence_on(observation, Kind("multi_user", each)) for each in ("all_listed", "usual"))
    return listed.answered > others.answered


def evidence_on_all(function: Function, observation: Observation) -> Evidence:
    """Collect what a function answered to all inputs, the initial ones first."""
    initial = initial_probes(function) if observation.k is None else rescale(INITIAL_PROBES, observation.k)
    probes = {probe.name: probe for probe in (*initial, *observation.further_probes)}
    return gather_evidence(observation.probes, tuple(probes.values()))


def has_high_threshold(observation: Observation) -> bool:
    """Return True if items of gain 1 seem never to be relevant: all inputs with no other gain have one value."""
    low = evidence_on(observation, Kind("single_user", "unit_gains"))
    usual = evidence_on(observation, Kind("single_user"))
    alike = [len(np.unique(each.value[each.measured])) for each in (low, usual)]
    return low.measured.sum() > 1 and alike[0] == 1 and alike[1] > 1
