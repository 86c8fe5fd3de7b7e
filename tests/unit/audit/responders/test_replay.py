"""Hold recordings: how answers are recorded, which of them are used, how they are replayed."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Commit, Manifest, Source, Version, load
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Errored,
    Hello,
    Limits,
    Measured,
    Outcome,
)
from recsys_metric_audit.audit.responders import recording_file
from recsys_metric_audit.audit.responders.choice import Recorder, make_header
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.responders.recording_file import (
    AnswerLog,
    Key,
    Recording,
    UsedAnswers,
    differences,
    digest_in,
)
from recsys_metric_audit.audit.responders.replay import RecordedLibrary, adapter_digest, find_answers, open_recording
from recsys_metric_audit.audit.sources.checkout import Checkout
from recsys_metric_audit.reference.input.case import Case
from tests.support.own_libraries import own_libraries
from tests.support.recorded_answers import HEADER, OUTCOMES, comparable, every_outcome, log_of, one_row_case

# Recordings as values: what they are keyed by, and how two of them differ.


def test_answers_are_kept_by_input_seed_and_call_in_the_order_given() -> None:
    case = one_row_case()
    asks = [Ask(0, "p", ("f",), (1,), repeat=2), Ask(1, "p", ("f",), (1,))]
    given = [Answer(0, "f", 1, OUTCOMES["mean"], 0), Answer(0, "f", 1, OUTCOMES["absent"], 1)]
    log = log_of({"p": case}, asks, [*given, Answer(1, "f", 1, OUTCOMES["hangs"], 0)], seed=3)
    digest = input_digest(case)
    assert log.names == {digest: "one"}
    assert log.answers == {
        (digest, 3, "f", 1, 0): [OUTCOMES["mean"], OUTCOMES["hangs"]],
        (digest, 3, "f", 1, 1): [OUTCOMES["absent"]],
    }


def test_an_input_without_a_name_is_called_as_the_ask_calls_it() -> None:
    log = log_of({"p": one_row_case(name="")}, [Ask(0, "p", ("f",), (1,))], [Answer(0, "f", 1, OUTCOMES["mean"])])
    assert list(log.names.values()) == ["p"]


def test_the_hello_is_rebuilt_from_header_and_answers() -> None:
    hello = every_outcome().hello
    assert hello.functions == tuple(OUTCOMES)
    assert (hello.python, hello.platform, hello.installed) == ("3.11.9", "Linux", {"numpy": "1.26.4"})


def test_differences_are_to_the_last_bit() -> None:
    read = every_outcome()
    ask = Ask(0, "p0", ("mean",), (5,))
    same = Recording(HEADER, log_of({"p0": one_row_case()}, [ask], [Answer(0, "mean", 5, OUTCOMES["mean"])]))
    others = [line for line in differences(read, same) if not line.startswith("mean")]
    assert len(others) == len(OUTCOMES) - 1
    assert all(line.endswith("is not asked") for line in others)
    near = Measured(float(np.nextafter(0.1 + 0.2, 1)), None, None, "float64", 1.5)
    moved = Recording(HEADER, log_of({"p0": one_row_case()}, [ask], [Answer(0, "mean", 5, near)]))
    assert "mean on one at k = 5: was [['measured', 'float64', '0.30000000000000004']]" in str(differences(read, moved))


def test_date_and_machine_are_no_difference_and_the_commit_is_one() -> None:
    read = every_outcome()
    later = replace(read.header, date="2022-01-01", python="3.12.0", platform="Darwin", installed={})
    assert differences(read, Recording(later, read.log)) == []
    other = replace(read.header, commit="1" * 40)
    assert differences(read, Recording(other, read.log)) == [f"commit was {'0' * 40!r} and is {'1' * 40!r}"]


# The recorder: answers of a live library are collected without the folders of this machine.

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


# Replay: recorded answers come back, and what was never recorded is missing and named.

MANIFESTS = own_libraries()
TOML = """\
title = "Tiny"
about = "Has one metric."
homepage = "https://example.org/tiny"

[source]
repository = "https://example.org/tiny"

