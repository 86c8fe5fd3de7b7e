"""The check of a wheel stops at the first command that does not end as it should."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from recsys_metric_audit.audit.libraries.discovery import adapters_dir

SCRIPT = runpy.run_path(str(adapters_dir().parent / "tests" / "wheel" / "check_wheel.py"), run_name="check_wheel")


@pytest.fixture
def checked(tmp_path: Path) -> Any:
    """Make a check whose environment has one command: it prints where it is, and ends with the code that it is told."""
    made = object.__new__(SCRIPT["Checked"])
    made.bin, made.work, made.env = tmp_path, tmp_path / "work", {}
    made.work.mkdir()
    (tmp_path / "tool").write_text("#!/bin/sh\npwd\nexit $1\n")
    (tmp_path / "tool").chmod(0o755)
    return made


def test_a_command_runs_in_a_folder_of_its_own(checked: Any) -> None:
    assert checked.run("tool", "0").strip() == str(checked.work)
    assert checked.run("tool", "1", fails=True).strip() == str(checked.work)


@pytest.mark.parametrize(("code", "fails"), [("1", False), ("0", True), ("2", True)])
def test_another_end_stops_the_check(code: str, fails: bool, checked: Any) -> None:
    with pytest.raises(SystemExit, match=f"it ended with {code}"):
        checked.run("tool", code, fails=fails)


def test_what_is_not_so_stops_the_check(checked: Any) -> None:
    checked.holds(True, "water is wet")
    with pytest.raises(SystemExit, match="not so: water is dry"):
        checked.holds(False, "water is dry")


@pytest.mark.parametrize("words", [[], ["a.tar.gz"], ["missing.whl"], ["a.whl", "b.whl"]])
def test_it_wants_a_wheel(words: list[str]) -> None:
    with pytest.raises(SystemExit, match="usage"):
        SCRIPT["main"](words)
