"""Findings of a version: published as measured, or replaced by the reason why they cannot be trusted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.process_pool import ThisProcess
from recsys_metric_audit.audit.libraries.contract import Takes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Limits, NotOffered, Outcome
from recsys_metric_audit.audit.questions.whole_gains import ROUNDED
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.audit.run.version_findings import (
    Diagnosed,
    cutoffs_of,
    diagnosed_findings,
    unavailable_findings,
)
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reports.model.result import Finding
from tests.support import drifting_library
from tests.support.answers_of_oracle import measured
from tests.support.observed_definitions import CASE, DATA, observation_of

RECALL, AUC = Function(name="lib.recall", metric="recall"), Function(name="lib.auc", metric="auc", cutoff=False)


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    return drifting_library.write(tmp_path / "lib", "1.0")


def found(
    manifest: Manifest, diagnoses: dict[str, Diagnosis], fault: str | None = None, *, function: Function = RECALL,
    others: dict[str, object] | None = None, contract_faults: dict[str, str] | None = None, data: Problem = DATA,
) -> list[Finding]:  # fmt: skip
    from recsys_metric_audit.audit.data import load

    request = Request(
        (), load("synthetic:5x20"), (1, 3), 1, Limits(), "audit run", "first", others or {},  # type: ignore[arg-type]
    )  # fmt: skip
    trials = {name: Trial(each) for name, each in diagnoses.items()}
    diagnosed = Diagnosed(manifest, manifest.versions[0], (function,), trials, fault, contract_faults or {})
    return diagnosed_findings(diagnosed, request, ThisProcess(data))


def diagnosis(outcome: Outcome, function: Function = RECALL) -> dict[str, Diagnosis]:
    return {function.name: Diagnosis(function, Observation(function.name, {}, {1: outcome, 3: outcome}), None)}


def test_a_function_has_a_finding_for_every_cutoff_or_one() -> None:
    assert (cutoffs_of(RECALL, (1, 3)), cutoffs_of(AUC, (1, 3))) == ((1, 3), (None,))


def test_a_finding_says_where_gains_were_rounded(manifest: Manifest) -> None:
    halves = Problem.of([replace(CASE, truth=replace(CASE.truth, gain=CASE.truth.gain + 0.5))], None)
    whole = RECALL.model_copy(update={"takes": Takes(gains="whole")})
    for function, data, said in ((RECALL, halves, ()), (whole, DATA, ()), (whole, halves, (ROUNDED,))):
        rows = found(manifest, diagnosis(measured(0.5), function), function=function, data=data)
        assert {each.called_with for each in rows} == {said}


def test_a_version_that_cannot_be_asked_says_so_of_every_function(manifest: Manifest) -> None:
    rows = unavailable_findings(manifest, manifest.versions[0], (1, 3), "no network")
    names = ["statistics.mean", "statistics.median", "statistics.mode"]
    assert [(each.function, each.k) for each in rows] == [(name, k) for name in names for k in (1, 3)]
    assert {(each.status, each.reason, each.value) for each in rows} == {("unavailable", "no network", None)}


def test_a_function_without_answers_failed(manifest: Manifest) -> None:
    rows = found(manifest, {})
    assert [(each.k, each.status) for each in rows] == [(1, "failed"), (3, "failed")]


def test_a_suspected_adapter_publishes_no_value(manifest: Manifest) -> None:
    own = Diagnosis(RECALL, observation_of("recall@k"), None)
    rows = found(manifest, {RECALL.name: own}, "harness fault suspected: columns confused")
    assert {(each.status, each.value, each.reason) for each in rows} == {
        ("failed", None, "harness fault suspected: columns confused")
    }


def test_a_function_whose_contract_is_contradicted_publishes_no_value(manifest: Manifest) -> None:
    own, said = Diagnosis(RECALL, observation_of("recall@k"), None), "harness fault: the adapter declares"
    rows = found(manifest, {RECALL.name: own}, contract_faults={RECALL.name: said})
    assert {(each.status, each.value, each.verdict, each.reason) for each in rows} == {("failed", None, None, said)}
    others = found(manifest, {RECALL.name: own}, contract_faults={"another": said})
    assert said not in {each.reason for each in others}


def test_what_a_library_declines_is_no_fault_of_its_adapter(manifest: Manifest) -> None:
    rows = found(manifest, diagnosis(NotOffered("only with Spark")), "harness fault suspected: columns confused")
    assert {(each.status, each.reason) for each in rows} == {("not_offered", "only with Spark")}


def test_a_function_that_must_be_compiled_says_how(manifest: Manifest) -> None:
    compiled = RECALL.model_copy(update={"built": "make all"})
    rows = found(manifest, diagnosis(NotOffered("no module cpp"), compiled), function=compiled)
    assert {(each.status, each.reason) for each in rows} == {
        ("unavailable", "not built: no module cpp; in a checkout of your own, `make all` builds it")
    }


def test_the_means_of_all_recommenders_stand_beside_each_other(manifest: Manifest) -> None:
    answers = {"second": {1: measured(0.25), 3: NotOffered("no")}}
    own = Observation(RECALL.name, {}, {1: measured(0.5), 3: measured(0.75)}, other_recommenders=answers)
    rows = found(manifest, {RECALL.name: Diagnosis(RECALL, own, None)}, others={"second": CASE, "third": CASE})
    assert [each.by_recommender for each in rows] == [
        {"first": rows[0].value, "second": 0.25, "third": None},
        {"first": rows[1].value, "second": None, "third": None},
    ]
