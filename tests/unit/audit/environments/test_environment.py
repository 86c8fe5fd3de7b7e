"""Hold environments: how they are built, at one time by many, with which interpreter, Java and index."""

from __future__ import annotations

import fcntl
import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment as e
from recsys_metric_audit.audit.environments import interpreter, package_index
from recsys_metric_audit.audit.environments.interpreter import (
    MissingInterpreterError,
    find_python,
    major_version,
    missing_java,
    variable,
    version_of,
)
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from tests.support.fake_conversations import gone, wait_until
from tests.support.fake_libraries import HERE, FakeUv, write_library, write_lock_by_hand

# Environments: built once and whole, or not at all; each failure in its own words.

Library = tuple[Manifest, Version]


def folders() -> list[str]:
    return sorted(path.name for path in e.root().iterdir() if path.is_dir())


@pytest.mark.slow
def test_built_once_then_only_used(library: Library, uv: FakeUv) -> None:
    said: list[str] = []
    assert e.state(*library) == "missing"
    built = e.ensure(*library, progress=said.append)
    assert e.state(*library) == "ready"
    assert folders() == [built.folder.name]
    assert built.folder.name.startswith("fake-1.2.0-")
    assert subprocess.run([built.python, "-c", "pass"], check=False).returncode == 0
    assert said == [
        f"creating an environment on Python {HERE}",
        "installing 2 distributions",
        "Resolved 2 packages in 1ms",
    ]
    calls = len(uv.told())
    assert e.ensure(*library, progress=said.append) == built
    assert (len(uv.told()), len(said)) == (calls, 3)


@pytest.mark.slow
def test_a_removed_environment_is_gone_and_can_be_built_again(library: Library) -> None:
    e.remove(*library)  # nothing is there yet
    folder = e.ensure(*library).folder
    (folder / "answers").mkdir()
    e.remove(*library)
    assert (e.state(*library), folders()) == ("missing", [])
    assert e.ensure(*library).folder == folder


@pytest.mark.slow
def test_what_uv_is_told(library: Library, uv: FakeUv, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", "/wheels")
    manifest, version = library
    e.ensure(manifest, version)
    (install,) = uv.calls("pip", "install")
    assert {"--require-hashes", "--no-deps", "--no-python-downloads"} <= set(install)
    assert install[install.index("--find-links") + 1] == "/wheels"
    assert uv.told()[-1]["input"] == manifest.lock_path(version).read_text()
    (venv,) = uv.calls("venv")
    assert "--relocatable" in venv
    assert venv[-1].endswith(".building")


@pytest.mark.slow
def test_what_needs_its_own_environment_to_be_built_in_comes_last(uv: FakeUv, tmp_path: Path) -> None:
    manifest, version = write_library(tmp_path / "fake", 'no_build_isolation = "setup.py calls pip"')
    write_lock_by_hand(manifest, version)
    e.ensure(manifest, version)
    before, after = (call for call in uv.told() if call["argv"][:2] == ["pip", "install"])
    assert ["numpy" in before["input"], "fake-metrics" in before["input"]] == [True, False]
    assert ["numpy" in after["input"], "fake-metrics" in after["input"]] == [False, True]
    assert "--hash=sha256:" in before["input"] and "--hash=sha256:" in after["input"]
    assert ["--no-build-isolation" in call["argv"] for call in (before, after)] == [False, True]
    assert all("--require-hashes" in call["argv"] for call in (before, after))


@pytest.mark.slow
def test_another_lock_is_another_environment(library: Library) -> None:
    manifest, version = library
    first = e.ensure(manifest, version).folder
    path = manifest.lock_path(version)
    path.write_text(path.read_text() + "# changed\n")
    assert e.state(manifest, version) == "missing"
    second = e.ensure(manifest, version).folder
    assert folders() == sorted({first.name, second.name})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("says", "found"),
    [
        ('openjdk version "17.0.15" 2025-04-15', None),
        ('openjdk version "1.8.0_392"', "the Java found here is 8"),
        (None, "JAVA_HOME is {home}, where none runs"),
    ],
)
def test_a_java_that_is_missing_or_too_old_is_named_with_the_next_step(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str | None, found: str | None
) -> None:
    manifest, version = library
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    if says is not None:
        java.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
        java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    needs = version.model_copy(update={"java": (11, 17)})
    if found is None:
        assert e.ensure(manifest, needs).python.exists()
        return
    with pytest.raises(e.BuildFailed, match="it runs on Java 11 or 17") as caught:
        e.ensure(manifest, needs)
    assert found.format(home=tmp_path / "jdk") in caught.value.reason
    assert "apt-get install openjdk-17-jre-headless" in caught.value.hint and "JAVA_HOME" in caught.value.hint


