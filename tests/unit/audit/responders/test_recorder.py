"""The recorder: answers of a live library are collected without the folders of this machine."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from recsys_metric_audit.audit.libraries.manifest import Commit, Manifest, Source, Version
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Errored, Hello, Limits
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.responders.recorder import Recorder, make_header
from recsys_metric_audit.audit.sources.checkout import Checkout
from tests.support.recorded_answers import OUTCOMES, one_row_case

HELLO = Hello(1, "3.11.9", "Linux", {"numpy": "2", "attrs": "1"}, ("raises", "mean"))


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """Return a recorder of a library that raises with paths of this machine; its second conversation has no hello."""
    python, checkout = tmp_path / "env" / "bin" / "python", tmp_path / "checkout"
    paths = f"{checkout}/tiny.py, {tmp_path}/env/lib/x.py, {tmp_path}/tmp/audit-abc/control-1/cases"
    library = LiveLibrary(python, tmp_path / "adapter.py", (), Limits(), Checkout(checkout, "files were changed"))
    hellos = iter([HELLO, None])

    def answer(self: LiveLibrary, cases: object, asks: list[Ask], *rest: object) -> Conversation:
        outcomes = {"raises": Errored("ValueError", paths, "Traceback"), "mean": OUTCOMES["mean"]}
        answers = tuple(Answer(ask.id, name, 5, outcomes[name]) for ask in asks for name in ask.functions)
        return Conversation(next(hellos), answers, 1.0)

    monkeypatch.setattr(LiveLibrary, "ask", answer)
    return Recorder(library)


def put(recorder: Recorder) -> Conversation:
    asks = [Ask(0, "p", ("raises", "mean"), (5,))]
    return recorder.ask({"p": one_row_case()}, asks, lambda done, total: None, threading.Event())


def test_messages_lose_the_folders_and_the_run_keeps_them(recorder: Recorder, tmp_path: Path) -> None:
    conversation = put(recorder)
    assert isinstance(conversation.answers[0].outcome, Errored)
    assert str(tmp_path) in conversation.answers[0].outcome.message
    raised, mean = (outcome for (outcome,) in recorder.log.answers.values())
    assert raised == Errored("ValueError", "…/tiny.py, …/lib/x.py, …-1/cases", "Traceback")
    assert mean is OUTCOMES["mean"]


def test_the_last_hello_is_kept(recorder: Recorder) -> None:
    assert recorder.hello is None
    put(recorder)
    put(recorder)
    assert recorder.hello is HELLO
    assert [len(outcomes) for outcomes in recorder.log.answers.values()] == [2, 2]


def test_the_caution_is_that_of_the_library(recorder: Recorder) -> None:
    assert recorder.caution == "unpinned: files were changed"
    assert (recorder.live, recorder.recorded_on, recorder.cached_on) == (True, None, None)


def test_the_header_says_of_what_and_with_what(tmp_path: Path) -> None:
    (tmp_path / "adapter.py").write_text("")
    commit = Commit(commit="a" * 40, files=("*.py",), digest=f"sha256:{'b' * 64}")
    version = Version(version="1.0", python="3.11", git=commit)
    manifest = Manifest(
        folder=tmp_path, title="T", about="A", homepage="https://example.org", version=(version,),
        source=Source(repository="https://example.org/tiny"),
    )  # fmt: skip
    header = make_header(manifest, version, HELLO)
    assert (header.commit, header.digest) == ("a" * 40, f"sha256:{'b' * 64}")
    # SHA-256 of nothing, FIPS 180-4
    assert header.adapter == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert list(header.installed) == ["attrs", "numpy"]
    assert len(header.date) == len("2021-05-04")


def test_a_library_that_only_raises_was_not_measured(recorder: Recorder) -> None:
    assert not recorder.measured
    asks = [Ask(0, "p", ("raises",), (5,))]
    recorder.ask({"p": one_row_case()}, asks, lambda done, total: None, threading.Event())
    assert not recorder.measured
    put(recorder)
    assert recorder.measured
