"""Git data read as files: which commit is checked out, however git wrote it down."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.sources.git_data import find, head
from tests.support.git_libraries import exported, git


def test_a_branch_a_packed_branch_and_a_detached_head_name_the_commit(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    assert head(repository) == commit
    git(repository, "pack-refs", "--all")
    assert head(repository) == commit
    git(repository, "checkout", "--quiet", "--detach")
    assert head(repository) == commit


def test_a_linked_worktree_has_a_head_of_its_own_and_shares_objects(repository: Path, tmp_path: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    git(repository, "worktree", "add", "--quiet", "-b", "other", str(tmp_path / "linked"))
    assert head(tmp_path / "linked") == commit
    found = find(tmp_path / "linked")
    assert found is not None and found.objects.resolve() == (repository / ".git" / "objects").resolve()


def test_an_exported_tree_has_no_commit(repository: Path, tmp_path: Path) -> None:
    assert head(exported(repository, tmp_path / "exported")) is None


@pytest.mark.parametrize("text", ["", "ref: refs/heads/none", "ref: HEAD", "ref: ../../secret", "x" * 100])
def test_a_head_that_names_no_commit_is_said(repository: Path, text: str) -> None:
    (repository / ".git" / "HEAD").write_text(text)
    with pytest.raises(UserError, match="its git data cannot be read: HEAD names no commit") as told:
        head(repository)
    assert "export the tree" in told.value.hint


@pytest.mark.parametrize("name", ["HEAD", "refs/heads/pipe", "packed-refs"])
def test_a_pipe_in_place_of_a_file_does_not_wait_for_a_writer(repository: Path, name: str) -> None:
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/pipe")
    (repository / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(repository / ".git" / name)
    with pytest.raises(UserError, match="HEAD names no commit"):
        head(repository)


@pytest.mark.parametrize("text", ["nothing", "gitdir: /nowhere/at/all"])
def test_a_git_file_that_leads_nowhere_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text)
    with pytest.raises(UserError, match="its git data cannot be read"):
        head(tmp_path)
