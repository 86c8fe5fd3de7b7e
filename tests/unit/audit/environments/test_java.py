"""The Java of this machine: its major version, and what to do without the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments.java import major_version, missing_java


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
def test_the_major_version_is_that_of_jep_223(tmp_path: Path, says: str, code: int, major: int | None) -> None:
    java = install(tmp_path, says, code)
    assert major_version({"JAVA_HOME": str(tmp_path), "PATH": ""}) == major
    assert major_version({"PATH": str(java.parent)}) == major


def test_java_home_comes_before_path(tmp_path: Path) -> None:
    install(tmp_path / "home", 'openjdk version "11.0.2"')
    on_path = install(tmp_path / "path", 'openjdk version "17.0.2"')
    assert major_version({"JAVA_HOME": str(tmp_path / "home"), "PATH": str(on_path.parent)}) == 11
    assert major_version({"JAVA_HOME": str(tmp_path / "nothing"), "PATH": str(on_path.parent)}) is None
    assert major_version({"PATH": str(tmp_path)}) is None


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
