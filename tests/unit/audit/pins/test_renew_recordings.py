"""Recording: which versions are asked, and what is written, compared or refused afterwards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.pins import renew_recordings
from recsys_metric_audit.audit.pins.renew_recordings import Recorded, record, request
from recsys_metric_audit.audit.process.protocol import Hello
from recsys_metric_audit.audit.responders import recording_file
from recsys_metric_audit.audit.responders.recording_file import Recording
from tests.support.git_libraries import chosen, write_adapter, write_repository
from tests.support.recorded_answers import every_outcome


@pytest.fixture
def manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Manifest:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_repository(tmp_path / "repository")
    return write_adapter(tmp_path / "adapters" / "tiny", ("1.0", tmp_path / "repository"))


def recorded(manifest: Manifest, recording: Recording | None, reason: str = "") -> Recorded:
    return Recorded(manifest, manifest.versions[0], recording, reason)


def test_what_is_written_is_no_difference_afterwards(manifest: Manifest) -> None:
    made = recorded(manifest, every_outcome())
    assert made.write() == []
    assert made.path == manifest.folder / "recordings" / "1.0.json"
    assert made.differences() == []


def test_a_difference_names_the_file(manifest: Manifest) -> None:
    made = every_outcome()
    recording_file.write(manifest.recording_path(manifest.versions[0]), made)
    other = recorded(manifest, Recording(replace(made.header, commit="1" * 40), made.log))
    assert other.differences() == [f"{other.path}: commit was {'0' * 40!r} and is {'1' * 40!r}"]


def test_a_missing_recording_is_a_difference(manifest: Manifest) -> None:
    (difference,) = recorded(manifest, every_outcome()).differences()
    assert "there is no such recording" in difference


def test_a_version_that_did_not_answer_says_why_and_writes_nothing(manifest: Manifest) -> None:
    silent = recorded(manifest, None, "no wheel fits")
    assert silent.write() == silent.differences() == ["tiny 1.0: no wheel fits"]
    assert not silent.path.exists()


def test_a_version_whose_calls_all_raise_has_no_recording(manifest: Manifest, monkeypatch: pytest.MonkeyPatch) -> None:
    silent = SimpleNamespace(hello=Hello(1, "3.11", "Linux", {}, ()), measured=False)
    row = SimpleNamespace(library="tiny", version="1.0", reason="no function could be measured: no tiny")

    def run(asked: Any, progress: Any, find: Any) -> Any:
        find(manifest, manifest.versions[0], {}, None, None)
        return SimpleNamespace(libraries=(row,))

    monkeypatch.setattr(renew_recordings, "find_recorder", lambda *words: silent)
    monkeypatch.setattr(renew_recordings, "run", run)
    asked: Any = SimpleNamespace(chosen=chosen(manifest))
    (made,) = record(asked, progress=None)  # type: ignore[arg-type]
    assert made.write() == ["tiny 1.0: no function could be measured: no tiny"]
    assert not made.path.exists()


def test_without_a_checkout_there_is_nothing_to_ask(manifest: Manifest) -> None:
    with pytest.raises(UserError, match="no checkout to record from"):
        request(chosen(manifest), [], named=False, timeout=5, jobs=1)
