"""Reads what a function gives where no user is left from its probes and from two experiments: no truth, no list."""

from __future__ import annotations

from dataclasses import replace

from recsys_metric_audit.audit.behaviours.responses import ScenarioOutcomes
from recsys_metric_audit.audit.behaviours.scenarios import NOBODY_LISTED, NOBODY_RELEVANT, SCENARIOS
from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.nobody_left import with_rule_for_nobody
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.space.averaging import NOBODY


def with_nobody(trial: Trial, scenarios: ScenarioOutcomes) -> Trial:
    """Return a trial whose definitions tell what comes out where nobody is left to be averaged.

    Args:
        trial: The trial of a function; its definitions are identified in all else.
        scenarios: The function's outcomes in the experiments.
    """
    diagnosis = trial.diagnosis
    # What the adapter makes of nobody is no answer of the library's.
    if not isinstance(diagnosis.fit, Fitting) or NOBODY.name in diagnosis.function.ruled_out:
        return trial
    if reads_items(diagnosis.function):  # a probe of its own has shown it
        return trial
    probes, problem = nobody_probes()
    outcomes = {
        each.name: repeated[0]
        for each in probes
        for repeated in list(scenarios.get(each.name, {}).values())[:1]
        if repeated
    }
    further = gather_evidence(outcomes, probes, problem)
    fit = with_rule_for_nobody(diagnosis.fit, diagnosis.observation, (further,))
    return replace(trial, diagnosis=replace(diagnosis, fit=fit))


def nobody_probes() -> tuple[tuple[Probe, ...], Problem]:
    """Return the two experiments as probes, and their cases as one problem."""
    chosen = [each for each in SCENARIOS if each.name in (NOBODY_RELEVANT, NOBODY_LISTED)]
    probes = tuple(Probe(Kind("multi_user"), each.case, each.ks[0]) for each in chosen)
    return probes, Problem.of([probe.case for probe in probes], [probe.k for probe in probes])
