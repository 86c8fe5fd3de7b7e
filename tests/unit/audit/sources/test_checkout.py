"""Checkouts: what is the pinned commit, what is refused and in which words, what is cloned."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from audit.errors import UserError
from audit.libraries.manifest import Commit, Manifest, Version
from audit.sources import checkout
from audit.sources.checkout import Checkout, Given, digest, mismatches, resolve
from audit.sources.clone import fetch
from tests.support.git_libraries import CHANGED, CODE, git, write_adapter, write_repository


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    write_repository(folder)
    return folder


@pytest.fixture
def manifest(tmp_path: Path, repository: Path) -> Manifest:
    return write_adapter(tmp_path / "adapters" / "tiny", ("1.0", repository))


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def pinned(manifest: Manifest) -> Commit:
    commit = manifest.versions[0].git
    assert commit is not None
    return commit


def chosen(manifest: Manifest) -> list[tuple[Manifest, Version]]:
    return [(manifest, version) for version in manifest.versions]


def exported(repository: Path, folder: Path) -> Path:
    """The tree without its git data, as an archive of it unpacks."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=repository, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=archive, check=True)
    return folder


def test_the_digest_is_what_sha256sum_says_of_itself(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x.py").write_text("two\n")
    (tmp_path / "a.py").write_text("one\n")
    (tmp_path / "other.txt").write_text("not counted\n")
    one, two = (hashlib.sha256(text).hexdigest() for text in (b"one\n", b"two\n"))
    by_hand = hashlib.sha256(f"{one}  a.py\n{two}  b/x.py\n".encode()).hexdigest()
    assert digest(tmp_path, ["b/*.py", "*.py"]) == digest(tmp_path, ["**/*.py"]) == f"sha256:{by_hand}"
    with pytest.raises(UserError, match=r"there is no c/\*\.py in it"):
        digest(tmp_path, ["c/*.py"])


def test_a_clean_checkout_of_the_commit_and_its_export_are_right(
    repository: Path, manifest: Manifest, tmp_path: Path
) -> None:
    assert mismatches(repository, pinned(manifest)) == []
    assert mismatches(exported(repository, tmp_path / "exported"), pinned(manifest)) == []
    # An export that lies inside another repository is still an export.
    assert mismatches(exported(repository, repository / "inside"), pinned(manifest)) == []


def test_what_building_and_running_leave_is_no_change(repository: Path, manifest: Manifest) -> None:
    for name in ("tiny/__pycache__/metrics.cpython-311.pyc", "tiny/fast.cpython-311.so", "build/temp/tiny.o"):
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_bytes(b"made")
    assert mismatches(repository, pinned(manifest)) == []


def test_a_changed_file_is_named(repository: Path, manifest: Manifest) -> None:
    (repository / "README").write_text("another\n")
    assert mismatches(repository, pinned(manifest)) == ["files were changed: README"]


def test_a_new_module_is_named_for_it_could_be_imported(repository: Path, manifest: Manifest) -> None:
    (repository / "numpy.py").write_text("")
    assert mismatches(repository, pinned(manifest)) == ["files were changed: numpy.py"]


def test_a_change_that_git_was_told_to_overlook_is_seen(repository: Path, manifest: Manifest) -> None:
    git(repository, "update-index", "--assume-unchanged", "tiny/metrics.py")
    (repository / "tiny" / "metrics.py").write_text(CHANGED)
    (found,) = mismatches(repository, pinned(manifest))
    assert found.startswith("the files that carry the metrics have the digest sha256:")


def test_another_commit_is_named(repository: Path, manifest: Manifest) -> None:
    newer = write_repository(repository, CODE + "\n# a comment\n")
    found = mismatches(repository, pinned(manifest))
    assert found[0] == f"it is at commit {newer[:8]}, pinned is {pinned(manifest).commit[:8]}"


def test_a_tampered_export_is_refused_with_both_digests(repository: Path, manifest: Manifest, tmp_path: Path) -> None:
    tree = exported(repository, tmp_path / "exported")
    (tree / "tiny" / "metrics.py").write_text(CHANGED)
    with pytest.raises(UserError, match=r"is no pinned version of tiny: 1\.0: the files that carry") as told:
        resolve([Given("tiny", None, tree)], chosen(manifest))
    assert pinned(manifest).digest in told.value.message
    assert "audit fetch tiny" in told.value.hint
    assert "--unpinned" in told.value.hint


def test_the_commit_decides_which_version_a_folder_is(repository: Path, tmp_path: Path) -> None:
    older = tmp_path / "older"
    git(tmp_path, "clone", "--quiet", str(repository), str(older))
    write_repository(repository, CHANGED)
    manifest = write_adapter(tmp_path / "tiny", ("2.0", repository), ("1.0", older))
    found = resolve([Given("tiny", None, older), Given("tiny", None, repository)], chosen(manifest))
    assert found == {("tiny", "1.0"): Checkout(older), ("tiny", "2.0"): Checkout(repository)}
    with pytest.raises(UserError, match="it is at commit"):
        resolve([Given("tiny", "2.0", older)], chosen(manifest))
    with pytest.raises(UserError, match=r"two folders for 1\.0"):
        resolve([Given("tiny", None, older), Given("tiny", "1.0", older)], chosen(manifest))


def test_an_export_that_fits_two_versions_has_to_be_named(repository: Path, tmp_path: Path) -> None:
    older = tmp_path / "older"
    git(tmp_path, "clone", "--quiet", str(repository), str(older))
    git(repository, "commit", "--quiet", "--allow-empty", "--message", "nothing")
    manifest = write_adapter(tmp_path / "tiny", ("2.0", repository), ("1.0", older))
    tree = exported(repository, tmp_path / "exported")
    with pytest.raises(UserError, match=r"has the metrics of tiny 2\.0 and 1\.0 alike") as told:
        resolve([Given("tiny", None, tree)], chosen(manifest))
    assert told.value.hint == f"say what it stands for: --source tiny==VERSION={tree}"
    assert resolve([Given("tiny", "1.0", tree)], chosen(manifest)) == {("tiny", "1.0"): Checkout(tree)}


def test_unpinned_lets_it_through_and_keeps_the_reason(repository: Path, manifest: Manifest) -> None:
    newer = write_repository(repository, CHANGED)
    (checkout,) = resolve([Given("tiny", None, repository)], chosen(manifest), unpinned=True).values()
    assert checkout.unpinned is not None
    assert checkout.unpinned.startswith(f"it is at commit {newer[:8]}, pinned is")


@pytest.mark.parametrize(
    ("given", "said", "hint"),
    [
        (Given("tiny", None, Path("nowhere")), "nowhere: no such folder", "NAME=DIR"),
        (Given("tiny", "9", Path()), "tiny 9: not a version from a repository", "from there: 1.0"),
        (Given("other", None, Path()), "other: it is not among the libraries of this run", "-l"),
    ],
)
def test_what_cannot_be_given_is_refused(manifest: Manifest, given: Given, said: str, hint: str) -> None:
    with pytest.raises(UserError, match=said) as told:
        resolve([given], chosen(manifest))
    assert hint in told.value.hint


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
