"""Running git: its words are kept, and nothing that settings name is run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.sources.git import find, git, head
from tests.support import git_libraries
from tests.support.git_libraries import exported

# Running git: its words are kept, and nothing that settings name is run.


def test_what_git_prints_is_returned(repository: Path) -> None:
    assert git(repository, "rev-parse", "--is-inside-work-tree") == b"true\n"


def test_a_failure_is_told_in_gits_own_words(repository: Path) -> None:
    with pytest.raises(UserError, match="git says: ") as refused:
        git(repository, "cat-file", "-e", "no-such-branch")
    assert str(repository) in refused.value.message and "no-such-branch" in refused.value.message


def test_without_git_the_next_step_is_named(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository / "nothing"))
    with pytest.raises(UserError, match="git is not there") as refused:
        git(repository, "status")
    assert "install git" in refused.value.hint


def test_git_dir_does_not_point_elsewhere(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = git(repository, "rev-parse", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "no-repository"))
    assert git(repository, "rev-parse", "HEAD") == expected


def test_git_is_given_no_credentials_and_no_settings_of_the_user(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".gitconfig").write_text("[alias]\n\tenv = !env\n")
    git_libraries.git(repository, "config", "alias.env", "!env")  # of our own repository, as a spy
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("A_TOKEN", "a-secret")
    monkeypatch.setenv("SSH_AUTH_SOCK", str(tmp_path / "agent"))
    told = git(repository, "env").decode()
    assert "a-secret" not in told and "agent" not in told and f"HOME={tmp_path}" not in told
    assert str(tmp_path / ".gitconfig") not in git(repository, "config", "--list", "--show-origin").decode()
    # Where a network is asked, the agent that holds keys for ssh is at hand.
    assert "agent" in git(repository, "env", protocols="https:ssh").decode()


def test_a_monitor_that_the_repository_configures_is_not_run(repository: Path, tmp_path: Path) -> None:
    monitor = tmp_path / "monitor.sh"
    monitor.write_text(f"#!/bin/sh\ntouch {tmp_path / 'was-run'}\n")
    monitor.chmod(0o755)
    git_libraries.git(repository, "config", "core.fsmonitor", str(monitor))
    git(repository, "status", "--porcelain")
    assert not (tmp_path / "was-run").exists()


# Git data read as files: which commit is checked out, however git wrote it down.


def test_a_branch_a_packed_branch_and_a_detached_head_name_the_commit(repository: Path) -> None:
    commit = git_libraries.git(repository, "rev-parse", "HEAD")
    assert head(repository) == commit
    git_libraries.git(repository, "pack-refs", "--all")
    assert head(repository) == commit
    git_libraries.git(repository, "checkout", "--quiet", "--detach")
    assert head(repository) == commit


def test_a_linked_worktree_has_a_head_of_its_own_and_shares_objects(repository: Path, tmp_path: Path) -> None:
    commit = git_libraries.git(repository, "rev-parse", "HEAD")
    git_libraries.git(repository, "worktree", "add", "--quiet", "-b", "other", str(tmp_path / "linked"))
    assert head(tmp_path / "linked") == commit
    found = find(tmp_path / "linked")
    assert found is not None and (found.common / "objects").resolve() == (repository / ".git" / "objects").resolve()


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
