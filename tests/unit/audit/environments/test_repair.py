"""Environments that are ready and damaged: what is damaged is found and built again; what is whole is let be."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment as e
from recsys_metric_audit.audit.environments.repair import find_damage, repair
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from tests.support.fake_libraries import HERE, FakeUv

pytestmark = pytest.mark.slow  # each builds an environment

Library = tuple[Manifest, Version]


def silent(line: str) -> None:
    """Take a step of a build."""


def install(built: e.Environment) -> Path:
    """Put a distribution of one module, one data file and compiled code into an environment; return their folder."""
    (packages,) = built.folder.glob("lib/python*/site-packages")
    (packages / "pkg-1.dist-info").mkdir()
    rows = []
    for name, content in (("pkg.py", b"x = 1\n"), ("pkg, data.bin", bytes(range(256)))):
        (packages / name).write_bytes(content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f'"{name}",sha256={digest},{len(content)}')
    rows += ["pkg.pyc,,", "pkg-1.dist-info/RECORD,,"]  # of these nothing is recorded
    (packages / "pkg-1.dist-info" / "RECORD").write_text("\n".join(rows) + "\n")
    return packages


def _replace(path: Path, content: bytes) -> None:
    path.unlink()
    path.write_bytes(content)
    path.chmod(0o755)


DAMAGES: list[tuple[Callable[[e.Environment, Path], object], str]] = [
    (lambda built, packages: (packages / "pkg.py").unlink(), "pkg.py changed since it was installed"),
    (lambda built, packages: (packages / "pkg.py").write_bytes(b"x = 2\n"), "pkg.py changed"),
    (lambda built, packages: (packages / "pkg.py").write_bytes(b""), "pkg.py changed"),
    (lambda built, packages: (packages / "pkg-1.dist-info" / "RECORD").write_bytes(b"\xff"), "pkg-1.dist-info"),
    (lambda built, packages: _replace(built.python, b"#!/bin/sh\nexit 1\n"), "its Python does not run"),
    (lambda built, packages: _replace(built.python, b"#!/bin/sh\necho 2.7\n"), "its Python is 2.7"),
    (lambda built, packages: _replace(built.python, b"\0"), "its Python does not run"),
]


def test_every_damage_is_found_and_nothing_else(library: Library) -> None:
    built = e.ensure(*library)
    packages = install(built)
    assert find_damage(built, HERE) == ""
    (packages / "pkg.pyc").write_bytes(b"compiled anew")
    (packages / "made_at_run_time.txt").touch()
    assert find_damage(built, HERE) == ""
    (packages / "pkg.py").unlink()
    (packages / "pkg, data.bin").unlink()
    assert find_damage(built, HERE) == "pkg.py and 1 more files changed since it was installed"


@pytest.mark.parametrize(("damage", "words"), DAMAGES)
def test_what_is_damaged_is_built_again(
    damage: Callable[[e.Environment, Path], object], words: str, library: Library, uv: FakeUv
) -> None:
    built = e.ensure(*library)
    damage(built, install(built))
    said: list[str] = []
    assert words in repair(*library, built, said.append)
    assert "building it again" in said[0] and words in said[0]
    assert len(uv.calls("venv")) == 2
    assert find_damage(built, HERE) == "" and e.state(*library) == "ready"


def test_what_is_whole_is_not_built_again(library: Library, uv: FakeUv) -> None:
    built = e.ensure(*library)
    install(built)
    assert repair(*library, built, silent) == ""
    assert len(uv.calls("venv")) == 1


def test_only_the_distributions_of_suspected_modules_are_looked_at(library: Library) -> None:
    built = e.ensure(*library)
    packages = install(built)
    (packages / "other-1.dist-info").mkdir()
    (packages / "other-1.dist-info" / "RECORD").write_text("other.py,sha256=none,5\n")
    assert "other.py changed" in repair(*library, built, silent, ["other"])
    built = e.ensure(*library)
    packages = install(built)
    (packages / "pkg.py").write_bytes(b"x = 2\n")
    assert repair(*library, built, silent, ["elsewhere", "pk", "other"]) == ""
    assert "pkg.py changed" in repair(*library, built, silent, ["elsewhere", "pkg.part"])
    (install(built).parent / packages.name / "pkg-1.dist-info" / "RECORD").write_bytes(b"\xff")
    assert "pkg-1.dist-info" in repair(*library, built, silent, ["elsewhere"])


def test_what_cannot_be_built_again_says_so(library: Library, uv: FakeUv) -> None:
    built = e.ensure(*library)
    (install(built) / "pkg.py").unlink()
    uv.fails("pip install", "error: network was disabled")
    with pytest.raises(e.BuildFailed, match="no network"):
        repair(*library, built, silent)
    assert e.state(*library) == "missing"
