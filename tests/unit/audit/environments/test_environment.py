"""Environments: built once and whole, or not at all; each failure in its own words."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment as e
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from tests.support.fake_libraries import HERE, FakeUv, write_library, write_lock_by_hand

pytestmark = pytest.mark.slow  # processes of their own, or whole audits

Library = tuple[Manifest, Version]


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


def test_an_environment_whose_python_was_removed_is_built_again(library: Library) -> None:
    built = e.ensure(*library)
    built.python.unlink()
    built.python.symlink_to("/nowhere/python")
    assert e.state(*library) == "missing"
    assert e.ensure(*library).python.exists()


@pytest.mark.parametrize(("given", "below"), [("/abs", "/abs"), ("", "/home/me/.cache"), ("rel", "/home/me/.cache")])
def test_where_environments_are(monkeypatch: pytest.MonkeyPatch, given: str, below: str) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    assert e.root() == Path(below) / "recsys-metric-audit" / "environments"
