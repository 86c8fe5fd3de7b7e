"""Kept findings: believed where nothing has changed, and never where an answer, a file or the code has."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.libraries.manifest import Manifest, load
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Crashed,
    Hello,
    Limits,
    Measured,
    Outcome,
)
from recsys_metric_audit.audit.responders.cache import AnswerCache, CachedLibrary
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.run import finding_store
from recsys_metric_audit.audit.run import finding_store as made_of
from recsys_metric_audit.audit.run.finding_store import FindingStore, KeptFindings
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.reports.model.result import Finding
from tests.support.one_metric_library import GOOD, TOML

CASE = data.load("synthetic:5x20")
NAN = Finding(
    library="good", version="1.0", function="statistics.mean", metric="precision", k=1, status="measured",
    value=float("nan"), verdict="agrees", signature="precision@1",
)  # fmt: skip
FOUND = (NAN, NAN.model_copy(update={"k": 5, "value": 1 / 3, "signature": "precision@5"}))
ASKS = [Ask(0, "p", ("statistics.mean",), (1, 5)), Ask(1, "p", ("statistics.mean",), (1,))]


@pytest.fixture(autouse=True)
def code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Digest no thousand files for each test: test_made_of tells that they act."""
    monkeypatch.setattr(made_of, "_stamps", list)
    monkeypatch.setattr(made_of, "_code_at_first", lambda: ("code", []))


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "library.toml").write_text(TOML)
    (tmp_path / "good" / "adapter.py").write_text(GOOD)
    return load(tmp_path / "good")


class Run:
    """Opens the cache and the store as one run does, and may ask."""

    def __init__(self, manifest: Manifest, **changes: Any) -> None:
        (version,) = manifest.versions
        adapter = manifest.adapter_path(version)
        self.cache = AnswerCache.open(manifest.folder.parent / "environment", "good", "1.0", adapter)
        self.library = CachedLibrary(LiveLibrary(Path("python"), adapter, (), Limits()), self.cache)
        request = Request(((manifest, version),), CASE, (1, 5), 1, Limits(), "audit run")
        store = FindingStore.of(manifest, version, self.library, replace(request, **changes))
        assert store is not None
        self.store = store

    def ask(self, outcome: Outcome | None = None, value: float = 0.5) -> None:
        """Ask what the cache does not answer, and keep the answers."""

        def answer(asks: Sequence[Ask]) -> Conversation:
            said = outcome or Measured(value, np.array([1]), np.array([value]), "float64", 0.5)
            answers = tuple(Answer(ask.id, name, k, said) for ask in asks for name in ask.functions for k in ask.ks)
            return Conversation(Hello(1, "3.11.9", "Linux", {"numpy": "2"}, ("statistics.mean",)), answers, 1.0)

        self.cache.answer({"p": CASE.case}, ASKS, answer)

    def keep(self, fault: str | None = None) -> None:
        self.store.write(KeptFindings(FOUND, fault, {"answers": "5", "confirms": ""}))
        self.cache.save()


def told(kept: KeptFindings | None) -> object:
    return None if kept is None else ([each.model_dump_json() for each in kept.findings], kept.fault, kept.of)


def kept_once(manifest: Manifest) -> Path:
    """Audit once; return the file of the kept findings."""
    first = Run(manifest)
    assert first.store.read() is None
    first.ask()
    first.keep("suspected")
    assert first.store.path.is_file()
    return first.store.path


def test_a_repeat_reads_every_digit_back(manifest: Manifest) -> None:
    kept_once(manifest)
    second = Run(manifest)
    assert told(second.store.read()) == (
        [each.model_dump_json() for each in FOUND],
        "suspected",
        {"answers": "5", "confirms": ""},
    )
    assert second.library.caution == ""
    assert second.library.cached_on is not None
    assert second.store.hello.installed == {"numpy": "2"}


@pytest.mark.parametrize("change", [{"ks": (5,)}, {"recommender": "ease"}, {"known": {"auc": ()}}])
def test_other_options_find_anew(manifest: Manifest, change: dict[str, object]) -> None:
    kept_once(manifest)
    assert Run(manifest, **change).store.read() is None


