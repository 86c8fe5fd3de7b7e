"""Atomic writing: all files or none, and no leftovers."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from recsys_metric_audit.reports.model.atomic_write import remove_abandoned, replace_file, write_file, write_files
from recsys_metric_audit.reports.model.report_error import ReportError


def test_a_missing_folder_is_made_and_text_is_utf_8(tmp_path: Path) -> None:
    write_file("é\n", tmp_path / "deep" / "a.txt")
    write_file(b"\x80", tmp_path / "deep" / "b.bin")
    assert (tmp_path / "deep" / "a.txt").read_bytes() == b"\xc3\xa9\n"
    assert (tmp_path / "deep" / "b.bin").read_bytes() == b"\x80"


def test_a_failure_replaces_no_file_and_leaves_none_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {"a": "old a", "b": "old b"})

    def full(descriptor: int) -> None:
        if os.fstat(descriptor).st_size == len("b is longer"):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ReportError, match="No space left on device"):
        write_files(tmp_path, {"a": "new a", "b": "b is longer"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old a", "b": "old b"}


@pytest.mark.parametrize("blocked", ["a", "b", "c"])
def test_a_folder_in_the_way_of_one_file_leaves_all_as_they_were(tmp_path: Path, blocked: str) -> None:
    for name in {"a", "b", "c"} - {blocked}:
        (tmp_path / name).write_text(f"old {name}")
    (tmp_path / blocked / "mine").mkdir(parents=True)
    with pytest.raises(ReportError, match=f"{tmp_path / blocked} cannot be written: Is a directory"):
        write_files(tmp_path, {"a": "new a", "b": "new b", "c": "new c"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir() if path.is_file()} == {
        name: f"old {name}" for name in {"a", "b", "c"} - {blocked}
    }


def test_a_folder_in_the_way_leaves_no_part_of_a_first_report(tmp_path: Path) -> None:
    (tmp_path / "b" / "mine").mkdir(parents=True)
    with pytest.raises(ReportError, match="Is a directory"):
        write_files(tmp_path, {"a": "new a", "b": "new b"})
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_files_are_replaced_where_the_disk_gives_a_file_one_name_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    write_files(tmp_path, {"a": "old a", "b": "old b"})
    monkeypatch.setattr(os, "link", refuse)
    write_files(tmp_path, {"a": "new a", "b": "new b"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "new a", "b": "new b"}


def test_a_full_disk_is_named_by_the_file_that_was_written(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    (tmp_path / f".a.{os.getpid()}.new").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device") as told:
        replace_file(tmp_path / "a", "text")
    assert Path(str(told.value.filename)).parent == tmp_path


@pytest.fixture
def ended() -> int:
    """Return the number of a process that has ended."""
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def leave(folder: Path, name: str, hours: float = 1.0) -> Path:
    path = folder / name
    path.write_text("half")
    then = time.time() - 3600 * hours
    os.utime(path, (then, then))
    return path


def test_what_a_killed_writer_left_is_removed_by_the_next_one(tmp_path: Path, ended: int) -> None:
    new, old = (leave(tmp_path, f".a.json.{ended}.{end}") for end in ("new", "old"))
    replace_file(tmp_path / "a.json", "whole")
    assert not new.exists() and not old.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_files_of_others_and_of_writers_at_work_stay(tmp_path: Path, ended: int) -> None:
    kept = [
        leave(tmp_path, f".a.json.{os.getppid()}.new"),  # its process runs
        leave(tmp_path, f".a.json.{ended}.new", hours=0.0),  # another machine may write it at this moment
        leave(tmp_path, f".b.json.{ended}.new"),  # of another file
        leave(tmp_path, f".a.json.{ended}.new.txt"), leave(tmp_path, f"a.json.{ended}.new"),
        leave(tmp_path, ".a.json.0.new"), leave(tmp_path, ".a.json.1.new"), leave(tmp_path, ".a.json.x.new"),
    ]  # fmt: skip
    replace_file(tmp_path / "a.json", "whole")
    assert [path for path in kept if not path.exists()] == []


def test_in_a_folder_of_ours_leftovers_of_any_name_go(tmp_path: Path, ended: int) -> None:
    gone, kept = leave(tmp_path, f".b.json.{ended}.new"), leave(tmp_path, "b.json")
    remove_abandoned(tmp_path)
    assert not gone.exists() and kept.exists()


def test_a_link_that_lies_in_the_way_is_removed_and_not_followed(tmp_path: Path, ended: int) -> None:
    target = leave(tmp_path, "precious")
    link = tmp_path / f".a.{ended}.new"
    link.symlink_to(target)
    os.utime(link, (0, 0), follow_symlinks=False)
    replace_file(tmp_path / "a", "whole")
    assert not link.is_symlink() and target.read_text() == "half"
