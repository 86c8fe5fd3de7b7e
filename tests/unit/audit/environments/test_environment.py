"""Environments: built once and whole, or not at all; each failure in its own words."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.environments import environment as e
from audit.libraries.manifest import Manifest, Version
from tests.support.fake_libraries import HERE, FakeUv, write_library, write_lock_by_hand

pytestmark = pytest.mark.slow  # processes of their own, or whole audits

Library = tuple[Manifest, Version]


@pytest.fixture
def uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeUv:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return FakeUv(tmp_path, monkeypatch)


@pytest.fixture
def library(uv: FakeUv, tmp_path: Path) -> Library:
    manifest, version = write_library(tmp_path / "fake")
    write_lock_by_hand(manifest, version)
    return manifest, version


def folders() -> list[str]:
    return sorted(path.name for path in e.root().iterdir() if path.is_dir())


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


def test_another_lock_is_another_environment(library: Library) -> None:
    manifest, version = library
    first = e.ensure(manifest, version).folder
    path = manifest.lock_path(version)
    path.write_text(path.read_text() + "# changed\n")
    assert e.state(manifest, version) == "missing"
    second = e.ensure(manifest, version).folder
    assert folders() == sorted({first.name, second.name})


def test_a_version_that_cannot_be_installed_says_why(library: Library) -> None:
    manifest, version = library
    pin = version.model_copy(update={"unavailable": "it was never built", "log": "error: gone"})
    assert e.state(manifest, pin) == "unavailable"
    with pytest.raises(e.BuildFailed, match="it was never built") as caught:
        e.ensure(manifest, pin)
    assert (caught.value.step, caught.value.log_tail) == ("pin", "error: gone")
    assert not e.root().exists()


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


@pytest.mark.parametrize("mark", [None, "", "{", "[]", '{"environment": "another", "python": "3.11"}'])
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


def test_an_environment_whose_python_was_removed_is_built_again(library: Library) -> None:
    built = e.ensure(*library)
    built.python.unlink()
    built.python.symlink_to("/nowhere/python")
    assert e.state(*library) == "missing"
    assert e.ensure(*library).python.exists()


REAL = {
    "network": (
        "error: Request failed after 3 retries in 9.3s\n"
        "  cause: Failed to fetch: https://me:pass@index.example/simple/six/\n  cause: dns error"
    ),
    "hashes": (
        "error: Failed to download `six==1.17.0`\n  cause: Hash mismatch for `six==1.17.0`\n\n"
        "         Expected:\n           sha256:47\n\n         Computed:\n           sha256:46"
    ),
    "disk": "error: Failed to install: a.whl\n  cause: failed to copy: No space left on device (os error 28)",
    "place": "error: No solution found\n  cause: Because there is no version of torch==2.13.0+cpu and you require",
    "other": "error: Failed to build `fake-metrics==1.2.0`",
    "denied": "error: Failed\n  cause: Failed to fetch: https://index.example/six/\n  cause: HTTP status (403)",
}


@pytest.mark.parametrize(
    ("kind", "reason", "hint"),
    [
        ("network", "no network, and the environment of fake==1.2.0 is not built yet", "audit run -l fake==1.2.0"),
        ("hashes", "six==1.17.0 has not the hash that {lock} holds", "audit lock fake"),
        ("disk", "no space left on the disk", "XDG_CACHE_HOME"),
        ("place", "torch==2.13.0+cpu, which {lock} holds, is in none of the places", "UV_FIND_LINKS"),
        ("other", "uv ended with exit code 1", "below"),
        ("denied", "uv ended with exit code 1", "below"),
    ],
)
def test_each_failure_has_its_words(library: Library, uv: FakeUv, kind: str, reason: str, hint: str) -> None:
    uv.fails("pip install", REAL[kind])
    with pytest.raises(e.BuildFailed) as caught:
        e.ensure(*library)
    failed = caught.value
    assert failed.step == "install"
    assert reason.format(lock=library[0].lock_path(library[1])) in failed.reason
    assert hint in failed.hint
    assert REAL[kind].splitlines()[0] in failed.log_tail
    assert "pass@" not in failed.log_tail
    assert folders() == []
    assert e.state(*library) == "missing"


def test_a_release_that_was_withdrawn_is_refused_and_named(library: Library, uv: FakeUv) -> None:
    said = 'warning: `six==1.17.0` is yanked (reason: "breaks everything")'
    uv.monkeypatch.setenv("FAKE_SAYS_pip_install", said)
    with pytest.raises(e.BuildFailed) as caught:
        e.ensure(*library)
    lock = library[0].lock_path(library[1])
    assert caught.value.reason == f"six==1.17.0 (breaks everything), which {lock} holds, was withdrawn by its authors"
    assert "audit lock fake" in caught.value.hint
    assert folders() == []


def test_a_build_that_failed_can_be_tried_again(library: Library, uv: FakeUv) -> None:
    uv.fails("pip install", REAL["network"])
    with pytest.raises(e.BuildFailed):
        e.ensure(*library)
    uv.monkeypatch.delenv("FAKE_FAILS_pip_install")
    assert e.ensure(*library).python.exists()


def test_no_interpreter(uv: FakeUv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    manifest, version = write_library(tmp_path / "fake", python="3.5")
    write_lock_by_hand(manifest, version)
    uv.fails("python install", "no")
    with pytest.raises(e.BuildFailed, match=r"Python 3\.5 is not on this machine") as caught:
        e.ensure(manifest, version)
    assert (caught.value.step, "AUDIT_PYTHON_3_5" in caught.value.hint) == ("interpreter", True)


def test_a_python_that_is_not_the_one_fails_the_check(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e, "version_of", lambda _: "3.5")
    with pytest.raises(e.BuildFailed, match=r"is Python 3\.5") as caught:
        e.ensure(*library)
    assert caught.value.step == "check"
    assert folders() == []


def test_a_cache_that_cannot_be_written(library: Library, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(e.BuildFailed, match="Not a directory") as caught:
        e.ensure(*library)
    assert (caught.value.step, "XDG_CACHE_HOME" in caught.value.hint) == ("prepare", True)


def test_a_disk_that_is_full_before_uv_starts(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("tempfile.TemporaryDirectory", full)
    monkeypatch.setattr(e, "find_python", lambda _: Path(sys.executable))
    with pytest.raises(e.BuildFailed, match="no space left on the disk"):
        e.ensure(*library)


def stale(manifest: Manifest, version: Version) -> None:
    path = manifest.lock_path(version)
    before = path.read_text()
    path.write_text(before.replace(before.split()[1], f"sha256:{'0' * 64}", 1))


def foreign(manifest: Manifest, version: Version) -> None:
    path = manifest.lock_path(version)
    head, *rest = path.read_text().splitlines()
    path.write_text("\n".join([f"{head.rpartition(' ')[0]} plan9-mips", *rest]) + "\n")


@pytest.mark.parametrize(
    ("spoil", "state", "reason"),
    [
        (lambda m, v: m.lock_path(v).unlink(), "no lock", "there is no such lock"),
        (lambda m, v: m.lock_path(v).write_text("six"), "bad lock", "line 1 is not the digest of a lock"),
        (stale, "bad lock", "library.toml has changed since it was made"),
        (foreign, "bad lock", "is for plan9-mips, this machine is"),
    ],
)
def test_no_environment_without_a_lock_that_fits(
    library: Library, uv: FakeUv, spoil: Callable[[Manifest, Version], None], state: str, reason: str
) -> None:
    spoil(*library)
    assert e.state(*library) == state
    with pytest.raises(e.BuildFailed, match=reason) as caught:
        e.ensure(*library)
    assert (caught.value.step, "audit lock fake" in caught.value.hint) == ("lock", True)
    assert uv.told() == []


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
import audit.environments.uv
from audit.environments import environment
from audit.libraries import manifest
audit.environments.uv.command = lambda: [sys.executable, sys.argv[2]]
one = manifest.load(Path(sys.argv[1]))
environment.ensure(one, one.versions[0])
"""


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


@pytest.mark.parametrize(("given", "below"), [("/abs", "/abs"), ("", "/home/me/.cache"), ("rel", "/home/me/.cache")])
def test_where_environments_are(monkeypatch: pytest.MonkeyPatch, given: str, below: str) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    assert e.root() == Path(below) / "recsys-metric-audit" / "environments"