def test_other_code_finds_anew(manifest: Manifest, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_once(manifest)
    monkeypatch.setattr(finding_store, "maker_digest", lambda *_, **__: "edited")
    assert Run(manifest).store.read() is None


def test_code_that_was_edited_meanwhile_keeps_nothing(manifest: Manifest, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(manifest)
    run.ask()
    monkeypatch.setattr(finding_store, "maker_digest", lambda *_, anew=False, **__: f"edited {anew}")
    run.keep()
    assert not run.store.path.exists()


def test_a_changed_answer_finds_anew(manifest: Manifest) -> None:
    kept_once(manifest)
    (answers,) = (manifest.folder.parent / "environment" / "answers").iterdir()
    answers.unlink()
    assert Run(manifest).store.read() is None  # nothing is answered
    again = Run(manifest)
    again.ask(value=0.75)
    again.cache.save()
    assert Run(manifest).store.read() is None
    restored = Run(manifest)
    restored.ask()
    restored.keep()
    assert told(Run(manifest).store.read()) is not None


def test_further_answers_to_other_inputs_leave_findings_as_they_are(manifest: Manifest) -> None:
    kept_once(manifest)
    further = Run(manifest)
    further.ask()
    other = replace(CASE.case, threshold=0.5)
    asks = [Ask(0, "q", ("statistics.mean",), (3,))]
    said = Answer(0, "statistics.mean", 3, Measured(1.0, None, None, "float", 0.0))
    further.cache.answer({"q": other}, asks, lambda _: Conversation(further.cache.hello, (said,), 1.0))
    further.cache.save()
    assert told(Run(manifest).store.read()) is not None


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda text: text.replace('"agrees"', '"variant"', 1), "not as it was written"),
        (lambda text: text.replace("0.3333333333333333", "0.4333333333333333"), "not as it was written"),
        (lambda text: text[:-200], "not as it was written"),
        (lambda text: text.splitlines()[1], "cannot be read"),
        (lambda _: "", "cannot be read"),
        (lambda _: "[" * 200_000, "cannot be read"),
    ],
)
def test_a_file_that_was_changed_is_not_believed(manifest: Manifest, damage: Any, told: str) -> None:
    path = kept_once(manifest)
    before = path.read_text()
    path.write_text(damage(before))
    assert path.read_text() != before
    run = Run(manifest)
    assert run.store.read() is None
    assert run.library.caution.startswith("identified anew: the file of its kept findings was damaged (it")
    assert told in run.library.caution
    run.ask()
    run.keep("suspected")
    assert path.read_text() == before
    assert Run(manifest).library.caution == ""


@pytest.mark.parametrize("content", ["1", "[]", "[" * 200_000, '{"findings": [{}]}'])
def test_content_of_another_kind_is_not_believed_whatever_its_digest(manifest: Manifest, content: str) -> None:
    path = kept_once(manifest)
    path.write_text(f"{finding_store.first_line(content)}\n{content}\n")
    run = Run(manifest)
    assert run.store.read() is None
    assert "does not hold findings" in run.library.caution


def test_a_file_with_findings_of_another_shape_is_not_believed(manifest: Manifest) -> None:
    path = kept_once(manifest)
    body = json.loads(path.read_text().splitlines()[1])
    body["findings"][0]["verdict"] = None
    text = json.dumps(body)
    path.write_text(f"{finding_store.first_line(text)}\n{text}\n")
    assert Run(manifest).store.read() is None


def test_nothing_is_kept_of_a_function_that_crashed(manifest: Manifest) -> None:
    run = Run(manifest)
    run.ask(Crashed(1, "died"))
    run.keep()
    assert not run.store.path.exists()


def test_nothing_is_kept_where_answers_are_not_cached(manifest: Manifest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recsys_metric_audit.audit.responders.cache.MAX_ROWS", 3)
    run = Run(manifest)
    run.ask()
    run.keep()
    assert not run.store.path.exists()


def test_a_disk_that_cannot_be_written_to_is_no_error(manifest: Manifest) -> None:
    run = Run(manifest)
    run.ask()
    run.store.path.parent.parent.mkdir(parents=True)
    run.store.path.parent.write_text("a file in the way")
    run.keep()
    assert Run(manifest).store.read() is None


def test_only_the_newest_files_stay(manifest: Manifest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding_store, "_MOST_FILES", 2)
    for ks in ((1,), (2,), (3,)):
        run = Run(manifest, ks=ks)
        run.ask()
        run.keep()
    assert len(list(run.store.path.parent.iterdir())) == 2
    assert run.store.path.exists()


def test_what_is_not_cached_has_no_store(manifest: Manifest) -> None:
    (version,) = manifest.versions
    request = Request(((manifest, version),), CASE, (1,), 1, Limits(), "audit run", sources={})
    live = LiveLibrary(Path("python"), manifest.adapter_path(version), (), Limits())
    assert FindingStore.of(manifest, version, live, request) is None
