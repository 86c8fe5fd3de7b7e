"""One audit: environments, asks, identification, result."""

from __future__ import annotations

import platform
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from importlib.metadata import version as installed_version
from typing import Protocol

from audit.behaviours import experiment_asks
from audit.behaviours.adapter_check import suspected_fault
from audit.behaviours.experiment_answers import (
    answering_ordinary,
    changed_by_combination,
    collect_answers,
    with_further_answers,
)
from audit.behaviours.experiments import EXPERIMENTS
from audit.behaviours.function_behaviours import BehaviourAnnotator
from audit.behaviours.function_under_test import functions_under_test, not_built
from audit.data.dataset import Dataset as Data
from audit.environments import environment
from audit.findings.finding import Subject, make_finding, unmeasured_finding
from audit.findings.issue_script import add_script
from audit.identification.diagnosis import Diagnosis
from audit.identification.loop import diagnose
from audit.identification.process_pool import ProcessPool, process_pool
from audit.libraries.function import Function
from audit.libraries.manifest import Manifest, Version
from audit.observations.observation import Observation, observations_by_function
from audit.process.protocol import Ask, Conversation, Declined, Limits, Measured
from audit.questions.initial import plan
from audit.responders.choice import FindResponder, find_responder
from audit.responders.interface import NoResponder, Responder
from audit.sources.checkout import Checkouts
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate
from reference.evaluation.unidentified_axes import unidentified_axes
from reference.input.case import Case
from reference.metrics import METRICS
from reports.model.result import Dataset, Finding, Library, Reference, Result, Status


@dataclass(frozen=True, eq=False)
class Request:
    """What to audit, on what, and within which limits."""

    chosen: tuple[tuple[Manifest, Version], ...]
    dataset: Data
    ks: tuple[int, ...]
    jobs: int
    limits: Limits
    command: str
    recommender: str = ""
    """Whose predictions ``dataset`` has; empty where that is not known."""
    others: Mapping[str, Case] = field(default_factory=dict)
    """The same data with the predictions of further recommenders, by name: asked for their values only."""
    sources: Checkouts = field(default_factory=dict)
    """The checkouts that were given."""
    canonical: Mapping[str, Definition] = field(default_factory=dict)
    """Definitions in the place of canonical ones, by metric."""


class Progress(Protocol):
    """Hears what is going on; called from several threads."""

    def building(self, library: str, version: str, message: str) -> None:
        """An environment is being made."""

    def asking(self, library: str, version: str, done: int, total: int) -> None:
        """A library has answered ``done`` of ``total`` calls."""

    def finished(self, library: str, version: str, status: str, seconds: float) -> None:
        """A library version is done."""


def run(request: Request, progress: Progress, find: FindResponder = find_responder) -> Result:
    """Audit every chosen library version; one that cannot run keeps its rows, with the reason.

    ``find`` chooses the responder of a version.
    """
    data = Problem.of([request.dataset.case], None)
    with process_pool(request.dataset.case, request.jobs) as processes:
        audited = _audited(request, processes, progress, find)
    return Result(
        tool=installed_version("recsys-metric-audit"), platform=platform.platform(), command=request.command,
        dataset=_dataset(request.dataset, request.canonical), k=request.ks, reference=_reference(data, request),
        recommenders=(request.recommender, *request.others) if request.recommender else (),
        libraries=tuple(library for library, _ in audited),
        findings=tuple(each for _, findings in audited for each in findings), experiments=EXPERIMENTS,
        blind=unidentified_axes(data.at(max(request.ks))),
    )  # fmt: skip


def _audited(
    request: Request, processes: ProcessPool, progress: Progress, find: FindResponder
) -> list[tuple[Library, tuple[Finding, ...]]]:
    """Each chosen version's row and findings, in their order; several are heard out at a time."""
    stop = threading.Event()
    pool = ThreadPoolExecutor(max_workers=max(1, request.jobs))
    try:
        waiting = {
            name_of(pair): pool.submit(_audit, pair, request, processes, progress, stop, find)
            for pair in sorted(request.chosen, key=_slowness)
        }
        return [waiting[name_of(pair)].result() for pair in request.chosen]
    except BaseException:
        stop.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def name_of(pair: tuple[Manifest, Version]) -> tuple[str, str]:
    """Library and version: what tells one row from another."""
    return pair[0].name, pair[1].version


