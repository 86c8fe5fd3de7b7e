"""Folders given with ``--source``: which version they serve, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.sources.checkout import Checkout
from recsys_metric_audit.audit.sources.given_folders import GivenFolder, resolve
from tests.support.fake_libraries import write_library
from tests.support.git_libraries import CHANGED, chosen, exported, git, pinned, write_adapter, write_repository


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