def half_built(place: Path) -> None:
    place.mkdir(parents=True)
    (place / "rubbish").touch()


@pytest.mark.slow
@pytest.mark.parametrize("mark", [None, "", "{", "[]", "[" * 200_000, '{"environment": "another", "python": "3.11"}'])
def test_a_folder_without_its_own_marker_is_built_again(library: Library, mark: str | None) -> None:
    place = e.ensure(*library).folder
    (place / "rubbish").touch()
    (place / e.MARKER).unlink() if mark is None else (place / e.MARKER).write_text(mark)
    half_built(place.with_name(f"{place.name}.building"))
    assert e.state(*library) == "missing"
    assert e.ensure(*library).folder == place
    assert not (place / "rubbish").exists()
    assert folders() == [place.name]
    assert e.state(*library) == "ready"


@pytest.mark.slow
def test_an_environment_whose_python_was_removed_is_built_again(library: Library) -> None:
    built = e.ensure(*library)
    built.python.unlink()
    built.python.symlink_to("/nowhere/python")
    assert e.state(*library) == "missing"
    assert e.ensure(*library).python.exists()


@pytest.mark.slow
@pytest.mark.parametrize(("given", "below"), [("/abs", "/abs"), ("", "/home/me/.cache"), ("rel", "/home/me/.cache")])
def test_where_environments_are(monkeypatch: pytest.MonkeyPatch, given: str, below: str) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    assert e.root() == Path(below) / "recsys-metric-audit" / "environments"


# One environment for many: threads and processes wait for each other, and a killed build is cleared away.


