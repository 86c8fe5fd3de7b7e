"""Checkouts: what is the pinned commit, and why something is not."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.sources.checkout import digest, mismatches
from tests.support.git_libraries import CHANGED, CODE, exported, git, pinned, write_repository


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
