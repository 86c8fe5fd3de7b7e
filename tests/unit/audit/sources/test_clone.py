"""Clones: the pinned commit whole, or nothing and the next step."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import UserError
from audit.libraries.manifest import Manifest
from audit.sources import checkout
from audit.sources.checkout import Checkout
from audit.sources.clone import fetch
from tests.support.git_libraries import CHANGED, CODE, write_repository


def served(repository: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let git find the repository under the address that library.toml names."""
    home.mkdir()
    (home / ".gitconfig").write_text(f'[url "{repository.as_uri()}"]\n\tinsteadOf = https://example.org/tiny\n')
    monkeypatch.setenv("HOME", str(home))


def test_fetch_clones_the_commit_and_runs_find_it(
    repository: Path, manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_repository(repository, CHANGED)  # the pinned commit is not the newest
    served(repository, tmp_path / "home", monkeypatch)
    version = manifest.versions[0]
    assert checkout.find_fetched(manifest, version) is None
    place = fetch(manifest, version)
    assert (place / "tiny" / "metrics.py").read_text() == CODE
    assert checkout.find_fetched(manifest, version) == Checkout(place)
    assert fetch(manifest, version) == place
    (place / "tiny" / "metrics.py").write_text(CHANGED)
    with pytest.raises(UserError, match="is not what is pinned any more: files were changed") as told:
        checkout.find_fetched(manifest, version)
    assert "audit fetch tiny==1.0" in told.value.hint
    with pytest.raises(UserError, match="is there and is not what is pinned"):
        fetch(manifest, version)


def test_a_commit_that_is_not_there_leaves_nothing_behind(
    repository: Path, manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    write_repository(other, CHANGED)
    served(other, tmp_path / "home", monkeypatch)
    with pytest.raises(UserError, match="does not give commit") as told:
        fetch(manifest, manifest.versions[0], tmp_path / "clones" / "tiny")
    assert "--source tiny==1.0=DIR" in told.value.hint
    assert list((tmp_path / "clones").iterdir()) == []


def test_no_network_says_so_and_what_to_do(
    manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    (tmp_path / ".gitconfig").write_text('[url "https://127.0.0.1:9/"]\n\tinsteadOf = https://example.org/\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(UserError, match=r"https://example\.org/tiny cannot be reached") as told:
        fetch(manifest, manifest.versions[0])
    assert told.value.hint.startswith("with a network try again")
