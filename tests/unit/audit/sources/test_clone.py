"""Clones: the pinned commit whole, or nothing and the next step."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.sources import checkout
from recsys_metric_audit.audit.sources.checkout import Checkout
from recsys_metric_audit.audit.sources.clone import fetch
from tests.support.git_libraries import CHANGED, CODE, git, write_adapter, write_repository


def test_fetch_clones_the_commit_and_runs_find_it(
    repository: Path, manifest: Manifest
) -> None:  # fmt: skip
    write_repository(repository, CHANGED)  # the pinned commit is not the newest
    version = manifest.versions[0]
    assert checkout.find_fetched(manifest, version) is None
    place = fetch(manifest, version, mirror=str(repository))
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
    manifest: Manifest, tmp_path: Path
) -> None:  # fmt: skip
    other = tmp_path / "other"
    write_repository(other, CHANGED)
    with pytest.raises(UserError, match="does not give commit") as told:
        fetch(manifest, manifest.versions[0], tmp_path / "clones" / "tiny", mirror=other.as_uri())
    assert "--source tiny==1.0=DIR" in told.value.hint
    assert list((tmp_path / "clones").iterdir()) == []


def test_no_network_says_so_and_what_to_do(manifest: Manifest) -> None:
    with pytest.raises(UserError, match=r"https://127\.0\.0\.1:9/tiny cannot be reached") as told:
        fetch(manifest, manifest.versions[0], mirror="https://127.0.0.1:9/tiny")
    assert told.value.hint.startswith("with a network try again")


@pytest.mark.parametrize("address", ["ext::sh -c touch% was-run", "http://127.0.0.1:9/tiny", "git://127.0.0.1:9/tiny"])
def test_other_transports_are_refused(manifest: Manifest, address: str) -> None:
    with pytest.raises(UserError, match=r"transport '(ext|http|git)' not allowed"):
        fetch(manifest, manifest.versions[0], mirror=address)


def test_an_address_that_looks_like_an_option_is_none(manifest: Manifest, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not give commit"):
        fetch(manifest, manifest.versions[0], mirror=f"--upload-pack=touch {tmp_path / 'was-run'};")
    assert not (tmp_path / "was-run").exists()


def test_filters_and_submodules_that_a_commit_asks_for_are_not_run(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    smudge = f"touch {tmp_path / 'was-run'}; cat"
    write_repository(inner := tmp_path / "inner")
    (repository / ".gitattributes").write_text("* filter=mine\nREADME ident eol=crlf\n")
    (repository / "README").write_text("$Id$\n")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", "--quiet", str(inner), "inner")
    write_repository(repository)
    (repository / "README").write_text("$Id$\n")
    git(repository, "commit", "--quiet", "--all", "--message", "with an ident")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".gitconfig").write_text(
        f'[filter "mine"]\n\tsmudge = {smudge}\n[submodule]\n\trecurse = true\n[protocol "file"]\n\tallow = always\n'
    )
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    manifest = write_adapter(tmp_path / "others" / "tiny", ("1.0", repository))
    place = fetch(manifest, manifest.versions[0], mirror=str(repository))
    assert not (tmp_path / "was-run").exists()
    assert (place / "README").read_bytes() == b"$Id$\n"
    assert not list((place / "inner").iterdir())
    # The settings are such as git itself would follow.
    git(tmp_path, "clone", "--quiet", str(repository), "by-git")
    assert (tmp_path / "was-run").exists()