def _slowness(pair: tuple[Manifest, Version]) -> tuple[bool, bool]:
    """The order in which libraries start: those that take long come last, so that none waits for them."""
    return pair[1].heavy is not None, pair[1].torch is not None


def _audit(
    pair: tuple[Manifest, Version], request: Request, processes: ProcessPool, progress: Progress, stop: threading.Event,
    find: FindResponder,
) -> tuple[Library, tuple[Finding, ...]]:  # fmt: skip
    manifest, version = pair
    began = time.monotonic()
    try:
        responder = find(
            manifest, version, request.sources, request.limits,
            lambda line: progress.building(manifest.name, version.version, line),
        )  # fmt: skip
    except (environment.BuildFailed, NoResponder) as error:
        progress.finished(manifest.name, version.version, "unavailable", time.monotonic() - began)
        reason = f"{error.reason} ({error.hint})" if error.hint else error.reason
        log = error.log_tail if isinstance(error, environment.BuildFailed) else ""
        row = _library(manifest, version, None, status="unavailable", reason=reason, log=log)
        return row, _unavailable(manifest, version, request.ks, reason)
    with closing(responder):
        return _heard_out(pair, request, processes, progress, stop, responder, began)


def _heard_out(
    pair: tuple[Manifest, Version], request: Request, processes: ProcessPool, progress: Progress, stop: threading.Event,
    responder: Responder, began: float,
) -> tuple[Library, tuple[Finding, ...]]:  # fmt: skip
    manifest, version = pair
    functions = tuple(each.against(request.canonical.get(each.metric)) for each in manifest.functions_of(version))
    asked = plan(functions, request.dataset.case, request.ks, request.others)
    further = experiment_asks.scenario_asks(functions, len(asked.asks))

    def put(cases: Mapping[str, Case], asks: Sequence[Ask], seed: int = 0) -> Conversation:
        return responder.ask(
            cases, asks, lambda done, total: progress.asking(manifest.name, version.version, done, total), stop, seed
        )

    said = put({**asked.cases, **further.cases}, (*asked.asks, *further.asks))
    answers = [answer for answer in said.answers if answer.ask not in further.about]
    heard = observations_by_function(answers, asked.probe_of, asked.data, asked.other_recommenders)
    seeded = experiment_asks.other_seed_asks(answering_ordinary(functions, heard))
    other = put(seeded.cases, seeded.asks, experiment_asks.OTHER_SEED).answers if seeded.asks else ()
    told = collect_answers(further, said.answers, seeded, other)
    singled = experiment_asks.separate_change_asks(changed_by_combination(functions, told, heard))
    if singled.asks:
        told = with_further_answers(told, put(singled.cases, singled.asks).answers, singled.about)
    found = diagnose(functions, told.with_repeats(heard), processes, put)
    known = functions_under_test(functions, told, {name: (each.observation, each.fit) for name, each in found.items()})
    fault, annotator = suspected_fault(known), BehaviourAnnotator(known)
    told_of = _findings(manifest, version, functions, found, request, processes, fault)
    findings = tuple(
        annotator.annotate(each if responder.live else each.model_copy(update={"live": False})) for each in told_of
    )
    status = "audited" if said.hello is not None and fault is None else "failed"
    progress.finished(manifest.name, version.version, status, time.monotonic() - began)
    return _library(manifest, version, said, status=status, reason=fault, responder=responder), findings


def _findings(
    manifest: Manifest, version: Version, functions: Sequence[Function], found: Mapping[str, Diagnosis],
    request: Request, processes: ProcessPool, fault: str | None,
) -> list[Finding]:  # fmt: skip
    made = processes(
        _measured,
        (Subject(manifest.name, version.version, function) for function in functions),
        (request.ks if function.cutoff else (None,) for function in functions),
        (found.get(function.name) for function in functions),
    )
    out: list[Finding] = []
    for function, own in zip(functions, made, strict=True):
        if function.name not in found:
            out += own
            continue
        heard = found[function.name].observation
        if why := not_built(function, heard):
            reason = f"not built: {why}; in a checkout of your own, `{function.built}` builds it"
            own = [_instead(each, function, "unavailable", reason) for each in own]
        elif fault is not None and not isinstance(heard.failure(), Declined):
            own = [_instead(each, function, "failed", fault) for each in own]
        else:
            own = [add_script(each, manifest, version, function, heard) for each in own]
            own = [_for_all(each, heard, request) for each in own] if request.others else own
        out += own
    return out


