"""Published signatures predict what light libraries answer to inputs of a generator that the auditor does not have.

``make test-libraries`` (``AUDIT_LIBRARIES=all``) has more libraries, among them RecTools, whose 36 functions take
minutes.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence

import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.identification.loop import diagnose
from recsys_metric_audit.audit.identification.process_pool import ThisProcess
from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover, select
from recsys_metric_audit.audit.observations.evidence import contradictions, gather_evidence
from recsys_metric_audit.audit.process.protocol import Ask, Conversation, Limits
from recsys_metric_audit.audit.refutation.refute import refute
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.responders.choice import find_responder
from recsys_metric_audit.audit.run import Request
from recsys_metric_audit.audit.run.asking import ask_initial_questions
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from tests.support.second_generator import fuzzed_case

pytestmark = pytest.mark.live

SEEDS = range(5 * int(os.environ.get("AUDIT_EXAMPLES", "1")))
"""Cases of 30 users each; AUDIT_EXAMPLES=20 for a long search."""
LIBRARIES = ["rs_metrics", "scikit_learn", "ml_metrics", "recmetrics"]
if os.environ.get("AUDIT_LIBRARIES") == "all":
    LIBRARIES += ["rectools", "recpack", "implicit", "cornac", "surprise", "rankereval"]
ROWS = {
    "ties": {"ties", "tied_scores"}, "repeats": {"duplicates", "truth_duplicates"}, "low_gains": {"relevance"},
}  # fmt: skip
"""The axes that act on what the generator can leave out."""


@pytest.mark.parametrize("name", LIBRARIES)
def test_no_published_signature_mispredicts(name: str) -> None:
    manifest, version = next(pair for pair in select(discover([adapters_dir()])) if pair[0].name == name)
    dataset = data.load("synthetic:20x60")
    responder = find_responder(manifest, version, {}, Limits(), lambda step: None)

    def ask(cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
        return responder.ask(cases, asks, lambda done, total: None, threading.Event(), hash_seed)

    functions = manifest.functions_of(version)
    request = Request(((manifest, version),), dataset, (20,), 1, Limits(), "test")
    try:
        initial = ask_initial_questions(functions, request, ask)
        pool = ThisProcess(Problem.of([dataset.case], None))
        trials = refute(diagnose(functions, initial.observations, pool, ask), ask)
        wrong = {function: found for function, trial in trials.items() if (found := mispredicted(function, trial, ask))}
    finally:
        responder.close()
    assert wrong == {}


def mispredicted(function: str, trial: Trial, ask: object) -> list[str]:
    """Return the fuzzed cases that the signature of a function mispredicts; none where it says too little."""
    fit = trial.diagnosis.fit
    if fit is None or not fit.definitions or not trial.cases or trial.diagnosis.function.takes.gains == "whole":
        return []
    definition = fit.definitions[0]
    unknown = {*fit.unidentified_axes, *(axis for axis, value in definition.axes.items() if value == "other")}
    if unknown - ROWS["ties"] - ROWS["repeats"]:
        return []
    # Of what the contract or the adapter decides, a signature says nothing.
    silent = unknown | trial.diagnosis.function.ruled_out.keys()
    left_out = {each: not silent & axes for each, axes in ROWS.items()}
    # What no held-out case had, a finding says beside its signature.
    copies = "repeated truth rows" not in trial.left_out
    made = [fuzzed_case(seed, copies=copies, **left_out) for seed in SEEDS]
    probes = [Probe(Kind("held_out"), case, k) for case, k in made]
    asks = [
        Ask(number, f"f{number}", (function,), (probe.k if trial.diagnosis.function.cutoff else None,))
        for number, probe in enumerate(probes)
    ]
    answers = ask({f"f{number}": probe.case for number, probe in enumerate(probes)}, asks).answers  # type: ignore[operator]
    outcomes = {probes[answer.ask].name: answer.outcome for answer in answers}
    try:
        evidence = gather_evidence(outcomes, probes).without_refusals()
        wrong, _ = contradictions(definition, evidence, fit.tolerance)
    except TooManyOrdersError:
        return []
    return [probe.name for probe, bad in zip(probes, wrong.tolist(), strict=True) if bad]
