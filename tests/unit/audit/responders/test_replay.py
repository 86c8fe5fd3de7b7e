"""Replay: recorded answers come back, and what was never recorded is missing and named."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, load
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Crashed, Errored, Measured
from recsys_metric_audit.audit.responders import recording_file
from recsys_metric_audit.audit.responders.recording import Recording
from recsys_metric_audit.audit.responders.replay import RecordedLibrary, adapter_digest, find_answers, open_recording
from recsys_metric_audit.reference.input.case import Case
from tests.support.own_libraries import own_libraries
from tests.support.recorded_answers import HEADER, OUTCOMES, comparable, every_outcome, log_of, one_row_case

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


def test_crashes_and_errors_are_replayed_without_paths(tmp_path: Path) -> None:
    path = tmp_path / "1.0.json"
    recording_file.write(path, every_outcome())
    answers, _ = find_answers(
        recording_file.read(path), {"p": one_row_case()}, [Ask(0, "p", ("raises", "dies"), (5,))]
    )  # fmt: skip
    assert [each.outcome for each in answers] == [
        Errored("ValueError", "k must be \ud800 small\n", ""),
        Crashed(-11, "as recorded"),
    ]


@pytest.mark.parametrize("manifest", MANIFESTS.values(), ids=MANIFESTS)
def test_no_recording_that_ships_is_stale(manifest: Manifest) -> None:
    """A recording answers for the code of its adapter: who changes that records anew."""
    for version in manifest.versions:
        if version.git is not None and manifest.recording_path(version).is_file():
            assert open_recording(manifest, version).caution == "", version.version