[[version]]
version = "1.0"
python = "3.11"
git.commit = "{commit}"
git.files = ["*.py"]
git.digest = "sha256:{digest}"

[[function]]
name = "tiny.precision"
metric = "precision"
"""


def test_every_recorded_outcome_is_found_under_the_number_of_its_ask() -> None:
    asks = [Ask(4, "again", tuple(OUTCOMES), (5,))]
    answers, missing = find_answers(every_outcome(), {"again": one_row_case(name="renamed")}, asks)
    assert missing == ()
    found = {answer.function: answer.outcome for answer in answers}
    assert {name: comparable(each) for name, each in found.items()} == {
        name: comparable(each) for name, each in OUTCOMES.items()
    }
    assert {answer.ask for answer in answers} == {4}


@pytest.mark.parametrize(
    ("other", "k", "seed"),
    [(one_row_case(item=2), 5, 0), (one_row_case(threshold=2.0), 5, 0), (one_row_case(), 6, 0), (one_row_case(), 5, 1)],
)
def test_another_input_cutoff_or_seed_is_missing(other: Case, k: int, seed: int) -> None:
    answers, missing = find_answers(every_outcome(), {"p": other}, [Ask(0, "p", ("mean",), (k,))], seed)
    assert (answers, missing) == ((), ("p",))


def test_equal_calls_get_the_recorded_answers_in_turn() -> None:
    asks = [Ask(0, "p", ("f",), (1,)), Ask(1, "p", ("f",), (1,))]
    answers = [Answer(number, "f", 1, Measured(float(number), None, None, "float", 0.0)) for number in (0, 1)]
    recording = Recording(HEADER, log_of({"p": one_row_case()}, asks, answers))
    again, missing = find_answers(recording, {"p": one_row_case()}, [*asks, Ask(2, "p", ("f",), (1,))])
    assert [(each.ask, each.outcome.mean) for each in again if isinstance(each.outcome, Measured)] == [(0, 0.0), (1, 1)]
    assert missing == ("p",)


def test_the_caution_names_three_inputs_without_an_answer() -> None:
    library = RecordedLibrary(every_outcome(), "stale: the adapter has changed since")
    assert library.caution == "stale: the adapter has changed since"
    cases = {f"p{item}": one_row_case(item, name=f"case {item}") for item in (1, 2, 3, 4, 5)}
    asks = [Ask(number, name, ("mean",), (5,)) for number, name in enumerate(cases)]
    conversation = library.ask(cases, asks, lambda done, total: None, threading.Event())
    assert [answer.ask for answer in conversation.answers] == [0]
    assert library.caution == (
        "stale: the adapter has changed since; "
        "stale: it has no answer on 4 of the inputs asked today (case 2, case 3, case 4 and 1 more)"
    )
    assert (library.live, library.recorded_on, library.cached_on) == (False, "2021-05-04", None)


def pinned(folder: Path, commit: str = "0" * 40) -> Manifest:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "library.toml").write_text(TOML.format(commit=commit, digest="0" * 64))
    (folder / "adapter.py").write_text("FUNCTIONS = {}\n")
    return load(folder)


def test_a_recording_of_the_pinned_commit_is_opened(tmp_path: Path) -> None:
    manifest = pinned(tmp_path / "tiny")
    (version,) = manifest.versions
    made = every_outcome()
    header = replace(made.header, adapter=adapter_digest(manifest, version))
    recording_file.write(manifest.recording_path(version), Recording(header, made.log))
    assert open_recording(manifest, version).caution == ""
    (tmp_path / "tiny" / "adapter.py").write_text('"""Call tiny.\n\nSaid better.\n"""\nFUNCTIONS = {}\n')
    assert open_recording(manifest, version).caution == "", "what an adapter says of itself is not what it calls"
    (tmp_path / "tiny" / "adapter.py").write_text("FUNCTIONS = {}  # changed\n")
    assert open_recording(manifest, version).caution == "stale: the adapter has changed since"


def test_a_recording_of_another_commit_is_refused(tmp_path: Path) -> None:
    manifest = pinned(tmp_path / "tiny", commit="2" * 40)
    (version,) = manifest.versions
    recording_file.write(manifest.recording_path(version), every_outcome())
    with pytest.raises(UserError, match="made of commit 00000000") as refused:
        open_recording(manifest, version)
    assert "audit record tiny==1.0" in refused.value.hint


def test_without_a_recording_the_next_step_is_named(tmp_path: Path) -> None:
    manifest = pinned(tmp_path / "tiny")
    with pytest.raises(UserError, match="neither a checkout") as refused:
        open_recording(manifest, manifest.versions[0])
    assert "audit fetch tiny==1.0" in refused.value.hint


@pytest.mark.parametrize("manifest", MANIFESTS.values(), ids=MANIFESTS)
def test_no_recording_that_ships_is_stale(manifest: Manifest) -> None:
    """A recording answers for the code of its adapter: who changes that records anew."""
    for version in manifest.versions:
        if version.git is not None and manifest.recording_path(version).is_file():
            assert open_recording(manifest, version).caution == "", version.version


# Account of used answers: another answer to any call changes the digest, and nothing else does.

MEAN = Measured(0.1 + 0.2, None, None, "float64", 0.5)
USERS = Measured(None, np.array([7, 8]), np.array([0.5, np.nan]), "float32", 0.1)
FIRST, SECOND = ("d0", 0, "mean", 5, 0), ("d1", 1, "users", None, 2)
ANSWERS: dict[tuple[Key, int], Outcome] = {(FIRST, 0): MEAN, (FIRST, 1): Errored("E", "why", "T"), (SECOND, 0): USERS}


def used(answers: dict[tuple[Key, int], Outcome]) -> UsedAnswers:
    made = UsedAnswers()
    for (key, turn), outcome in answers.items():
        made.add(key, turn, outcome)
    return made


def log_of_of_used_answers(answers: dict[tuple[Key, int], Outcome]) -> AnswerLog:
    log = AnswerLog()
    for (key, _), outcome in answers.items():
        log.answers.setdefault(key, []).append(outcome)
    return log


def test_a_log_with_these_answers_and_more_has_the_digest() -> None:
    made = used(ANSWERS)
    keys = json.loads(json.dumps(made.keys()))
    log = log_of_of_used_answers({**ANSWERS, (FIRST, 2): MEAN, (("d9", 0, "other", 5, 0), 0): MEAN})
    assert made.repeatable
    assert digest_in(log, keys) == made.digest()


def test_the_order_of_calls_their_seconds_and_tracebacks_do_not_act() -> None:
    later = {(SECOND, 0): USERS, (FIRST, 0): replace(MEAN, seconds=9.0), (FIRST, 1): Errored("E", "why", "")}
    assert used(later).digest() == used(ANSWERS).digest()


@pytest.mark.parametrize(
    "change",
    [
        {(FIRST, 0): replace(MEAN, mean=0.3)},
        {(FIRST, 0): replace(MEAN, dtype="float32")},
        {(FIRST, 1): Errored("E", "because", "T")},
        {(FIRST, 1): MEAN},
        {(SECOND, 0): replace(USERS, users=np.array([7, 9]))},
        {(SECOND, 0): replace(USERS, values=np.array([0.5, 0.0]))},
    ],
)
def test_another_answer_has_another_digest(change: dict[tuple[Key, int], Outcome]) -> None:
    made = used(ANSWERS)
    assert digest_in(log_of_of_used_answers(ANSWERS | change), made.keys()) not in (None, made.digest())


def test_a_missing_answer_is_told() -> None:
    made = used(ANSWERS)
    fewer = {call: outcome for call, outcome in ANSWERS.items() if call != (FIRST, 1)}
    assert digest_in(log_of_of_used_answers(fewer), made.keys()) is None


def test_one_call_that_was_answered_in_two_ways_is_not_repeatable() -> None:
    made = used(ANSWERS)
    made.add(FIRST, 0, replace(MEAN, seconds=3.0))
    assert made.repeatable
    made.add(FIRST, 0, replace(MEAN, mean=1.0))
    assert not made.repeatable
