"""Published signatures predict what light libraries answer to inputs of a generator that the auditor does not have.

A signature is published in the run that comes with the tool. ``make test-libraries`` (``AUDIT_LIBRARIES=all``) has more
libraries.
"""

from __future__ import annotations

import os
import random
import threading

import numpy as np
import pytest

from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover, select
from recsys_metric_audit.audit.observations.evidence import contradictions, gather_evidence
from recsys_metric_audit.audit.observations.observation import Tolerance, infer_tolerance
from recsys_metric_audit.audit.process.protocol import Ask, Limits
from recsys_metric_audit.audit.responders.choice import find_responder
from recsys_metric_audit.audit.responders.interface import Responder
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Case, Predictions, Train, Truth
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.model.result_file import packaged_run

# A second generator of inputs, for fuzzing published signatures: it shares no code with the cases of the auditor.

_K = (1, 3, 6, 12, 30)


def fuzzed_case(
    seed: int, *, ties: bool = True, repeats: bool = True, copies: bool = True, low_gains: bool = True
) -> tuple[Case, int]:
    """Draw a case of 30 users, and its cut-off.

    Args:
        seed: The seed.
        ties: Whether rows tie.
        repeats: Whether items stand twice, in lists and in the truth.
        copies: Whether they may do so in the truth.
        low_gains: Whether items of the truth have gains below the threshold.
    """
    rng = random.Random(f"second generator {seed}")
    rows: list[tuple[int, int, float]] = []
    truth: list[tuple[int, int, float]] = []
    train: list[tuple[int, int]] = []
    for number in range(30):
        user = 7 * number + 3
        items = rng.sample(range(1, 120), 60)
        length = rng.choice((0, 1, 4, 9, 15, 30, 45)) if number else 20
        scores = rng.sample(range(1, 4000), length)
        if ties and length > 20:
            scores[2:22] = [scores[2]] * 20
        listed = list(zip(items[:length], sorted(scores, reverse=True), strict=True))
        rows += [(user, item, score / 512) for item, score in listed]
        if repeats and length > 3 and rng.random() < 0.2:
            rows.append((user, listed[1][0], listed[-1][1] / 512 - 0.5 / 512))
        relevant = rng.sample(items[: max(length, 3)], min(rng.randrange(0, 5), max(length, 3)))
        relevant += rng.sample(items[50:], rng.randrange(0, 3))
        own = [(user, item, rng.choice((0.5, 1.0, 2.0, 2.5, 4.0, 5.0))) for item in dict.fromkeys(relevant)]
        copied = own[:1] if repeats and rng.random() < 0.15 else []
        truth += own + (copied if copies else [])
        train += [(user, item) for item in items[:length] if rng.random() < 0.1]
    case = Case(
        f"fuzzed case {seed}",
        Predictions(_ids(rows, 0), _ids(rows, 1), np.array([row[2] for row in rows])),
        Truth(_ids(truth, 0), _ids(truth, 1), np.array([row[2] for row in truth])),
        Train(_ids(train, 0), _ids(train, 1)),
        np.arange(1, 121),
        rng.choice((0.75, 1.5, 2.0, 3.0)) if low_gains else 0.5,
    )
    return case, _K[seed % len(_K)]


def _ids(rows: list[tuple[int, int, float]] | list[tuple[int, int]], column: int) -> np.ndarray:
    return np.array([row[column] for row in rows], dtype=np.int64)


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
