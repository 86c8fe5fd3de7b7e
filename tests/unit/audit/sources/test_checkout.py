"""Checkouts: what is the pinned commit, and why something is not."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.sources import checkout
from recsys_metric_audit.audit.sources.checkout import Checkout, GivenFolder, digest, fetch, mismatches, resolve
from tests.support.fake_libraries import write_library
from tests.support.git_libraries import CHANGED, CODE, chosen, exported, git, pinned, write_adapter, write_repository

# Checkouts: what is the pinned commit, and why something is not.


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
    named, found = mismatches(repository, pinned(manifest))
    assert named == "files were changed: tiny/metrics.py"
    assert found.startswith("the files that carry the metrics have the digest sha256:")


def test_another_commit_is_named(repository: Path, manifest: Manifest) -> None:
    newer = write_repository(repository, CODE + "\n# a comment\n")
    found = mismatches(repository, pinned(manifest))
    assert found[0] == f"it is at commit {newer[:8]}, pinned is {pinned(manifest).commit[:8]}"


# Clones: the pinned commit whole, or nothing and the next step.


def test_fetch_clones_the_commit_and_runs_find_it(repository: Path, manifest: Manifest) -> None:
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


def test_a_commit_that_is_not_there_leaves_nothing_behind(manifest: Manifest, tmp_path: Path) -> None:
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


# Folders given with ``--source``: which version they serve, and what is refused.


def test_a_tampered_export_is_refused_with_both_digests(repository: Path, manifest: Manifest, tmp_path: Path) -> None:
    tree = exported(repository, tmp_path / "exported")
    (tree / "tiny" / "metrics.py").write_text(CHANGED)
    with pytest.raises(UserError, match=r"is no pinned version of tiny: 1\.0: the files that carry") as told:
        resolve([GivenFolder("tiny", None, tree)], chosen(manifest))
    assert pinned(manifest).digest in told.value.message
    assert "audit fetch tiny" in told.value.hint
    assert "--unpinned" in told.value.hint


def test_the_commit_decides_which_version_a_folder_is(repository: Path, tmp_path: Path) -> None:
    older = tmp_path / "older"
    git(tmp_path, "clone", "--quiet", str(repository), str(older))
    write_repository(repository, CHANGED)
    manifest = write_adapter(tmp_path / "tiny", ("2.0", repository), ("1.0", older))
    found = resolve([GivenFolder("tiny", None, older), GivenFolder("tiny", None, repository)], chosen(manifest))
    assert found == {("tiny", "1.0"): Checkout(older), ("tiny", "2.0"): Checkout(repository)}
    with pytest.raises(UserError, match="it is at commit"):
        resolve([GivenFolder("tiny", "2.0", older)], chosen(manifest))
    with pytest.raises(UserError, match=r"two folders for 1\.0"):
        resolve([GivenFolder("tiny", None, older), GivenFolder("tiny", "1.0", older)], chosen(manifest))


def test_an_export_that_fits_two_versions_has_to_be_named(repository: Path, tmp_path: Path) -> None:
    older = tmp_path / "older"
    git(tmp_path, "clone", "--quiet", str(repository), str(older))
    git(repository, "commit", "--quiet", "--allow-empty", "--message", "nothing")
    manifest = write_adapter(tmp_path / "tiny", ("2.0", repository), ("1.0", older))
    tree = exported(repository, tmp_path / "exported")
    with pytest.raises(UserError, match=r"has the metrics of tiny 2\.0 and 1\.0 alike") as told:
        resolve([GivenFolder("tiny", None, tree)], chosen(manifest))
    assert told.value.hint == f"say what it stands for: --source tiny==VERSION={tree}"
    assert resolve([GivenFolder("tiny", "1.0", tree)], chosen(manifest)) == {("tiny", "1.0"): Checkout(tree)}


def test_unpinned_lets_it_through_and_keeps_the_reason(repository: Path, manifest: Manifest) -> None:
    newer = write_repository(repository, CHANGED)
    (checkout,) = resolve([GivenFolder("tiny", None, repository)], chosen(manifest), unpinned=True).values()
    assert checkout.unpinned is not None
    assert checkout.unpinned.startswith(f"it is at commit {newer[:8]}, pinned is")


@pytest.mark.parametrize(
    ("given", "said", "hint"),
    [
        (GivenFolder("tiny", None, Path("nowhere")), "nowhere: no such folder", "NAME=DIR"),
        (GivenFolder("tiny", "9", Path()), "tiny==9: no version of this run", "there are 1.0"),
        (GivenFolder("other", None, Path()), "other: it is not among the libraries of this run", "-l"),
    ],
)
def test_what_cannot_be_given_is_refused(manifest: Manifest, given: GivenFolder, said: str, hint: str) -> None:
    with pytest.raises(UserError, match=said) as told:
        resolve([given], chosen(manifest))
    assert hint in told.value.hint


def test_a_working_tree_takes_the_place_of_a_release(tmp_path: Path) -> None:
    manifest, version = write_library(tmp_path / "released")
    found = resolve([GivenFolder("released", None, tmp_path)], [(manifest, version)])
    reason = "a working tree is imported in place of the release"
    assert found == {("released", "1.2.0"): Checkout(tmp_path, reason)}
    with pytest.raises(UserError, match="no such folder"):
        resolve([GivenFolder("released", None, tmp_path / "nowhere")], [(manifest, version)])


def test_which_release_a_working_tree_stands_for_is_said(tmp_path: Path) -> None:
    more = '[[version]]\nversion = "1.1.0"\npython = "3.11"'
    manifest, _ = write_library(tmp_path / "released", more=more)
    with pytest.raises(UserError) as told:
        resolve([GivenFolder("released", None, tmp_path)], chosen(manifest))
    assert told.value.hint == f"say what it stands for: --source released==VERSION={tmp_path}"
    found = resolve([GivenFolder("released", "1.1.0", tmp_path)], chosen(manifest))
    assert list(found) == [("released", "1.1.0")]
