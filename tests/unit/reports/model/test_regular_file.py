"""Files that somebody names are read whole, and never waited for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recsys_metric_audit.reports.model import regular_file
from recsys_metric_audit.reports.model.regular_file import read_regular, read_regular_text


def test_the_content_is_read_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes("é\r\nb\rc\n".encode())
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "link") == b"\xc3\xa9\r\nb\rc\n"
    assert read_regular_text(tmp_path / "link") == "é\nb\rc\n"


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for path, words in (
        (tmp_path / "pipe", "pipe or a device"), (Path("/dev/zero"), "pipe or a device"), (tmp_path, "directory"),
        (tmp_path / "loop", "symbolic links"), (tmp_path / "none", "No such file"),
    ):  # fmt: skip
        with pytest.raises(OSError, match=words):
            read_regular(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    monkeypatch.setattr(regular_file, "LARGEST", 4)
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_regular(tmp_path / "file")
