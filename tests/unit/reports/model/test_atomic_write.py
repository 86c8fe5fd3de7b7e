"""Atomic writing: all files or none, and no leftovers."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from reports.model.atomic_write import write_file, write_files
from reports.model.report_error import ReportError


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
