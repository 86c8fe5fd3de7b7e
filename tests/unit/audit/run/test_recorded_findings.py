"""Recorded findings are taken over where every initial answer is the recorded one, and nowhere else."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.cli.shared.inputs import choose_versions
from recsys_metric_audit.audit.libraries.manifest import Manifest, load
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Errored,
    Hello,
    Limits,
    Measured,
    Outcome,
    TimedOut,
)
from recsys_metric_audit.audit.run import Request, recorded_findings, run
from recsys_metric_audit.audit.run.record import write_recorded_findings
from recsys_metric_audit.audit.run.recorded_findings import (
    RECORDED,
    RecordedVersion,
    answers_digest,
)
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Case, Predictions
from recsys_metric_audit.reports.model.result import Result
from tests.support.command_line import Audit, audit
from tests.support.defined_responder import DefinedResponder
from tests.support.one_metric_library import DATASET, KS, TOML, Endings
from tests.support.result_samples import library
from tests.support.result_samples import result as sample

Recorded = dict[tuple[str, str], RecordedVersion]
NAME, COMPUTES = "statistics.mean", {"statistics.mean": "precision@k"}


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    return written(tmp_path / "good")


def written(folder: Path) -> Manifest:
    folder.mkdir()
    (folder / "library.toml").write_text(TOML)
    (folder / "adapter.py").write_text("")
    return load(folder)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """Return what a run finds of the library; where its folder is makes no part of it."""
    return audited(written(tmp_path_factory.mktemp("identified") / "good"), Responder(COMPUTES))


class Responder(DefinedResponder):
    """Greets, as a process of a library does."""

    def ask(self, *given: Any, **options: Any) -> Conversation:
        greeting = Hello(1, "3.11.9", "Linux", {"numpy": "2"}, (NAME,))
        return replace(super().ask(*given, **options), hello=greeting)


class Near(Responder):
    """Gives every mean a little larger, as another processor may."""

    def _outcome(self, function: str, case: Case, k: int | None) -> Outcome:
        made = super()._outcome(function, case, k)
        return replace(made, mean=(made.mean or 0) * (1 + 1e-9)) if isinstance(made, Measured) else made


def request_of(manifest: Manifest, **changes: Any) -> Request:
    request = Request(((manifest, manifest.versions[0]),), data.load(DATASET), KS, 1, Limits(), "audit run")
    return replace(request, **changes)


def audited(manifest: Manifest, responder: Responder, recorded: Recorded | None = None) -> Result:
    return run(request_of(manifest), Endings(), lambda *_: responder, recorded or {})


def recorded_of(manifest: Manifest, result: Result, **changes: Any) -> Recorded:
    """Write the findings of a run, and read what a request gets of them."""
    file = manifest.folder.parent / "recorded.jsonl.xz"
    write_recorded_findings(result, {manifest.name: manifest}, file)
    return recorded_findings.recorded_findings(request_of(manifest, **changes), file)


def fully(value: float) -> Outcome:
    return Measured(value, np.array([1, 2]), np.array([value, 1.0]), "float64", 0.5)


def digest(outcome: Outcome, k: int = 5) -> str:
    case = data.load(DATASET).case
    ask = Ask(0, "one", (NAME,), (k,))
    return answers_digest({"one": case}, [ask], [Answer(0, NAME, k, outcome)])


def test_equal_answers_take_the_findings_over_and_ask_no_more(manifest: Manifest) -> None:
    first, second = Responder(COMPUTES), Responder(COMPUTES)
    identified = audited(manifest, first)
    assert [each.signature for each in identified.findings] == ["precision@1", "precision@5"]
    taken = audited(manifest, second, recorded_of(manifest, identified))
    assert taken.findings == identified.findings
    assert first.asked[: len(second.asked)] == second.asked
    assert len(second.asked) < len(first.asked)
    (row,), (before,) = taken.libraries, identified.libraries
    assert (before.confirms, row.confirms) == ("", f"{identified.time:%Y-%m-%d}")
    assert row.answers == before.answers != ""


@pytest.mark.parametrize(
    "other",
    [
        lambda: Responder({NAME: "recall@k"}),
        lambda: Responder(COMPUTES, cut=1),
        lambda: Responder(COMPUTES, refuses=(NAME,)),
    ],
)
def test_another_answer_is_identified_anew(manifest: Manifest, result: Result, other: Callable[[], Responder]) -> None:
    recorded = recorded_of(manifest, result)
    found = audited(manifest, other(), recorded)
    assert found.libraries[0].confirms == ""
    assert found.findings == audited(manifest, other()).findings


def test_another_answer_on_one_small_input_alone_is_enough(manifest: Manifest, result: Result) -> None:
    recorded = recorded_of(manifest, result)

    def without_rows(case: Case) -> Case:
        rows, kept = case.predictions, slice(0 if case.name == "[2] k1" else None)
        return replace(case, predictions=Predictions(rows.user[kept], rows.item[kept], rows.score[kept]))

    assert audited(manifest, Responder(COMPUTES, change=without_rows), recorded).libraries[0].confirms == ""


def test_answers_are_equal_to_six_digits_and_errors_by_their_kind() -> None:
    assert digest(fully(0.123456789)) == digest(fully(0.123456791))
    assert digest(Errored("ValueError", "one", "")) == digest(Errored("ValueError", "another", "trace"))
    apart = [
        fully(0.1234), fully(0.12341), fully(float("nan")), Errored("KeyError", "one", ""),
        Errored("ValueError", "", ""),
        TimedOut(5.0), Measured(0.1234, None, None, "float64", 0.5), Measured(0.1234, None, None, "float32", 0.5),
        Measured(None, np.array([1, 2]), np.array([0.1234, 1.0]), "float64", 0.5),
        Measured(None, np.array([1, 3]), np.array([0.1234, 1.0]), "float64", 0.5),
    ]  # fmt: skip
    assert len({digest(each) for each in apart}) == len(apart)
    assert digest(fully(0.5)) != digest(fully(0.5), k=4)


def test_other_requests_get_nothing(manifest: Manifest, result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    assert recorded_of(manifest, result).keys() == {("good", "1.0")}
    others: list[dict[str, Any]] = [
        {"ks": (1,)}, {"dataset": data.load("synthetic:20x31")}, {"others": {"random": data.load(DATASET).case}},
        {"canonical": {"precision": parse("precision@k|users:all")}}, {"sources": {("good", "1.0"): Path("/")}},
        {"chosen": ()},
    ]  # fmt: skip
    assert [recorded_of(manifest, result, **each) for each in others] == [{}] * len(others)
    file = manifest.folder.parent / "recorded.jsonl.xz"
    assert recorded_findings.recorded_findings(request_of(manifest), file.with_name("gone")) == {}
    monkeypatch.setattr(recorded_findings, "_code_digest", lambda: "edited")
    assert recorded_findings.recorded_findings(request_of(manifest), file) == {}


@pytest.mark.parametrize("name", ["adapter.py", "library.toml", "locks/1.0.txt", "recordings/1.0.json"])
def test_another_adapter_gets_nothing(manifest: Manifest, result: Result, name: str) -> None:
    assert recorded_of(manifest, result)
    (manifest.folder / name).parent.mkdir(exist_ok=True)
    with (manifest.folder / name).open("a") as file:
        file.write("# edited\n")
    recorded = manifest.folder.parent / "recorded.jsonl.xz"
    assert recorded_findings.recorded_findings(request_of(manifest), recorded) == {}


def test_what_failed_was_taken_over_or_not_asked_in_full_is_not_recorded(manifest: Manifest, result: Result) -> None:
    (row,) = result.libraries
    for change in ({"status": "failed", "reason": "suspected"}, {"confirms": "2025-03-01"}, {"answers": ""}):
        changed = result.model_copy(update={"libraries": (row.model_copy(update=change),)})
        assert recorded_of(manifest, changed) == {}


def test_the_end_says_how_many_findings_were_taken_over(audited_by_command: Audit) -> None:
    taken, anew = library("alpha", "1.0", confirms="2025-03-01"), library("beta", "2.0")
    audited_by_command.result = sample(libraries=(taken, anew), findings=())
    said = " ".join(audit("run", "--dataset", "synthetic:5x20").stdout.split())
    assert "1 of 2 versions gave the initial answers of the recorded run of 2025-03-01; what they compute is as" in said
    audited_by_command.result = sample(libraries=(anew,), findings=())
    assert "the recorded run of" not in audit("run", "--dataset", "synthetic:5x20").stdout


def test_the_value_told_is_that_of_today(manifest: Manifest, result: Result) -> None:
    recorded, before = recorded_of(manifest, result), result.findings
    near = Near(COMPUTES)
    assert [each.value for each in audited(manifest, near, recorded).findings] == [
        (each.value or 0) * (1 + 1e-9) for each in before
    ]


def test_again_identifies_anew(audited_by_command: Audit) -> None:
    assert audit("run", "--dataset", "synthetic:5x20").exit_code == 0
    assert audited_by_command.recorded == {}  # nothing is recorded of these data
    assert audit("run", "--dataset", "synthetic:5x20", "--again").exit_code == 0
    assert audited_by_command.recorded is None


@pytest.fixture
def audited_by_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Audit:
    monkeypatch.chdir(tmp_path)
    return Audit(monkeypatch)


def test_the_packaged_file_has_what_the_usual_run_asks_itself() -> None:
    head, *lines = lzma.decompress(RECORDED.read_bytes()).decode().splitlines()
    assert json.loads(head)["made_of"]["k"] == [20]
    recorded = {tuple(json.loads(line)[:2]) for line in lines}
    asked = {
        (manifest.name, version.version) for manifest, version in choose_versions([], [], False)
        if version.git is None and not version.unavailable
    }  # fmt: skip
    assert recorded >= asked


@pytest.mark.long
def test_the_packaged_file_is_of_this_code() -> None:
    """Hold that a run takes recorded findings over: after a change of what asks and identifies they are made anew."""
    chosen = tuple(choose_versions([], [], False))
    request = Request(chosen, data.load("ml-100k"), (20,), 1, Limits(), "audit run")
    assert (
        len(recorded_findings.recorded_findings(request))
        == len(lzma.decompress(RECORDED.read_bytes()).splitlines()) - 1
    )
