"""The search for a Python: its order, and what it does not believe."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import interpreter
from recsys_metric_audit.audit.environments.interpreter import (
    MissingInterpreterError,
    find_python,
    variable,
    version_of,
)
from tests.support.fake_conversations import gone, wait_until
from tests.support.fake_libraries import HERE, FakeUv


def fake_python(path: Path, says: str, code: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {says}\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeUv:
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv(variable("3.7"), raising=False)
    return FakeUv(tmp_path, monkeypatch)


def test_a_named_interpreter_is_taken_without_search(
    uv: FakeUv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = fake_python(tmp_path / "p", "3.7")
    monkeypatch.setenv("AUDIT_PYTHON_3_7", str(python))
    assert find_python("3.7") == python
    other = fake_python(tmp_path / "q", "3.7")
    assert find_python("3.7", explicit=other) == other
    assert uv.told() == []


@pytest.mark.parametrize(("says", "code", "what"), [("3.8", 0, "is Python 3.8"), ("3.7", 1, "does not run")])
def test_a_named_interpreter_that_is_not_the_one_is_refused(
    uv: FakeUv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, code: int, what: str
) -> None:
    fake_python(tmp_path / "pyenv" / "versions" / "3.7.1" / "bin" / "python3.7", "3.7")
    monkeypatch.setenv("AUDIT_PYTHON_3_7", str(fake_python(tmp_path / "p", says, code)))
    with pytest.raises(MissingInterpreterError, match=what) as caught:
        find_python("3.7")
    assert "AUDIT_PYTHON_3_7" in caught.value.hint


def test_the_home_of_an_unknown_user_is_refused_with_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_PYTHON_3_7", "~no_such_user_here/python")
    with pytest.raises(MissingInterpreterError, match="does not run") as caught:
        find_python("3.7")
    assert "AUDIT_PYTHON_3_7" in caught.value.hint


def test_uvs_own_search_comes_before_pyenv(uv: FakeUv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_python(tmp_path / "pyenv" / "versions" / "3.7.1" / "bin" / "python3.7", "3.7")
    monkeypatch.setenv("FAKE_PYTHON", str(fake_python(tmp_path / "found", "3.7")))
    assert find_python("3.7") == tmp_path / "found"
    (call,) = uv.told()
    assert call["argv"] == ["python", "find", "--no-python-downloads", "--system", "3.7"]


def test_a_launcher_that_does_not_run_is_passed_over(
    uv: FakeUv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shim = fake_python(tmp_path / "shims" / "python3.7", "command not found", 127)
    monkeypatch.setenv("FAKE_PYTHON", str(shim))
    real = fake_python(tmp_path / "pyenv" / "versions" / "3.7.1" / "bin" / "python3.7", "3.7")
    assert find_python("3.7") == real


def test_pyenvs_newest_patch_release_that_runs(uv: FakeUv, tmp_path: Path) -> None:
    versions = tmp_path / "pyenv" / "versions"
    for folder, code in (("3.7.9", 0), ("3.7.16", 0), ("3.7.17", 1), ("3.70.1", 0), ("3.7-dev", 0)):
        fake_python(versions / folder / "bin" / "python3.7", "3.7", code)
    assert find_python("3.7") == versions / "3.7.16" / "bin" / "python3.7"


def test_pyenv_is_found_at_home_without_its_variable(
    uv: FakeUv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYENV_ROOT")
    real = fake_python(tmp_path / "home" / ".pyenv" / "versions" / "3.7.1" / "bin" / "python3.7", "3.7")
    assert find_python("3.7") == real


def test_the_running_python_serves_where_uv_finds_none(uv: FakeUv) -> None:
    assert version_of(find_python(HERE)) == HERE
    assert len(uv.told()) == 1


def test_none_at_all(uv: FakeUv) -> None:
    with pytest.raises(MissingInterpreterError, match=r"Python 3\.7 is not on this machine$") as caught:
        find_python("3.7", download=False)
    assert "AUDIT_PYTHON_3_7=/path/to/python3.7" in caught.value.hint
    assert uv.calls("python", "install") == []


def test_a_download_is_the_last_resort(uv: FakeUv) -> None:
    with pytest.raises(MissingInterpreterError, match="nor to be downloaded"):
        find_python("3.7")
    assert [call["argv"][:2] for call in uv.told()] == [  # type: ignore[index]
        ["python", "find"], ["python", "install"], ["python", "find"],
    ]  # fmt: skip
    uv.fails("python install", "error: no network")
    with pytest.raises(MissingInterpreterError):
        find_python("3.7")
    assert len(uv.told()) == 5, "no search after a download that failed"


def test_version_of_asks_the_interpreter(tmp_path: Path) -> None:
    assert version_of(Path(sys.executable)) == HERE
    assert version_of(tmp_path / "missing") is None


def test_an_interpreter_that_hangs_is_ended_with_what_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher = tmp_path / "python"
    launcher.write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {tmp_path}/started\nwait\n")
    launcher.chmod(0o755)
    monkeypatch.setattr(interpreter, "_SECONDS", 0.3)
    assert version_of(launcher) is None
    started = int((tmp_path / "started").read_text())
    assert wait_until(lambda: gone(started))
