"""A fake library of many faulty functions, asked out of process as libraries are, and identified."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from bench.diagnosis.judging import Judged, judge
from bench.diagnosis.seeded import Fault
from recsys_metric_audit.audit.behaviours.scenarios import SEEDED
from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.loop import AskLibrary, diagnose
from recsys_metric_audit.audit.identification.process_pool import ThisProcess
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.nobody_left import with_rule_for_nobody
from recsys_metric_audit.audit.observations.observation import Observation, observations_by_function
from recsys_metric_audit.audit.pins.pin_file import known_definitions
from recsys_metric_audit.audit.process.protocol import Ask, Conversation, Limits
from recsys_metric_audit.audit.process.worker import converse
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES, OPENING
from recsys_metric_audit.audit.refutation.identify_functions import identify_functions
from recsys_metric_audit.audit.refutation.refute import refute
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.run.version_audit import nobody_probes
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case

FAKES = Path(__file__).with_name("fakes")
ORACLE = Path(__file__).parents[2] / "tests" / "support"


def identify_faults(faults: Sequence[Fault], *, known: bool = False) -> list[Judged]:
    """Offer each fault as a function of one fake library, diagnose them all, and judge the diagnoses.

    Those that only held-out inputs show are tried on such, too.

    Args:
        faults: The faults.
        known: Whether the definitions of the catalogue are tried first, as an audit does, and all that is found is
            tried on held-out inputs.

    Raises:
        RuntimeError: The fake library does not start, or a fault has no number at all.
    """
    names = tuple(f"audit_adapter.fake[{number}]" for number in range(len(faults)))
    cases = {f"p{number:03}": probe.case for number, probe in enumerate(INITIAL_PROBES)}
    asks = [Ask(n, f"p{n:03}", names, (probe.k,), fresh=False) for n, probe in enumerate(INITIAL_PROBES)]
    functions = [Function(name=name, metric=each.definition.metric) for each, name in zip(faults, names, strict=True)]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        adapter, conversations = _library(Path(folder), faults, names), count()

        def put_asks(cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
            control = Path(folder) / f"control-{next(conversations)}"
            return converse(Path(sys.executable), adapter, cases, asks, control, Limits(seconds=600))

        first = put_asks(cases, asks)
        if first.hello is None or not first.hello.functions:
            raise RuntimeError(f"the fake library does not start: {first.stderr or first.answers[0].outcome}")
        observations = observations_by_function(
            first.answers, {n: probe.name for n, probe in enumerate(INITIAL_PROBES)}, frozenset()
        )
        process = ThisProcess(Problem.of([INITIAL_PROBES[0].case], None))
        if known:
            tried = known_definitions()
            hypotheses = {each.name: tried.groups("", "", each) for each in functions}
            opened = {name: _opening(each) for name, each in observations.items()}
            trials = identify_functions(functions, opened, process, put_asks, known=hypotheses)
            found = {name: each.diagnosis for name, each in trials.items()}
        else:
            found = diagnose(functions, observations, process, put_asks)
            named = zip(faults, names, strict=True)
            trials = refute({name: found[name] for fault, name in named if fault.group == "held_out"}, put_asks)
        found |= _with_nobody(found, put_asks)
        if known:
            trials = {name: replace(each, diagnosis=found[name]) for name, each in trials.items()}
    return [_judged(fault, found[name], trials.get(name)) for fault, name in zip(faults, names, strict=True)]


def _opening(observation: Observation) -> Observation:
    """Return the answers to what a function is asked at first where known definitions are tried."""
    names = {*OPENING, *SEEDED}
    return replace(observation, probes={name: each for name, each in observation.probes.items() if name in names})


def _with_nobody(found: Mapping[str, Diagnosis], ask: AskLibrary) -> dict[str, Diagnosis]:
    """Ask the functions what comes out where nobody is left, and return their diagnoses with the rule for it."""
    probes, problem = nobody_probes()
    cases = {f"nobody-{number}": probe.case for number, probe in enumerate(probes)}
    asks = [Ask(n, case, tuple(found), (probe.k,)) for n, (case, probe) in enumerate(zip(cases, probes, strict=True))]
    answered = observations_by_function(
        ask(cases, asks).answers, {n: probe.name for n, probe in enumerate(probes)}, frozenset()
    )
    out = {}
    for name, diagnosis in found.items():
        if diagnosis.fit is not None and name in answered:
            further = gather_evidence(answered[name].probes, probes, problem)
            fit = with_rule_for_nobody(diagnosis.fit, diagnosis.observation, (further,))
            out[name] = replace(diagnosis, fit=fit)
    return out


def _judged(fault: Fault, found: Diagnosis, trial: Trial | None) -> Judged:
    """Judge what is published: what was found, or what is left of it after a trial on held-out inputs.

    Raises:
        RuntimeError: The fault has no number at all, or was not tried on held-out inputs though it has to be.
    """
    if found.fit is None:
        raise RuntimeError(f"fault {fault.number} measured nothing: {found.observation.failure()}")
    if trial is None:
        return judge(fault, found.observation, found.fit, from_few=found.from_few)
    if fault.group == "held_out" and trial.why_not and found.fit.definitions and not trial.refuted:
        raise RuntimeError(f"{fault.description} was not tried on held-out inputs: {trial.why_not}")
    assert trial.diagnosis.fit is not None
    return judge(fault, trial.diagnosis.observation, trial.diagnosis.fit, trial.refuted, from_few=found.from_few)


def copy_fakes(folder: Path) -> None:
    """Copy the fake adapter into ``folder``, and the oracle where the adapter imports it from."""
    support = folder / "tests" / "support"
    support.mkdir(parents=True)
    for source in FAKES.glob("*.py"):
        shutil.copy(source, folder)
    for source in ORACLE.glob("oracle*.py"):
        shutil.copy(source, support)


def _library(folder: Path, faults: Sequence[Fault], names: Sequence[str]) -> Path:
    copy_fakes(folder)
    described = [
        {"name": name, "metric": fault.definition.metric, "values": fault.definition.axes, "number": fault.number,
         "wrong": fault.wrong, "cut": fault.definition.k is not None}
        for fault, name in zip(faults, names, strict=True)
    ]  # fmt: skip
    (folder / "faults.json").write_text(json.dumps(described), encoding="utf-8")
    return folder / "adapter.py"
