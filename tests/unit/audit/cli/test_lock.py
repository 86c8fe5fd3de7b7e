"""``audit lock --check``: which lock is stale, and which belongs to no version."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from tests.support.command_line import audit


@pytest.mark.slow
def test_locking_leaves_out_what_cannot_be_had(mine: list[str]) -> None:
    done = audit("lock", "mine==1", *mine)
    assert (done.exit_code, "no lock: it was taken back" in done.stderr) == (0, True)
    assert "0 locks are in order" in audit("lock", "--check", "mine==1", *mine).stdout


def test_lock_check_names_the_stale_lock(tmp_path: Path) -> None:
    mine = tmp_path / "more" / "mine"
    shutil.copytree(adapters_dir() / "rs_metrics", mine)
    assert audit("lock", "--check", "mine", "--adapters", "more").exit_code == 0
    text = (mine / "library.toml").read_text()
    (mine / "library.toml").write_text(text.replace('"pandas<3"', '"pandas<2"'))
    done = audit("lock", "--check", "mine==0.6.0", "--adapters", "more")
    assert done.exit_code == 2
    assert "0.6.0.txt: stale" in done.stderr
    assert "audit lock" in done.stderr


def test_lock_check_names_a_lock_of_no_pinned_version(tmp_path: Path) -> None:
    mine = tmp_path / "more" / "mine"
    shutil.copytree(adapters_dir() / "rs_metrics", mine)
    shutil.copy(mine / "locks" / "0.6.0.txt", mine / "locks" / "0.7.0.txt")
    assert audit("lock", "--check", "mine==0.6.0", "--adapters", "more").exit_code == 0
    done = audit("lock", "--check", "mine", "--adapters", "more")
    assert done.exit_code == 2
    assert "0.7.0.txt: of a version that library.toml does not pin" in done.stderr
