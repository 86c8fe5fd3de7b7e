"""Hold the findings of one version, with known definitions first and beyond accuracy too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.data import large_data
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.environments.environment import Progress as BuildProgress
from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.process_pool import ThisProcess
from recsys_metric_audit.audit.libraries.function import Function, Takes
from recsys_metric_audit.audit.libraries.known import KnownDefinitions
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version, load
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Conversation, Hello, Limits, NotOffered, Outcome
from recsys_metric_audit.audit.questions.whole_gains import ROUNDED
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.run import run
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.audit.run.rows import audited_row, unavailable_row
from recsys_metric_audit.audit.run.version_audit import (
    Diagnosed,
    Shared,
    audit_version,
    cutoffs_of,
    diagnosed_findings,
    unavailable_findings,
)
from recsys_metric_audit.audit.sources.checkout import Checkouts
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case, Truth
from recsys_metric_audit.reports.model.result import USERS_DRAWN, Finding
from tests.support import drifting_library
from tests.support.answers_of_oracle import measured
from tests.support.defined_responder import Change, DefinedResponder
from tests.support.observed_definitions import CASE, DATA, observation_of
from tests.support.one_metric_library import DATASET, GOOD, KS, TOML, Endings, by_hand, ensure
from tests.support.result_samples import finding

# Findings of a version: published as measured, or replaced by the reason why they cannot be trusted.

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
    for function, given, said in ((RECALL, halves, ()), (whole, DATA, ()), (whole, halves, (ROUNDED,))):
        rows = found(manifest, diagnosis(measured(0.5), function), function=function, data=given)
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


# Audit one version on large data: ask for means of all users and for values of some of them, each once.

BOTH = GOOD.replace(
    "    return sum(values)",
    """\
    if len(case.recommended.user) > LARGE:
        raise SystemError("users' values are not to be asked here")
    mean = sum(values) / len(values) if values else float("nan")
    return mean, sorted(relevant), values
    return sum(values)""",
)
"""An adapter whose calls give values of users too, and which refuses large data."""


def audited(
    folder: Path, monkeypatch: pytest.MonkeyPatch, means: str, large: int, refused: int | None = None
) -> tuple[Finding, ...]:
    """Audit on data that are large from more than ``large`` rows; the adapter refuses more than ``refused``."""
    monkeypatch.setattr(environment, "ensure", ensure)
    monkeypatch.setattr(large_data, "LARGE", large)
    monkeypatch.setattr(large_data, "SAMPLE_USERS", 7)
    (folder / "good").mkdir()
    (folder / "good" / "library.toml").write_text(TOML.replace('python = "3.11"', f'python = "3.11"\n{means}'))
    (folder / "good" / "adapter.py").write_text(BOTH.replace("LARGE", str(large if refused is None else refused)))
    (folder / "good" / "means.py").write_text(GOOD)
    manifest = load(folder / "good")
    request = Request(((manifest, manifest.versions[0]),), data.load(DATASET), KS, 1, Limits(seconds=60), "audit run")
    return run(request, Endings()).findings


@pytest.mark.slow
@pytest.mark.long
def test_large_data_are_asked_for_means_and_a_sample_for_the_values_of_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = audited(tmp_path, monkeypatch, 'means = "means.py"', 500)
    assert len(data.load(DATASET).case.predictions.user) > 500
    for one in found:
        assert one.k is not None and one.value == pytest.approx(by_hand(one.k), abs=1e-12)
        assert one.verdict == "agrees"
        assert sum(each.users for each in one.scatter) == 7
        assert all(each.canonical == each.library for each in one.scatter)
        assert one.evidence.range[USERS_DRAWN] == "7 of 20 users, drawn with the seed 1"
        assert one.evidence.range["data"] == "the mean"


@pytest.mark.slow
@pytest.mark.long
def test_large_data_without_calls_for_means_are_asked_once_and_a_sample_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in audited(tmp_path, monkeypatch, "", 500, refused=10_000):
        assert one.k is not None and one.value == pytest.approx(by_hand(one.k), abs=1e-12)
        assert one.verdict == "agrees"
        assert sum(each.users for each in one.scatter) == 7
        assert one.evidence.range[USERS_DRAWN] == "7 of 20 users, drawn with the seed 1"


@pytest.mark.slow
@pytest.mark.long
def test_other_data_are_asked_for_the_values_of_all_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in audited(tmp_path, monkeypatch, 'means = "means.py"', 10_000):
        assert sum(each.users for each in one.scatter) == 20
        assert USERS_DRAWN not in one.evidence.range


# Known definitions are tried first: fewer questions, and the findings are those of a run in which none is known.

DATA_OF_KNOWN_FIRST = data.load("synthetic:20x30")


def halved_truth(case: Case) -> Case:
    """Leave every second truth row out of cases as large as only held-out cases are."""
    if len(case.predictions.user) <= 700:
        return case
    return replace(case, truth=Truth(case.truth.user[::2], case.truth.item[::2], case.truth.gain[::2]))


def audited_of_known_first(
    folder: Path, computed: Mapping[str, str], known: Sequence[str], change: Change = lambda case: case
) -> tuple[list[Finding], int]:
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
    request = Request(
        chosen, DATA_OF_KNOWN_FIRST, (5,), 1, Limits(), "audit run", known=KnownDefinitions(of_metric=by_metric)
    )
    pool = ThisProcess(Problem.of([DATA_OF_KNOWN_FIRST.case], None))
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
    return audited_of_known_first(tmp_path_factory.mktemp("searched"), COMPUTED, [])


@pytest.mark.slow
def test_findings_are_those_of_a_run_without_known_definitions_for_a_fraction_of_the_inputs(
    tmp_path: Path, searched: tuple[list[Finding], int]
) -> None:
    found, fewer = audited_of_known_first(tmp_path, COMPUTED, [*COMPUTED.values(), "ndcg@k", "recall@k", "precision@k"])
    assert told(found) == told(searched[0])
    assert [each.signature for each in found] == [parse(each).with_(k=5).signature() for each in COMPUTED.values()]
    assert fewer < 0.6 * searched[1]


@pytest.mark.slow
def test_a_wrong_known_definition_changes_nothing(tmp_path: Path, searched: tuple[list[Finding], int]) -> None:
    wrong = ["recall@k|users:all|undefined:nan", "precision@k|denominator:min", "ndcg@k|gain:linear|ties:item_desc"]
    assert told(audited_of_known_first(tmp_path, COMPUTED, wrong)[0]) == told(searched[0])


@pytest.mark.slow
def test_what_only_held_out_cases_refute_is_searched_after_all_and_not_published(tmp_path: Path) -> None:
    (finding,), _ = audited_of_known_first(tmp_path, {"lib.recall": "recall@k"}, ["recall@k"], halved_truth)
    assert finding.verdict == "unexplained"
    assert finding.signature is None


# The row of a version: its status by whether its adapter answered and can be trusted.

HELLO = Hello(1, "3.9.7", "here", {"numpy": "1.26.4"}, ("statistics.mean",))
LIVE = LiveLibrary(Path("python"), Path("adapter.py"), (), Limits())
MEASURED = finding()


def failed(reason: str, status: str = "failed") -> Finding:
    """Return a finding without a value."""
    nothing = {"value": None, "verdict": None, "signature": None, "definition": {}}
    return finding(status=status, reason=reason, **nothing)


def test_an_answering_library_tells_its_interpreter_and_distributions(manifest: Manifest) -> None:
    row = audited_row(manifest, manifest.versions[0], Conversation(HELLO, (), 2.5), LIVE, None, (MEASURED,))
    assert (row.status, row.reason, row.python, row.installed) == ("audited", None, "3.9.7", {"numpy": "1.26.4"})
    assert (row.live, row.recorded, row.seconds) == (True, None, 2.5)


def test_a_replayed_recording_took_no_time_of_the_library(manifest: Manifest) -> None:
    replayed = LiveLibrary(Path("python"), Path("adapter.py"), (), Limits(), live=False, recorded_on="2024-05-01")
    row = audited_row(manifest, manifest.versions[0], Conversation(HELLO, (), 2.5), replayed, None, (MEASURED,))
    assert (row.live, row.recorded, row.seconds) == (False, "2024-05-01", None)


def test_a_suspected_adapter_failed(manifest: Manifest) -> None:
    row = audited_row(
        manifest, manifest.versions[0], Conversation(HELLO, (), 2.5), LIVE, "columns confused", (MEASURED,)
    )
    assert (row.status, row.reason, row.log) == ("failed", "columns confused", "")


def test_an_adapter_that_never_answered_failed_with_its_last_words(manifest: Manifest) -> None:
    silent = Conversation(None, (), 0.0, stderr="ImportError: no numpy")
    for fault in (None, "columns confused"):
        row = audited_row(manifest, manifest.versions[0], silent, LIVE, fault, (failed("it did not start"),))
        assert (row.status, row.reason) == ("failed", "its adapter did not answer at all")
        assert (row.log, row.python, row.installed) == ("ImportError: no numpy", "3.11", {})


def test_an_unavailable_version_keeps_the_log_of_its_build(manifest: Manifest) -> None:
    row = unavailable_row(manifest, manifest.versions[0], "no network", "error: could not connect")
    assert (row.status, row.reason, row.log) == ("unavailable", "no network", "error: could not connect")
    assert (row.library, row.version, row.seconds, row.live) == ("lib", "1.0", None, True)


@pytest.mark.parametrize(
    ("findings", "status", "reason"),
    [
        ([failed("ImportError: no x")] * 3, "failed", "no function could be measured: ImportError: no x"),
        (
            [failed("KeyError: 1"), failed("within 2 s", "timed_out"), failed("within 2 s", "timed_out")],
            "failed",
            "no function could be measured: timed out: within 2 s (2 of 3 findings)",
        ),
        ([failed("not built", "unavailable")], "unavailable", "no function could be measured: not built"),
        (
            [failed("a\n  traceback\x1b[31m", "crashed")],
            "failed",
            "no function could be measured: crashed: a traceback",
        ),
        ([failed("KeyError: 1"), MEASURED], "audited", None),
    ],
)
def test_a_version_of_which_nothing_was_measured_is_not_audited(
    manifest: Manifest, findings: list[Finding], status: str, reason: str | None
) -> None:
    conversation = Conversation(HELLO, (), 2.5, stderr="its last words")
    row = audited_row(manifest, manifest.versions[0], conversation, LIVE, None, findings)
    assert row.status == status
    assert row.reason == reason or (
        reason and row.reason and row.reason.startswith(reason) and "\x1b" not in row.reason
    )
    assert row.log == ("" if status == "audited" else "its last words")


# An audit of functions beyond accuracy from their calls to their findings, beside one that reads what is relevant.

FUNCTIONS = """\

