"""Known definitions are tried first: fewer questions, and the findings are those of a run in which none is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.environments.environment import Progress as BuildProgress
from recsys_metric_audit.audit.identification.process_pool import ThisProcess
from recsys_metric_audit.audit.libraries.known import KnownDefinitions
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version, load
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.audit.run.version_audit import Shared, audit_version
from recsys_metric_audit.audit.sources.checkout import Checkouts
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case, Truth
from recsys_metric_audit.reports.model.result import Finding
from tests.support.defined_responder import Change, DefinedResponder
from tests.support.one_metric_library import GOOD, TOML, Endings

pytestmark = pytest.mark.slow  # the first search makes what the whole process then shares

DATA = data.load("synthetic:20x30")


def halved_truth(case: Case) -> Case:
    """Leave every second truth row out of cases as large as only held-out cases are."""
    if len(case.predictions.user) <= 700:
        return case
    return replace(case, truth=Truth(case.truth.user[::2], case.truth.item[::2], case.truth.gain[::2]))


def audited(
    folder: Path, computed: Mapping[str, str], known: Sequence[str], change: Change = lambda case: case
) -> tuple[list[Finding], int]:  # fmt: skip
    """Return the findings of functions that compute definitions, and how many inputs they were asked."""
    blocks = (f'\n[[function]]\nname = "{name}"\nmetric = "{parse(each).metric}"\n' for name, each in computed.items())
    folder.mkdir(exist_ok=True)
    (folder / "library.toml").write_text(TOML[: TOML.index("[[function]]")] + "".join(blocks))
    (folder / "adapter.py").write_text(GOOD)
    manifest, responder = load(folder), DefinedResponder(computed, change)

    def find(
        manifest: Manifest, version: Version, given: Checkouts, limits: Limits, progress: BuildProgress
    ) -> DefinedResponder:
        return responder

    by_metric: dict[str, tuple[Definition, ...]] = {}
    for each in map(parse, known):
        by_metric[each.metric] = (*by_metric.get(each.metric, ()), each)
    chosen = ((manifest, manifest.versions[0]),)
    request = Request(chosen, DATA, (5,), 1, Limits(), "audit run", known=KnownDefinitions(of_metric=by_metric))
    pool = ThisProcess(Problem.of([DATA.case], None))
    _, findings = audit_version(*chosen[0], Shared(request, pool, Endings(), find))
    return list(findings), len(responder.asked)


def told(findings: Sequence[Finding]) -> list[tuple[object, ...]]:
    return [
        (each.function, each.verdict, each.signature, each.unknown, each.cannot_matter,
         {name: done.name for name, done in each.behaviours.items()})
        for each in findings
    ]  # fmt: skip


COMPUTED = {
    "lib.recall": "recall@k|users:all|undefined:0", "lib.precision": "precision@k|denominator:shown",
    "lib.ndcg": "ndcg@k|gain:linear|ties:item_asc",
}  # fmt: skip


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Finding], int]:
    """Audit the functions without any known definition."""
    return audited(tmp_path_factory.mktemp("searched"), COMPUTED, [])


def test_findings_are_those_of_a_run_without_known_definitions_for_a_fraction_of_the_inputs(
    tmp_path: Path, searched: tuple[list[Finding], int]
) -> None:
    found, fewer = audited(tmp_path, COMPUTED, [*COMPUTED.values(), "ndcg@k", "recall@k", "precision@k"])
    assert told(found) == told(searched[0])
    assert [each.signature for each in found] == [parse(each).with_(k=5).signature() for each in COMPUTED.values()]
    assert fewer < 0.6 * searched[1]


def test_a_wrong_known_definition_changes_nothing(tmp_path: Path, searched: tuple[list[Finding], int]) -> None:
    wrong = ["recall@k|users:all|undefined:nan", "precision@k|denominator:min", "ndcg@k|gain:linear|ties:item_desc"]
    assert told(audited(tmp_path, COMPUTED, wrong)[0]) == told(searched[0])


def test_what_only_held_out_cases_refute_is_searched_after_all_and_not_published(tmp_path: Path) -> None:
    (finding,), _ = audited(tmp_path, {"lib.recall": "recall@k"}, ["recall@k"], halved_truth)
    assert finding.verdict == "unexplained"
    assert finding.signature is None
