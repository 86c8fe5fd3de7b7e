"""The report folder: three files, written all or none."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.writers.report_folder import write_report
from tests.support.result_samples import result


def test_a_report_is_three_files_and_nothing_beside_them(tmp_path: Path) -> None:
    paths = write_report(result(), tmp_path / "deep" / "report")
    assert [path.name for path in paths] == ["audit.json", "index.html", "tables.md"]
    assert sorted(path.name for path in paths[0].parent.iterdir()) == ["audit.json", "index.html", "tables.md"]
    assert paths[1].read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_full_disk_leaves_the_old_report_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_report(result(), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    calls = []

    def full(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ReportError, match="No space left on device") as caught:
        write_report(result(tool="9.9.9"), tmp_path)
    assert "--out" in caught.value.hint
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
