"""The audit of one library version: find who answers, ask, identify, test its behaviours, and make its findings."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial

from recsys_metric_audit.audit.behaviours.adapter_check import suspected_fault
from recsys_metric_audit.audit.behaviours.contract_check import contract_fault
from recsys_metric_audit.audit.behaviours.experiment_answers import ExperimentAnswers
from recsys_metric_audit.audit.behaviours.function_behaviours import BehaviourAnnotator, functions_under_test, not_built
from recsys_metric_audit.audit.behaviours.responses import ScenarioOutcomes
from recsys_metric_audit.audit.behaviours.scenarios import NOBODY_LISTED, NOBODY_RELEVANT, SCENARIOS
from recsys_metric_audit.audit.data.large_data import is_large, sample_users
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.environments.environment import BuildFailed
from recsys_metric_audit.audit.findings.finding import Subject, make_finding, told_definitions, unmeasured_finding
from recsys_metric_audit.audit.findings.issue_script import add_script
from recsys_metric_audit.audit.identification.loop import IdentifyProgress
from recsys_metric_audit.audit.identification.process_pool import ProcessPool
from recsys_metric_audit.audit.identification.shared_tables import make_tables
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.known import KnownDefinitions
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.fit import Fit, Fitting
from recsys_metric_audit.audit.observations.nobody_left import with_rule_for_nobody
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.process.protocol import Ask, Conversation, Declined, Measured
from recsys_metric_audit.audit.process.stoppable import StoppableThreads
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.audit.questions.own_data import change_for, data_for
from recsys_metric_audit.audit.refutation.identify_functions import identify_functions
from recsys_metric_audit.audit.refutation.refute import prepare_cases
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.responders.choice import FindResponder
from recsys_metric_audit.audit.responders.interface import CallProgress, NoResponder, Responder
from recsys_metric_audit.audit.run import asking
from recsys_metric_audit.audit.run.finding_store import FindingStore, KeptFindings
from recsys_metric_audit.audit.run.recorded_findings import NOTHING, RecordedVersion
from recsys_metric_audit.audit.run.request import Progress, Request
from recsys_metric_audit.audit.run.rows import audited_row, blind_axes, unavailable_row, wanted_means
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.kept_means import keep_means
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reports.model.result import Finding, Library, Status


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
        _make_findings,
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


def _make_findings(subject: Subject, ks: tuple[int | None, ...], trial: Trial | None, data: Problem) -> list[Finding]:
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
    return probes, problem_of(probes)


VersionResult = tuple[Library, tuple[Finding, ...]]
"""The row of a library version, and its findings."""


@dataclass(frozen=True, eq=False)
class Shared:
    """Holds the objects that the audits of all versions of a run share.

    Attributes:
        request: The request of the run.
        processes: The processes that identify; they hold the data.
        progress: Is told what happens to each version.
        find: Chooses the responder of a version.
        recorded: What was recorded of versions, which is taken over where the initial answers are the recorded ones.
        threads: The threads that audit; they end early when the run does.
    """

    request: Request
    processes: ProcessPool
    progress: Progress
    find: FindResponder
    recorded: Mapping[tuple[str, str], RecordedVersion] = field(default_factory=dict)
    threads: StoppableThreads = field(default_factory=StoppableThreads)


def audit_version(manifest: Manifest, version: Version, shared: Shared) -> VersionResult:
    """Audit one library version; if nothing can answer for it, its findings say why."""
    began = time.monotonic()
    request, progress = shared.request, shared.progress
    passing = request.remove_environments and environment.state(manifest, version) == "missing"
    try:
        with shared.threads.working():
            responder = shared.find(
                manifest, version, request.sources, request.limits,
                lambda step: progress.building(manifest.name, version.version, step),
            )  # fmt: skip
    except (BuildFailed, NoResponder) as error:
        reason = f"{error.reason} ({error.hint})" if error.hint else error.reason
        log = error.log_tail if isinstance(error, BuildFailed) else ""
        row = unavailable_row(manifest, version, reason, log)
        findings = unavailable_findings(manifest, version, request.ks, reason)
    else:
        with closing(responder), shared.threads.working():
            row, findings = _audit_answering(manifest, version, responder, shared)
    finally:
        if passing:
            environment.remove(manifest, version)
    progress.finished(manifest.name, version.version, row.status, time.monotonic() - began, findings)
    return row, findings


def _audit_answering(manifest: Manifest, version: Version, responder: Responder, shared: Shared) -> VersionResult:
    """Audit a version for which `responder` answers."""
    # Known definitions save calls; those to a recording cost nothing.
    request = replace(shared.request, known=KnownDefinitions()) if responder.asked_in_full else shared.request
    progress = shared.progress
    name = manifest.name, version.version
    functions = tuple(each.against(request.canonical.get(each.metric)) for each in manifest.functions_of(version))

    store = FindingStore.of(manifest, version, responder, request)
    if store is not None and (kept := store.read()) is not None:
        progress.identifying(*name, len(functions), len(functions))
        nothing_asked = Conversation(store.hello, (), 0.0)
        row = audited_row(manifest, version, nothing_asked, responder, kept.fault, kept.findings)
        return row.model_copy(update=kept.of), kept.findings

    recorded = shared.recorded.get(name, NOTHING)
    if not recorded.answers:  # else nothing may have to be identified
        shared.processes.prepare(make_tables)  # while the library answers
    prepare_cases(with_items=any(map(reads_items, functions)))

    on_answer, on_identified = partial(progress.asking, *name), partial(progress.identifying, *name)

    def put(on_answer: CallProgress) -> asking.AskLibrary:
        def ask(cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
            return responder.ask(cases, asks, on_answer, shared.threads.stopping, hash_seed)

        return ask

    data = request.dataset.case
    large = responder.live and is_large(data)
    sample = sample_users(data) if large else None
    known = {each.name: shared.request.known.groups(manifest.name, version.version, each) for each in functions}
    ask = asking.AskedAhead(put(on_answer), put(_silent))
    # What experiments change is what a relevant item does; metrics beyond accuracy read none.
    experimented = [each for each in functions if not reads_items(each)]

    def identify(
        initial: asking.InitialAnswers, ask: asking.AskLibrary, on_identified: IdentifyProgress
    ) -> tuple[dict[str, Trial], ExperimentAnswers]:
        """Identify every function from its initial answers, try to refute what was found, and ask the experiments."""
        found = initial.observations
        if not responder.live:
            found = asking.with_recorded_answers(functions, found, ask)
        trials = identify_functions(functions, found, shared.processes, ask, on_identified, known)
        return trials, asking.ask_experiments(experimented, initial, trials, ask, predict=bool(request.known))

    def ask_ahead(initial: asking.InitialAnswers) -> None:
        _ = request.dataset.digest  # the result tells it
        ahead, _ = identify(initial, ask.ahead, _silent)
        fits = [(each, ahead[each.name].diagnosis.fit if each.name in ahead else None) for each in functions]
        shared.processes(evaluate_ahead, [fits], [request])

    initial = asking.ask_initial_questions(
        functions, request, put(on_answer), sample, ask_ahead if large else None, recorded.answers
    )
    of = {"answers": initial.digest, "confirms": ""}
    if recorded.answers and recorded.answers == initial.digest:
        progress.identifying(*name, len(functions), len(functions))
        findings, of["confirms"] = tuple(_as_answered(each, initial) for each in recorded.read()), recorded.day
        if store is not None:
            store.write(KeptFindings(findings, None, of))
        row = audited_row(manifest, version, initial.conversation, responder, None, findings)
        return row.model_copy(update=of), findings
    if request.despite_refusal:
        initial = replace(initial, observations=asking.without_refused_data(initial.observations))
    trials, experiments = identify(initial, ask, on_identified)
    told = [experiments.scenarios.get(name, {}) for name in trials]
    trials = dict(zip(trials, shared.processes(_with_nobody, trials.values(), told), strict=True))
    diagnoses = {name: trial.diagnosis for name, trial in trials.items()}
    fits = {name: (each.observation, each.fit) for name, each in diagnoses.items()}
    tested = functions_under_test(experimented, experiments, fits)
    answered = any(each.observation.failure() is None for each in diagnoses.values())
    # Where nothing was measured, what the functions said tells more than that they said it of easy lists too.
    fault, annotator = suspected_fault(tested) if answered else None, BehaviourAnnotator(tested)
    contract_faults = {name: words for name, each in tested.items() if (words := contract_fault(each))}
    diagnosed = Diagnosed(manifest, version, functions, trials, fault, contract_faults)
    findings = tuple(
        annotator.annotate(finding if responder.live else finding.model_copy(update={"live": False}))
        for finding in diagnosed_findings(diagnosed, request, shared.processes)
    )
    if store is not None:
        store.write(KeptFindings(findings, fault, of))
    row = audited_row(manifest, version, initial.conversation, responder, fault, findings)
    return row.model_copy(update=of), findings


def _as_answered(finding: Finding, initial: asking.InitialAnswers) -> Finding:
    """Return a recorded finding with the value that the function gave now, which is that one to six digits."""
    outcome = initial.observations[finding.function].data.get(finding.k)
    if finding.value is None or not isinstance(outcome, Measured):
        return finding
    return finding.model_copy(update={"value": outcome.mean})


def _with_nobody(trial: Trial, scenarios: ScenarioOutcomes, _: Problem) -> Trial:
    """Call :func:`with_nobody` in a process that holds the data."""
    return with_nobody(trial, scenarios)


def _silent(done: int, total: int) -> None:
    """Report nothing."""
