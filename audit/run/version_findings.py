"""The findings of one library version: one for each function and cut-off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recsys_metric_audit.audit.behaviours.function_behaviours import not_built
from recsys_metric_audit.audit.findings.finding import Subject, make_finding, told_definitions, unmeasured_finding
from recsys_metric_audit.audit.findings.issue_script import add_script
from recsys_metric_audit.audit.identification.process_pool import ProcessPool
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.observations.fit import Fit
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Declined, Measured
from recsys_metric_audit.audit.questions.own_data import change_for, data_for
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.audit.run.rows import blind_axes, wanted_means
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.kept_means import keep_means
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reports.model.result import Finding, Status


@dataclass(frozen=True, eq=False)
class Diagnosed:
    """A library version whose functions were identified, and tried on held-out inputs.

    Attributes:
        manifest: The library.
        version: The version.
        functions: Its functions, in the order of the manifest.
        trials: The trials, with their diagnoses, by function name; functions that answered nothing have none.
        fault: Why its adapter is suspected to be wrong, so that nothing is published; None if it is not.
        contract_faults: Why the contract that the adapter declares is wrong, for functions whose answers contradict it.
    """

    manifest: Manifest
    version: Version
    functions: Sequence[Function]
    trials: Mapping[str, Trial]
    fault: str | None
    contract_faults: Mapping[str, str] = field(default_factory=dict)


def diagnosed_findings(diagnosed: Diagnosed, request: Request, processes: ProcessPool) -> list[Finding]:
    """Return the findings of every function at every cut-off of the request, in the order of the functions."""
    manifest, version = diagnosed.manifest, diagnosed.version
    by_function = processes(
        _measured_findings,
        (Subject(manifest.name, version.version, function) for function in diagnosed.functions),
        (cutoffs_of(function, request.ks) for function in diagnosed.functions),
        (diagnosed.trials.get(function.name) for function in diagnosed.functions),
    )
    pairs = zip(diagnosed.functions, by_function, strict=True)
    return [each for function, findings in pairs for each in _published(findings, function, diagnosed, request)]


def evaluate_ahead(fits: Sequence[tuple[Function, Fit | None]], request: Request, data: Problem) -> None:
    """Compute on the data what will be compared with answers on them, and what the result will tell; it is kept.

    Args:
        fits: Functions with the definitions that fit them.
        request: The request of the run.
        data: The data of the run.
    """
    wanted: list[tuple[Problem, Sequence[Definition]]] = [*wanted_means(data, request)]
    for function, fit in fits:
        own = data_for(function, data)
        for k in cutoffs_of(function, request.ks):
            noted = [each for each in own.wanted if (each.k is None) == (k is None)]
            wanted.append((own.at(k), [*told_definitions(function, k, fit), *noted]))
    keep_means(*wanted)
    blind_axes(data, max(request.ks))


def unavailable_findings(manifest: Manifest, version: Version, ks: tuple[int, ...], reason: str) -> tuple[Finding, ...]:
    """Return findings that say of every function that its version cannot be asked, and why."""
    return tuple(
        unmeasured_finding(Subject(manifest.name, version.version, function), k, "unavailable", reason)
        for function in manifest.functions_of(version)
        for k in cutoffs_of(function, ks)
    )


def cutoffs_of(function: Function, ks: tuple[int, ...]) -> tuple[int | None, ...]:
    """Return the cut-offs at which a function is reported: `ks`, or None alone if it takes no cut-off."""
    return ks if function.cutoff else (None,)


def _measured_findings(
    subject: Subject, ks: tuple[int | None, ...], trial: Trial | None, data: Problem
) -> list[Finding]:
    observation, fit = (trial.diagnosis.observation, trial.diagnosis.fit) if trial is not None else (None, None)
    own = data_for(subject.function, data)
    findings = [make_finding(subject, k, observation, fit, own, trial) for k in ks]
    if own is data:
        return findings
    return [
        each.model_copy(update={"called_with": (*each.called_with, change_for(subject.function)[1])})
        for each in findings
    ]


def _published(findings: list[Finding], function: Function, diagnosed: Diagnosed, request: Request) -> list[Finding]:
    """Return the findings of one function as they are published.

    They are replaced by a reason if the function needs compiling and was not compiled, if the adapter is suspected, or
    if its declaration of what the function takes is contradicted;
    otherwise they get the script that shows the difference, and the means of all recommenders.
    """
    if function.name not in diagnosed.trials:
        return findings
    observation = diagnosed.trials[function.name].diagnosis.observation
    if why := not_built(function, observation):
        reason = f"not built: {why}; in a checkout of your own, `{function.built}` builds it"
        return [_without_value(each, function, "unavailable", reason) for each in findings]
    fault = diagnosed.fault or diagnosed.contract_faults.get(function.name)
    if fault is not None and not isinstance(observation.failure(), Declined):
        return [_without_value(each, function, "failed", fault) for each in findings]
    findings = [add_script(each, diagnosed.manifest, diagnosed.version, function, observation) for each in findings]
    if not request.others:
        return findings
    return [
        each.model_copy(update={"by_recommender": _means_by_recommender(each, observation, request)})
        for each in findings
    ]


def _without_value(finding: Finding, function: Function, status: Status, reason: str) -> Finding:
    return unmeasured_finding(Subject(finding.library, finding.version, function), finding.k, status, reason)


def _means_by_recommender(finding: Finding, observation: Observation, request: Request) -> dict[str, float | None]:
    """Return the library's own mean for every recommender of the run, None where it gave none."""
    means = {request.recommender: finding.value}
    for name in request.others:
        outcome = observation.other_recommenders.get(name, {}).get(finding.k)
        means[name] = outcome.mean if isinstance(outcome, Measured) else None
    return means