@pytest.mark.slow
def test_threads_build_one_environment(library: Library, uv: FakeUv, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SECONDS", "0.3")
    built: list[e.Environment] = []
    threads = [threading.Thread(target=lambda: built.append(e.ensure(*library))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 4
    assert len(set(built)) == 1
    assert len(uv.calls("venv")) == 1


@pytest.mark.slow
def test_a_second_process_waits_and_says_so(library: Library, tmp_path: Path) -> None:
    place = e.ensure(*library).folder
    shutil.rmtree(place)
    said: list[str] = []
    with place.with_name(f"{place.name}.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        waiting = threading.Thread(target=lambda: e.ensure(*library, progress=said.append))
        waiting.start()
        time.sleep(0.5)
        assert said == ["waiting for another process that builds it"]
        assert not place.exists()
    waiting.join()
    assert e.state(*library) == "ready"


BUILD = """
import sys
from pathlib import Path
import recsys_metric_audit.audit.environments.uv
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries import manifest
recsys_metric_audit.audit.environments.uv.command = lambda: [sys.executable, sys.argv[2]]
one = manifest.load(Path(sys.argv[1]))
environment.ensure(one, one.versions[0])
"""


@pytest.mark.slow
def test_a_killed_build_is_cleared_away(library: Library, uv: FakeUv, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SECONDS", "1.5")
    builder = subprocess.Popen([sys.executable, "-c", BUILD, str(library[0].folder), str(uv.script)])
    deadline = time.monotonic() + 20
    while not uv.calls("pip", "install") and time.monotonic() < deadline:
        time.sleep(0.05)
    builder.send_signal(signal.SIGKILL)
    builder.wait()
    (left,) = folders()
    assert left.endswith(".building")
    (e.root() / left / "rubbish").touch()
    monkeypatch.setenv("FAKE_SECONDS", "0")
    said: list[str] = []
    built = e.ensure(*library, progress=said.append)
    assert said[0].startswith("waiting"), "the uv that outlived its parent still wrote there"
    assert folders() == [built.folder.name]
    assert not (built.folder / "rubbish").exists()
    assert json.loads((built.folder / e.MARKER).read_text())["environment"] == built.folder.name


# The search for a Python: its order, and what it does not believe.


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


def test_a_download_is_the_last_resort(uv: FakeUv) -> None:
    with pytest.raises(MissingInterpreterError, match="nor to be downloaded") as caught:
        find_python("3.7")
    assert "AUDIT_PYTHON_3_7=/path/to/python3.7" in caught.value.hint
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


# The Java of this machine: its major version, and what to do without the right one.


def install(folder: Path, says: str, code: int = 0) -> Path:
    """Put a Java into `folder` that reports `says`."""
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho '{says}' >&2\nexit {code}\n")
    java.chmod(0o755)
    return java


@pytest.mark.parametrize(
    ("says", "code", "major"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 0, 17),
        ('java version "1.8.0_392"', 0, 8),
        ('openjdk version "21" 2023-09-19', 0, 21),
        ("no version", 0, None),
        ('openjdk version "17.0.15"', 1, None),
    ],
)
def test_the_major_version_is_that_of_jep_223(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, code: int, major: int | None
) -> None:
    java = install(tmp_path, says, code)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert major_version() == major
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(java.parent))
    assert major_version() == major


def test_java_home_comes_before_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "home", 'openjdk version "11.0.2"')
    on_path = install(tmp_path / "path", 'openjdk version "17.0.2"')
    monkeypatch.setenv("PATH", str(on_path.parent))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    assert major_version() == 11
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nothing"))
    assert major_version() is None
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert major_version() is None


def test_what_is_missing_is_named_with_the_next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "home", 'openjdk version "11.0.2"')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    assert missing_java((8, 11)) is None
    assert missing_java((17,)) == (
        "it runs on Java 17, and the Java found here is 11",
        "install it (apt-get install openjdk-17-jre-headless) or set JAVA_HOME",
    )
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = missing_java((11, 17))
    assert found is not None and found[0] == "it runs on Java 11 or 17, and there is no Java on this machine"


# Releases: their order, their neighbours, and one that is not pinned, locked as its neighbour is.


def test_the_order_of_versions() -> None:
    assert package_index.ordered(["2.0", "10.0", "2.0rc1", "9.1.post1", "12345678"]) == [
        "12345678", "2.0rc1", "2.0", "9.1.post1", "10.0",
    ]  # fmt: skip
    assert package_index.nearest("2.0", ["1.0", "1.9", "2.1"]) == "1.9"
    assert package_index.nearest("0.5", ["1.0", "1.9"]) == "1.0"
    assert package_index.nearest("0.5", []) is None


def test_the_digits_of_a_commit_are_no_release_number() -> None:
    assert package_index.number("12345678") is None
    assert package_index.number("1e10abcd") is None
    assert package_index.number("not.a.number") is None
    assert str(package_index.number("1.0.post1")) == "1.0.post1"


@pytest.mark.slow  # a process of its own
def test_a_trial_takes_the_settings_of_its_neighbour_and_leaves_the_adapter_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeUv(tmp_path, monkeypatch)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    manifest, pinned = write_library(tmp_path / "fake", 'exclude_newer = "2021-10-01"\nno_deps = "broken"')
    before = sorted(manifest.folder.rglob("*"))
    later, release = package_index.trial(manifest, "1.3.0")
    assert (release.version, release.exclude_newer, release.no_deps) == ("1.3.0", None, "broken")
    assert later.lock_path(release).is_file()
    _, release = package_index.trial(manifest, "1.1.0")
    assert release.exclude_newer == pinned.exclude_newer
    assert sorted(manifest.folder.rglob("*")) == before


def test_a_library_from_a_repository_has_no_releases(tmp_path: Path) -> None:
    manifest, _ = write_library(tmp_path / "fake")
    source = manifest.source.model_copy(update={"package": None})
    with pytest.raises(UserError, match="comes from a repository"):
        package_index.on_index(manifest.model_copy(update={"source": source}), "3.11")
