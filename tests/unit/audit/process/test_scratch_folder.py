"""Temporary folders: removed at the end, and by the next process where their own was killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from recsys_metric_audit.audit.process import scratch_folder as scratch

OLD = 120.0


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def age(folder: Path) -> None:
    then = folder.stat().st_mtime - OLD
    os.utime(folder, (then, then))


def test_a_folder_is_removed_at_the_end_with_all_that_is_in_it() -> None:
    with scratch.scratch_folder() as folder:
        (folder / "control").mkdir()
        (folder / "control" / "request.json").write_text("{}")
    assert not folder.exists()


@pytest.mark.parametrize("levels", [900, 2000])  # more than a process may have files open; more than Python goes down
def test_a_tree_of_any_depth_is_removed(levels: int) -> None:
    with scratch.scratch_folder() as folder:
        at = os.open(folder, os.O_RDONLY)
        for _ in range(levels):
            os.mkdir("d" * 20, dir_fd=at)
            below = os.open("d" * 20, os.O_RDONLY, dir_fd=at)
            os.close(at)
            at = below
        os.close(at)
    assert not folder.exists()


def test_a_folder_is_removed_if_what_is_done_in_it_fails() -> None:
    with pytest.raises(ValueError, match="wrong"), scratch.scratch_folder() as folder:
        raise ValueError("wrong")
    assert not folder.exists()


def test_a_folder_that_is_in_use_is_left_however_old_it_is() -> None:
    with scratch.scratch_folder() as folder:
        age(folder)
        scratch.remove_abandoned()
        assert folder.exists()


def test_a_young_folder_without_a_lock_is_left_and_an_old_one_removed(tmp_path: Path) -> None:
    young, old, foreign = (tmp_path / name for name in (f"{scratch.PREFIX}young", f"{scratch.PREFIX}old", "foreign"))
    for folder in (young, old, foreign):
        folder.mkdir()
    age(old)
    age(foreign)
    scratch.remove_abandoned()
    assert (young.exists(), old.exists(), foreign.exists()) == (True, False, True)


def test_memory_is_a_place_unless_somebody_chose_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = tmp_path / "memory"
    monkeypatch.setattr(scratch, "_MEMORY", memory)
    monkeypatch.setattr(scratch, "_USUAL", tmp_path)
    assert scratch.place_in_memory() is None, "there is none"
    memory.mkdir()
    assert scratch.place_in_memory() == memory
    monkeypatch.setattr(scratch, "_USUAL", tmp_path / "elsewhere")
    assert scratch.place_in_memory() is None


def test_what_was_left_in_memory_is_removed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    monkeypatch.setattr(scratch, "_MEMORY", memory)
    monkeypatch.setattr(scratch, "_USUAL", tmp_path)
    old, foreign = memory / f"{scratch.PREFIX}old", memory / "foreign"
    for folder in (old, foreign):
        folder.mkdir()
        age(folder)
    with scratch.scratch_folder(memory) as made:
        assert made.parent == memory
        assert (old.exists(), foreign.exists()) == (False, True)
    assert not made.exists()


@pytest.mark.slow
def test_the_folder_of_a_killed_process_is_removed_by_the_next(tmp_path: Path) -> None:
    code = (
        "import time\n"
        "from recsys_metric_audit.audit.process.scratch_folder import ScratchFolder\n"
        "print(ScratchFolder().path, flush=True)\n"
        "time.sleep(60)\n"
    )
    made = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    assert made.stdout is not None
    folder = Path(made.stdout.readline().strip())
    age(folder)
    scratch.remove_abandoned()
    assert folder.exists(), "its process lives"
    made.send_signal(signal.SIGKILL)
    made.communicate(timeout=20)
    assert folder.exists()
    scratch.remove_abandoned()
    assert not folder.exists()


def test_an_interrupt_while_a_folder_is_removed_comes_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    remove = shutil.rmtree

    def interrupted(folder: Path, **options: bool) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        remove(folder, **options)

    folder = scratch.ScratchFolder()
    (folder.path / "something").write_text("here")
    monkeypatch.setattr(shutil, "rmtree", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in the background
    try:
        with pytest.raises(KeyboardInterrupt):
            folder.remove()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert not folder.path.exists()
