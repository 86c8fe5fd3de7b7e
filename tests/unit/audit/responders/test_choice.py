"""Which responder answers: the live library, its cache, a recording, or nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.responders import recording_file
from recsys_metric_audit.audit.responders.cache import CachedLibrary
from recsys_metric_audit.audit.responders.choice import Recorder, find_cached_responder, find_recorder, find_responder
from recsys_metric_audit.audit.responders.interface import NoResponder
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.responders.recording_file import Recording
from recsys_metric_audit.audit.responders.replay import RecordedLibrary, adapter_digest
from recsys_metric_audit.audit.sources.checkout import Checkout
from tests.support.fake_libraries import write_library
from tests.support.git_libraries import write_adapter, write_repository
from tests.support.recorded_answers import every_outcome


@pytest.fixture(autouse=True)
def _environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every environment is the folder ``env``; it has no marker yet."""
    built = environment.Environment(tmp_path / "env" / "bin" / "python", tmp_path / "env")
    (tmp_path / "env").mkdir()
    monkeypatch.setattr(environment, "ensure", lambda *_, **__: built)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def indexed(tmp_path: Path) -> Manifest:
    """Return a library from the package index whose calls may take 600 seconds."""
    manifest, _ = write_library(tmp_path / "fake", "timeout = 600")
    (tmp_path / "fake" / "adapter.py").write_text("")
    return manifest


@pytest.fixture
def cloned(tmp_path: Path) -> Manifest:
    """Return a library from a repository."""
    write_repository(tmp_path / "repository")
    return write_adapter(tmp_path / "adapters" / "tiny", ("1.0", tmp_path / "repository"))


def silent(line: str) -> None:
    """Take a step of a build."""


def test_a_version_from_the_index_is_run(indexed: Manifest) -> None:
    found = find_responder(indexed, indexed.versions[0], {}, Limits(seconds=5), silent)
    assert isinstance(found, LiveLibrary) and found.live
    assert (found.limits.seconds, found.caution) == (600, "")
    assert found.means is None and found.checkout is None


def test_a_working_tree_is_run_in_place_of_a_release_and_never_cached(indexed: Manifest, tmp_path: Path) -> None:
    (version,) = indexed.versions
    tree = Checkout(tmp_path, "it is imported in place of the release")
    for find in (find_responder, find_cached_responder):
        found = find(indexed, version, {(indexed.name, version.version): tree}, Limits(seconds=5), silent)
        assert isinstance(found, LiveLibrary)
        assert (found.checkout, found.caution) == (tree, "unpinned: it is imported in place of the release")


def test_only_an_environment_of_ours_gets_a_cache(indexed: Manifest, tmp_path: Path) -> None:
    version = indexed.versions[0]
    assert isinstance(find_cached_responder(indexed, version, {}, Limits(), silent), LiveLibrary)
    (tmp_path / "env" / environment.MARKER).touch()
    assert isinstance(find_cached_responder(indexed, version, {}, Limits(), silent), CachedLibrary)


def test_an_adapter_that_is_not_there_costs_its_own_library_only(indexed: Manifest, tmp_path: Path) -> None:
    version = indexed.versions[0]
    (tmp_path / "env" / environment.MARKER).touch()
    indexed.adapter_path(version).unlink()
    with pytest.raises(NoResponder, match=r"its adapter .* is not there"):
        find_cached_responder(indexed, version, {}, Limits(), silent)


@pytest.mark.parametrize("content", [b"def (:\n", b"\xff\xfe", b"a = '\0'\n"])
def test_an_adapter_that_does_not_parse_is_another_than_the_recorded_one(cloned: Manifest, content: bytes) -> None:
    version = cloned.versions[0]
    before = adapter_digest(cloned, version)
    cloned.adapter_path(version).write_bytes(content)
    assert adapter_digest(cloned, version) != before


def test_a_checkout_is_run_and_never_cached(cloned: Manifest, tmp_path: Path) -> None:
    (tmp_path / "env" / environment.MARKER).touch()
    given = {("tiny", "1.0"): Checkout(tmp_path / "repository", "files were changed")}
    found = find_cached_responder(cloned, cloned.versions[0], given, Limits(), silent)
    assert isinstance(found, LiveLibrary)
    assert found.caution == "unpinned: files were changed"
    assert isinstance(find_recorder(cloned, cloned.versions[0], given, Limits(), silent), Recorder)


def test_without_a_checkout_the_recording_answers(cloned: Manifest) -> None:
    (version,) = cloned.versions
    assert version.git is not None
    made = every_outcome()
    header = replace(
        made.header, commit=version.git.commit, digest=version.git.digest, adapter=adapter_digest(cloned, version)
    )
    recording_file.write(cloned.recording_path(version), Recording(header, made.log))
    found = find_responder(cloned, version, {}, Limits(), silent)
    assert isinstance(found, RecordedLibrary) and not found.live
    assert found.caution == ""
    assert find_cached_responder(cloned, version, {}, Limits(), silent) is not None


def test_without_both_nothing_answers(cloned: Manifest) -> None:
    (version,) = cloned.versions
    with pytest.raises(NoResponder) as refused:
        find_responder(cloned, version, {}, Limits(), silent)
    assert refused.value.reason.startswith("neither a checkout")
    with pytest.raises(NoResponder) as refused:
        find_recorder(cloned, version, {}, Limits(), silent)
    assert refused.value.reason == "tiny==1.0 can only be recorded from a checkout"
    assert refused.value.hint == "audit record tiny==1.0 --source tiny==1.0=DIR"


def test_the_file_for_large_data_is_the_one_that_the_version_names(tmp_path: Path) -> None:
    manifest, version = write_library(tmp_path / "fake", 'means = "means.py"')
    found = find_responder(manifest, version, {}, Limits(), silent)
    assert isinstance(found, LiveLibrary) and found.means == tmp_path / "fake" / "means.py"
