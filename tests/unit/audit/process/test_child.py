"""A child: what it sees of the auditor's environment, and what is left when it has ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.process.child import STDERR_TAIL, Child, child_environment, command
from tests.support.fake_conversations import gone, wait_until


def test_a_child_sees_no_credentials_and_no_python_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SECRET_TOKEN", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "LANG"):
        monkeypatch.setenv(name, "kept?")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("TMPDIR", "/some/tmp")
    python = tmp_path / "env" / "bin" / "python"
    python.parent.mkdir(parents=True)
    (tmp_path / "env" / "ready.json").touch()
    assert child_environment(python, tmp_path / "control", 3) == {
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "LANG": "kept?",
        "TMPDIR": "/some/tmp",
        "HOME": str(tmp_path / "control"),
        "PYTHONHASHSEED": "3",
        "NUMBA_CACHE_DIR": str(tmp_path / "env" / "cache" / "numba"),
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "NUMBA_NUM_THREADS": "1",
        "POLARS_MAX_THREADS": "1",
    }


def test_nothing_is_written_into_an_environment_of_somebody_else(tmp_path: Path) -> None:
    python = tmp_path / "env" / "bin" / "python"
    python.parent.mkdir(parents=True)
    (tmp_path / "env" / "pyvenv.cfg").touch()
    seen = child_environment(python, tmp_path / "control")
    assert seen["PYTHONDONTWRITEBYTECODE"] == "1"
    assert seen["NUMBA_CACHE_DIR"] == str(tmp_path / "control" / "cache" / "numba")


def test_the_command_runs_the_harness_on_the_control_directory() -> None:
    given = command(Path("/env/bin/python"), Path("/control"), Path("/audit/harness.py"))
    assert given == ["/env/bin/python", "/audit/harness.py", "/control"]


def started(tmp_path: Path, code: str) -> Child:
    """Start a child whose harness is `code`."""
    control = tmp_path / "control"
    control.mkdir()
    (tmp_path / "harness.py").write_text(code)
    return Child(Path(sys.executable), tmp_path / "harness.py", control, 0)


@pytest.mark.slow  # a process of its own
def test_the_exit_code_and_the_end_of_stderr_are_kept(tmp_path: Path) -> None:
    child = started(tmp_path, f"import sys\nsys.stderr.write('x' * {STDERR_TAIL} + 'last words')\nsys.exit(5)\n")
    assert child.exit_code(60) == 5
    assert len(child.stderr_tail()) == STDERR_TAIL and child.stderr_tail().endswith("xlast words")
    child.end()
    child.logs[1].unlink()
    assert child.stderr_tail() == ""


@pytest.mark.slow  # a process of its own
def test_a_running_child_has_no_exit_code_and_its_memory_is_counted(tmp_path: Path) -> None:
    child = started(tmp_path, "import time\nopen('begun', 'w').close()\ntime.sleep(600)\n")
    try:
        assert wait_until((tmp_path / "control" / "begun").exists)
        assert child.exit_code(0) is None
        assert wait_until(lambda: child.resident_bytes() > 1_000_000)
    finally:
        child.end()
    assert child.exit_code(0) == -9
    assert gone(child.process.pid)
    assert child.resident_bytes() == 0


@pytest.mark.slow  # processes of their own
def test_nothing_is_started_that_could_not_be_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pids() -> list[int]:
        raise IndexError  # what psutil raises without /proc

    monkeypatch.setattr("psutil.pids", pids)
    with pytest.raises(UserError, match="/proc shows no processes"):
        started(tmp_path, "")


def test_a_child_dies_with_an_auditor_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "harness.py").write_text("import time\ntime.sleep(600)\n")
    (tmp_path / "control").mkdir()
    code = (
        "import sys, time; from pathlib import Path; from recsys_metric_audit.audit.process.child import Child\n"
        f"child = Child(Path(sys.executable), Path({str(tmp_path / 'harness.py')!r}), "
        f"Path({str(tmp_path / 'control')!r}), 0)\n"
        "print(child.process.pid, flush=True); time.sleep(600)\n"
    )
    auditor = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert auditor.stdout is not None
    child = int(auditor.stdout.readline())
    assert not gone(child)
    auditor.send_signal(signal.SIGKILL)
    auditor.communicate(timeout=20)
    assert wait_until(lambda: gone(child))
