"""Published signatures predict what light libraries answer to inputs of a generator that the auditor does not have.

A signature is published in the run that comes with the tool. ``make test-libraries`` (``AUDIT_LIBRARIES=all``) has more
libraries.
"""

from __future__ import annotations

import os
import threading

import pytest

from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover, select
from recsys_metric_audit.audit.observations.evidence import contradictions, gather_evidence
from recsys_metric_audit.audit.observations.observation import Tolerance, infer_tolerance
from recsys_metric_audit.audit.process.protocol import Ask, Limits
from recsys_metric_audit.audit.responders.choice import find_responder
from recsys_metric_audit.audit.responders.interface import Responder
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.model.result_file import packaged_run
from tests.support.second_generator import fuzzed_case

pytestmark = pytest.mark.live

SEEDS = range(5 * int(os.environ.get("AUDIT_EXAMPLES", "1")))
"""Cases of 30 users each; AUDIT_EXAMPLES=20 for a long search."""
LIBRARIES = ["rs_metrics", "scikit_learn", "ml_metrics", "recmetrics"]
if os.environ.get("AUDIT_LIBRARIES") == "all":
    LIBRARIES += ["rectools", "recpack", "implicit", "surprise", "daisyrec", "omnirec", "trectools", "pyvespa"]
ROWS = {
    "ties": {"ties", "tied_scores"}, "repeats": {"duplicates", "truth_duplicates"}, "low_gains": {"relevance"},
}  # fmt: skip
"""The axes that act on what the generator can leave out."""
PERCENT = Tolerance(0.0051, "percentages of two decimals", absolute=True)


@pytest.mark.parametrize("name", LIBRARIES)
def test_no_published_signature_mispredicts(name: str) -> None:
    manifest, version = next(pair for pair in select(discover([adapters_dir()])) if pair[0].name == name)
    own = [each for each in packaged_run().result.findings if (each.library, each.version) == (name, version.version)]
    published = {each.function: each for each in own if each.signature and says_enough(each)}
    assert published
    responder = find_responder(manifest, version, {}, Limits(), lambda step: None)
    try:
        wrong = {function: found for function, each in published.items() if (found := mispredicted(each, responder))}
    finally:
        responder.close()
    assert wrong == {}


def says_enough(finding: Finding) -> bool:
    """Return True if a finding leaves open only what the generator can leave out, and any gain may be asked."""
    return finding.takes.get("gains") != "whole" and open_axes(finding) <= ROWS["ties"] | ROWS["repeats"]


def open_axes(finding: Finding) -> set[str]:
    return {*finding.unknown, *(axis for axis, value in finding.definition.items() if value == "other")}


def mispredicted(finding: Finding, responder: Responder) -> list[str]:
    """Return the fuzzed cases that the signature of a function mispredicts."""
    definition = parse(finding.signature or "")
    definition = definition.with_(k=definition.k and "k", **finding.assumed)
    # Of what the contract or the adapter decides, a signature says nothing.
    silent = open_axes(finding) | finding.does_not_apply.keys()
    made = [fuzzed_case(seed, **{each: not silent & axes for each, axes in ROWS.items()}) for seed in SEEDS]
    probes = [Probe(Kind("held_out"), case, k) for case, k in made]
    cuts = [None if finding.k is None else probe.k for probe in probes]
    asks = [Ask(number, f"f{number}", (finding.function,), (cut,)) for number, cut in enumerate(cuts)]
    cases = {f"f{number}": probe.case for number, probe in enumerate(probes)}
    answers = responder.ask(cases, asks, lambda done, total: None, threading.Event(), 0).answers
    outcomes = {probes[answer.ask].name: answer.outcome for answer in answers}
    percent = definition.axes.get("unit") == "percent"
    tolerance = PERCENT if percent else infer_tolerance(outcomes.values())
    try:
        evidence = gather_evidence(outcomes, probes).without_refusals()
        wrong = contradictions(definition, evidence, tolerance)
    except TooManyOrdersError:
        return []
    return [probe.name for probe, bad in zip(probes, wrong.tolist(), strict=True) if bad]