def lists(case, k):
    made = {}
    rows = zip(case.recommended.user.tolist(), case.recommended.item.tolist(), case.recommended.score.tolist())
    for user, item, score in rows:
        made.setdefault(user, []).append((-score, item))
    return {user: [item for _, item in sorted(own)[:k]] for user, own in made.items()}

def covered(case, k):
    return 100 * len({item for own in lists(case, k).values() for item in own}) / len(set(case.catalogue.tolist()))

def popularity(case, k):
    train = case.train.item.tolist()
    values = {user: sum(map(train.count, own)) / k for user, own in lists(case, k).items()}
    return sum(values.values()) / len(values), list(values), list(values.values())

def squares(case, k):
    return covered(case, k) ** 2

FUNCTIONS.update({"statistics.median": covered, "statistics.mode": popularity, "statistics.stdev": squares})
"""
MORE = """
[[function]]
name = "statistics.median"
metric = "catalogue_coverage"
claims = "catalogue_coverage@k|unit:share"
where = "its documentation"

[[function]]
name = "statistics.mode"
metric = "average_popularity"

[[function]]
name = "statistics.stdev"
metric = "catalogue_coverage"
"""


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Finding]]:
    folder = tmp_path_factory.mktemp("library") / "good"
    folder.mkdir()
    (folder / "library.toml").write_text(TOML + MORE)
    (folder / "adapter.py").write_text(GOOD + FUNCTIONS)
    manifest = load(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(environment, "ensure", ensure)
        request = Request(
            ((manifest, manifest.versions[0]),), data.load(DATASET), KS, 1, Limits(seconds=60), "audit run"
        )
        found = run(request, Endings()).findings
    return {name: [each for each in found if each.function == name] for name in {each.function for each in found}}


@pytest.mark.slow
@pytest.mark.long
def test_a_function_of_relevance_is_found_as_without_them(findings: dict[str, list[Finding]]) -> None:
    for one in findings["statistics.mean"]:
        assert (one.verdict, one.behaviours != {}) == ("agrees", True)
        assert one.k is not None and one.value == pytest.approx(by_hand(one.k), abs=1e-12)


@pytest.mark.slow
@pytest.mark.long
def test_coverage_is_identified_on_all_levels_and_held_against_its_claim(findings: dict[str, list[Finding]]) -> None:
    for one in findings["statistics.median"]:
        expected = f"catalogue_coverage@{one.k}|unit:percent|ties:item_asc"
        assert (one.signature, one.verdict) == (expected, "undocumented")
        assert one.matches_claim is False and one.claim_witness is not None
        assert one.levels == {"formula": ("unit",), "who_counts": (), "input": ("ties",)}
        assert one.witness is not None and one.witness.worked
        assert one.evidence.held_out_cases > 5 and not one.unknown


@pytest.mark.slow
@pytest.mark.long
def test_a_mean_over_users_is_identified_with_what_nobody_counts_as(findings: dict[str, list[Finding]]) -> None:
    for one in findings["statistics.mode"]:
        assert one.signature == f"average_popularity@{one.k}|denominator:k|nobody:error|ties:item_asc"
        assert sum(each.users for each in one.scatter) == 20


@pytest.mark.slow
@pytest.mark.long
def test_what_is_no_known_formula_stays_unexplained(findings: dict[str, list[Finding]]) -> None:
    for one in findings["statistics.stdev"]:
        assert one.verdict == "unexplained" and one.signature is None
        assert "No definition predicts" in one.evidence.unpredicted