def _measured(subject: Subject, ks: tuple[int | None, ...], found: Diagnosis | None, data: Problem) -> list[Finding]:
    heard, fit = (found.observation, found.fit) if found is not None else (None, None)
    return [make_finding(subject, k, heard, fit, data) for k in ks]


def _instead(found: Finding, function: Function, status: Status, reason: str) -> Finding:
    return unmeasured_finding(Subject(found.library, found.version, function), found.k, status, reason)


def _for_all(found: Finding, heard: Observation, request: Request) -> Finding:
    return found.model_copy(update={"by_recommender": _by_recommender(found, heard, request)})


def _by_recommender(found: Finding, heard: Observation, request: Request) -> dict[str, float | None]:
    """The library's own mean for every recommender of the run, None where it gave none."""
    values = {request.recommender: found.value}
    for name in request.others:
        outcome = heard.other_recommenders.get(name, {}).get(found.k)
        values[name] = outcome.mean if isinstance(outcome, Measured) else None
    return values


def _unavailable(manifest: Manifest, version: Version, ks: tuple[int, ...], reason: str) -> tuple[Finding, ...]:
    return tuple(
        unmeasured_finding(Subject(manifest.name, version.version, function), k, "unavailable", reason)
        for function in manifest.functions_of(version)
        for k in (ks if function.cutoff else (None,))
    )


def _library(
    manifest: Manifest, version: Version, said: Conversation | None, *, status: str, reason: str | None = None,
    log: str = "", responder: Responder | None = None,
) -> Library:  # fmt: skip
    hello = said.hello if said is not None else None
    if said is not None and hello is None:
        reason, log = "its adapter did not answer at all", said.stderr
    return Library(
        library=manifest.name, title=manifest.title, version=version.version, about=manifest.about,
        homepage=manifest.homepage, python=hello.python if hello else version.python,
        source=manifest.origin(version), installed=dict(hello.installed) if hello else {},
        stubs=dict(version.stubs), seconds=(said.seconds or None) if said and responder and responder.live else None,
        status=status, reason=reason, log=log,  # type: ignore[arg-type]
        out_of_scope=dict(manifest.out_of_scope), live=responder is None or responder.live,
        recorded=responder.recorded_on if responder else None, kept=responder.cached_on if responder else None,
        caution=responder.caution if responder else "",
        claims={each.name: each.claims_source for each in manifest.functions_of(version) if each.claims_source},
    )  # fmt: skip


def _dataset(data: Data, canonical: Mapping[str, Definition]) -> Dataset:
    shape = data.shape
    overridden = tuple(
        f"{metric} is held against {definition}, not against its canonical definition; signatures stay relative to"
        f" {Definition.of(metric)}"
        for metric, definition in canonical.items()
    )
    return Dataset(
        name=data.name, digest=f"sha256:{data.digest}", users=shape.users, items=shape.items, pairs=shape.pairs,
        rows=shape.rows, choices={str(number): text for number, text in enumerate((*data.choices, *overridden), 1)},
        facts=tuple(fact.text for fact in data.facts),
    )  # fmt: skip


def _reference(data: Problem, request: Request) -> tuple[Reference, ...]:
    """The canonical definition of every ranking metric, on the data and on every recommender's predictions."""
    others = {name: Problem.of([case], None) for name, case in request.others.items()}
    rows = []
    for name in METRICS:
        canonical = request.canonical.get(name, Definition.of(name))
        for k in request.ks if canonical.k is not None else (None,):
            definition = canonical if k is None else canonical.with_(k=k)
            value = float(evaluate(definition, data.at(k)).mean[0])
            further = {other: float(evaluate(definition, problem.at(k)).mean[0]) for other, problem in others.items()}
            rows.append(
                Reference(
                    metric=name, k=k, signature=definition.signature(), definition=definition.axes, value=value,
                    by_recommender={request.recommender: value, **further} if further else {},
                )
            )  # fmt: skip
    return tuple(rows)
