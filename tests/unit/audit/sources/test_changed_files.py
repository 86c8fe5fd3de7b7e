"""Files of a checkout against its commit: every change is seen, and no mechanism of git runs what a stranger names."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.sources.git import changed_files
from tests.support.git_libraries import git, write_repository

Arm = Callable[[Path, str], None]


def _clean_filter(folder: Path, program: str) -> None:
    git(folder, "config", "filter.evil.clean", program)
    (folder / ".git" / "info" / "attributes").write_text("* filter=evil\n")


def _process_filter(folder: Path, program: str) -> None:
    git(folder, "config", "filter.evil.process", program)
    (folder / ".gitattributes").write_text("* filter=evil\n")


def _included_settings(folder: Path, program: str) -> None:
    _clean_filter(folder, program)
    (folder / ".git" / "config").rename(folder / ".git" / "other")
    (folder / ".git" / "config").write_text("[include]\n\tpath = other\n")


def _settings_of_a_worktree(folder: Path, program: str) -> None:
    git(folder, "config", "extensions.worktreeConfig", "true")
    git(folder, "config", "--worktree", "filter.evil.clean", program)
    (folder / ".git" / "info" / "attributes").write_text("* filter=evil\n")


def _git_data_elsewhere(folder: Path, program: str) -> None:
    _clean_filter(folder, program)
    (folder / ".git").rename(folder.with_name("elsewhere"))
    (folder / ".git").write_text("gitdir: ../elsewhere\n")


def _monitor(folder: Path, program: str) -> None:
    git(folder, "config", "core.fsmonitor", program)


def _hook(folder: Path, program: str) -> None:
    hook = folder / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{program}\n")
    hook.chmod(0o755)


def _hooks_elsewhere(folder: Path, program: str) -> None:
    _hook(folder, program)
    (folder / ".git" / "hooks").rename(folder / "build")
    git(folder, "config", "core.hooksPath", "build")


def _submodule(folder: Path, program: str) -> None:
    write_repository(folder.with_name("part"))
    allowed = ("-c", "protocol.file.allow=always")
    git(folder, *allowed, "submodule", "add", "--quiet", str(folder.with_name("part")), "part")
    write_repository(folder)
    git(folder / "part", "config", "filter.evil.clean", program)
    (folder / ".git" / "modules" / "part" / "info" / "attributes").write_text("* filter=evil\n")
    (folder / "part" / "README").touch()


def _missing_objects(folder: Path, program: str) -> None:
    """Drop the tree of the commit, and name a program that a partial clone asks for it."""
    for name, value in {
        "core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
        "remote.origin.url": str(folder), "remote.origin.uploadpack": f"{program};",
    }.items():  # fmt: skip
        git(folder, "config", name, value)
    tree = git(folder, "rev-parse", "HEAD^{tree}")
    (folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()


ARMS = [_clean_filter, _process_filter, _included_settings, _settings_of_a_worktree, _git_data_elsewhere, _monitor,
        _hook, _hooks_elsewhere, _submodule, _missing_objects]  # fmt: skip


@pytest.mark.parametrize("arm", ARMS)
def test_nothing_that_a_checkout_names_is_run(repository: Path, tmp_path: Path, arm: Arm) -> None:
    mark = tmp_path / "was-run"
    arm(repository, f"touch {mark}")
    (repository / "README").touch()  # git has to look at its content again
    commit = (tmp_path / "commit").read_text() if (tmp_path / "commit").exists() else _head(repository)
    try:
        found = changed_files(repository, commit)
    except UserError as error:
        assert arm is _missing_objects and "missing" in error.message
    else:
        assert found == ([".gitattributes"] if arm is _process_filter else [])
    assert not mark.exists()
    # The trap works: git itself falls into it.
    subprocess.run(["git", "status"], cwd=repository, capture_output=True, check=False)
    assert mark.exists()


def _head(folder: Path) -> str:
    return git(folder, "rev-parse", "HEAD")


def test_a_program_called_git_in_the_checkout_is_not_run(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = _head(repository)
    (repository / "git").write_text(f"#!/bin/sh\ntouch {tmp_path / 'was-run'}\n")
    (repository / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    assert changed_files(repository, commit) == ["git"]
    assert not (tmp_path / "was-run").exists()


def test_each_kind_of_change_is_named(repository: Path) -> None:
    (repository / "link").symlink_to("README")
    (repository / "gone").write_text("x")
    (repository / "folder").mkdir()
    (repository / "folder" / "file").write_text("x")
    commit = write_repository(repository)
    assert changed_files(repository, commit) == []
    (repository / "link").unlink()
    (repository / "link").symlink_to("tiny/metrics.py")
    (repository / "gone").unlink()
    shutil.move(repository / "folder", repository.with_name("moved"))
    (repository / "folder").symlink_to(repository.with_name("moved"))  # of the same content, but not in the checkout
    (repository / "README").unlink()
    os.mkfifo(repository / "README")
    os.mkfifo(repository / "new pipe")
    assert changed_files(repository, commit) == ["README", "folder/file", "gone", "link", "folder", "new pipe"]


def test_what_the_commit_ignores_is_no_change_and_what_the_checkout_alone_ignores_is(repository: Path) -> None:
    (repository / ".gitignore").write_text("notes/\n")
    commit = write_repository(repository)
    (repository / "notes").mkdir()
    (repository / "notes" / "a.txt").touch()
    assert changed_files(repository, commit) == []
    (repository / ".git" / "info" / "exclude").write_text("numpy.py\n")
    (repository / "numpy.py").touch()
    assert git(repository, "status", "--porcelain") == ""
    assert changed_files(repository, commit) == ["numpy.py"]


def test_line_ends_of_another_system_are_no_change_and_other_bytes_are(repository: Path) -> None:
    commit, readme = _head(repository), repository / "README"
    readme.write_bytes(readme.read_bytes().replace(b"\n", b"\r\n"))
    assert changed_files(repository, commit) == []
    readme.write_bytes(readme.read_bytes() + b"\r")
    assert changed_files(repository, commit) == ["README"]


def test_packed_objects_are_read_like_loose_ones(repository: Path) -> None:
    commit = write_repository(repository, "CODE = 2\n")
    git(repository, "gc", "--quiet", "--prune=now")
    assert changed_files(repository, commit) == []


def test_a_submodule_is_compared_with_the_commit_that_is_named(repository: Path) -> None:
    _submodule(repository, "true")
    commit = _head(repository)
    assert changed_files(repository, commit) == []
    (repository / "part" / "numpy.py").touch()
    assert changed_files(repository, commit) == ["part/numpy.py"]
    write_repository(repository / "part", "CODE = 3\n")
    assert changed_files(repository, commit) == ["part"]


def test_an_object_that_does_not_have_its_own_hash_is_not_believed(repository: Path) -> None:
    tree = git(repository, "rev-parse", "HEAD^{tree}")
    other = repository.with_name("other")
    write_repository(other, "CODE = 4\n")
    forged = git(other, "rev-parse", "HEAD^{tree}")
    commit = _head(repository)
    place = repository / ".git" / "objects" / tree[:2] / tree[2:]
    place.unlink()
    shutil.copy(other / ".git" / "objects" / forged[:2] / forged[2:], place)
    with pytest.raises(UserError):
        changed_files(repository, commit)


@pytest.mark.slow
def test_objects_that_unfold_without_end_are_refused(repository: Path) -> None:
    tree = git(repository, "rev-parse", "HEAD^{tree}")
    for _ in range(40):  # 2 ** 40 files in forty-one small objects
        text = f"040000 tree {tree}\ta\n040000 tree {tree}\tb\n"
        made = subprocess.run(["git", "mktree"], cwd=repository, input=text, capture_output=True, text=True, check=True)
        tree = made.stdout.strip()
    commit = git(repository, "commit-tree", tree, "-m", "endless")
    with pytest.raises(UserError, match="has more than 131,072 files"):
        changed_files(repository, commit)
