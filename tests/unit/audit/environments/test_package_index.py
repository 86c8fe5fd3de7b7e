"""Releases: their order, their neighbours, and one that is not pinned, locked as its neighbour is."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import package_index
from recsys_metric_audit.audit.errors import UserError
from tests.support.fake_libraries import FakeUv, write_library


def test_the_order_of_versions() -> None:
    assert package_index.ordered(["2.0", "10.0", "2.0rc1", "9.1.post1", "12345678"]) == [
        "12345678", "2.0rc1", "2.0", "9.1.post1", "10.0",
    ]  # fmt: skip
    assert package_index.nearest("2.0", ["1.0", "1.9", "2.1"]) == "1.9"
    assert package_index.nearest("0.5", ["1.0", "1.9"]) == "1.0"
    assert package_index.nearest("0.5", []) is None


def test_the_digits_of_a_commit_are_no_release_number() -> None:
    assert package_index.number("12345678") is None
    assert package_index.number("1e10abcd") is None
    assert package_index.number("not.a.number") is None
    assert str(package_index.number("1.0.post1")) == "1.0.post1"


@pytest.mark.slow  # a process of its own
def test_a_trial_takes_the_settings_of_its_neighbour_and_leaves_the_adapter_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeUv(tmp_path, monkeypatch)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    manifest, pinned = write_library(tmp_path / "fake", 'exclude_newer = "2021-10-01"\nno_deps = "broken"')
    before = sorted(manifest.folder.rglob("*"))
    later, release = package_index.trial(manifest, "1.3.0")
    assert (release.version, release.exclude_newer, release.no_deps) == ("1.3.0", None, "broken")
    assert later.lock_path(release).is_file()
    _, release = package_index.trial(manifest, "1.1.0")
    assert release.exclude_newer == pinned.exclude_newer
    assert sorted(manifest.folder.rglob("*")) == before


def test_a_library_from_a_repository_has_no_releases(tmp_path: Path) -> None:
    manifest, _ = write_library(tmp_path / "fake")
    source = manifest.source.model_copy(update={"package": None})
    with pytest.raises(UserError, match="comes from a repository"):
        package_index.on_index(manifest.model_copy(update={"source": source}), "3.11")
