"""What a command leaves running ends: with it, when it is told to, and with who started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from recsys_metric_audit.audit.environments.supervisor import dies_with_parent, supervised
from tests.support.fake_conversations import gone, wait_until

pytestmark = pytest.mark.slow  # processes of their own

DAEMON = """\
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open(sys.argv[1] + ".new", "w") as file:
            file.write(str(os.getpid()))
        os.rename(sys.argv[1] + ".new", sys.argv[1])
        os.execve("/bin/sleep", ["sleep", "600"], {})
    os._exit(0)
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
"""
"""Leaves a process running without a parent, in a session of its own and without a variable."""


def leaving(folder: Path, then: str = "") -> list[str]:
    return [sys.executable, "-c", f"{DAEMON}{then}", str(folder / "left")]


def left(folder: Path) -> int:
    assert wait_until((folder / "left").exists)
    return int((folder / "left").read_text())


@pytest.mark.parametrize(
    ("then", "code"),
    [("", 0), ("sys.exit(3)", 3), ("os.abort()", -6), ("os.kill(os.getpid(), 9)", -9), ("os.killpg(0, 15)", -15)],
)
def test_what_is_left_ends_with_the_command_whose_end_is_told(then: str, code: int, tmp_path: Path) -> None:
    assert (
        subprocess.run(supervised(leaving(tmp_path, then)), check=False, stderr=subprocess.DEVNULL).returncode == code
    )
    assert gone(left(tmp_path))


def test_all_ends_when_it_is_told_to(tmp_path: Path) -> None:
    process = subprocess.Popen(supervised(leaving(tmp_path, "time.sleep(600)")))
    daemon = left(tmp_path)
    (command,) = (each.pid for each in psutil.Process(process.pid).children() if each.pid != daemon)
    process.terminate()
    assert process.wait(60) == -9
    assert gone(daemon) and gone(command)


def test_all_ends_with_who_started_it(tmp_path: Path) -> None:
    pid = os.fork()
    if pid == 0:
        subprocess.Popen(supervised(leaving(tmp_path, "time.sleep(600)")), preexec_fn=dies_with_parent())
        time.sleep(600)
    daemon = left(tmp_path)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert wait_until(lambda: gone(daemon))


def test_who_waits_for_the_end_of_the_output_waits_for_no_orphan(tmp_path: Path) -> None:
    """An installer reads what a build prints until nobody can print any more."""
    waits = [sys.executable, "-c", f"import subprocess; subprocess.run({leaving(tmp_path)!r}, capture_output=True)"]
    assert subprocess.run(supervised(waits, orphans=True), timeout=60, check=False).returncode == 0
    assert gone(left(tmp_path))


def test_what_cannot_be_run_says_so(tmp_path: Path) -> None:
    done = subprocess.run(supervised([str(tmp_path)]), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (127, f"{tmp_path} cannot be run: Permission denied\n")
