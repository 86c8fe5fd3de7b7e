"""Processes that left everything behind but their home folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments.left_running import end_left_running

pytestmark = pytest.mark.slow  # processes of their own
ASLEEP = [sys.executable, "-c", "print('begun', flush=True); import time; time.sleep(600)"]


def begun(home: Path) -> subprocess.Popen[str]:
    """Start a process in a session of its own, and wait until it has begun."""
    process = subprocess.Popen(
        ASLEEP, env={**os.environ, "HOME": str(home)}, start_new_session=True, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    return process


def test_a_session_of_its_own_is_ended_and_that_of_another_home_is_not(tmp_path: Path) -> None:
    mine, other = begun(tmp_path / "home"), begun(tmp_path / "home2")
    try:
        end_left_running(tmp_path / "home")
        assert mine.wait(30) == -9
        assert other.poll() is None
    finally:
        for each in (mine, other):
            each.kill()
            each.communicate()
