"""Environments that are ready and damaged: what is damaged is found and built again; what is whole is let be."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment as e
from recsys_metric_audit.audit.environments.environment import Repair
from recsys_metric_audit.audit.environments.installed_files import FILES, differing_from_record
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from tests.support.fake_libraries import FakeUv

pytestmark = pytest.mark.slow  # each builds an environment

Library = tuple[Manifest, Version]


def install(built: e.Environment) -> Path:
    """Install a distribution of one module, one data file and compiled code; return the folder of packages."""
    (packages,) = built.folder.glob("lib/python*/site-packages")
    (packages / "pkg-1.dist-info").mkdir()
    rows = []
    for name, content in (("pkg.py", b"x = 1\n"), ("pkg, data.bin", bytes(range(256)))):
        (packages / name).write_bytes(content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f'"{name}",sha256={digest},{len(content)}')
    rows += ["pkg.pyc,,", "pkg-1.dist-info/RECORD,,"]  # of these nothing is recorded
    (packages / "pkg-1.dist-info" / "RECORD").write_text("\n".join(rows) + "\n")
    assert differing_from_record(built.folder) == {}
    mark = (built.folder / e.MARKER).read_text()
    (built.folder / e.MARKER).write_text(mark)  # the environment is complete from now on
    return packages


def looked_after(library: Library, said: list[str] | None = None) -> Repair:
    return Repair(*library, e.ensure(*library), ([] if said is None else said).append)


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
    (lambda built, packages: (built.folder / FILES).write_text("[]"), "files.json cannot be read"),
]


def test_every_damage_is_found_and_nothing_else(library: Library) -> None:
    keeper = looked_after(library)
    packages = install(keeper.built)
    assert keeper.damage(started=False) == ""
    (packages / "pkg.pyc").write_bytes(b"compiled anew")
    (packages / "made_at_run_time.txt").touch()
    (packages / "pkg.py").touch()
    assert keeper.damage() == keeper.damage() == ""
    (packages / "pkg.py").unlink()
    (packages / "pkg, data.bin").write_bytes(bytes(256))
    first = f"{packages.relative_to(keeper.built.folder)}/pkg.py"
    assert keeper.damage() == f"{first} and 1 more files changed since it was installed"


@pytest.mark.parametrize(("damage", "words"), DAMAGES)
def test_what_is_damaged_is_built_again_once(
    damage: Callable[[e.Environment, Path], object], words: str, library: Library, uv: FakeUv
) -> None:
    said: list[str] = []
    keeper, other = looked_after(library, said), looked_after(library)
    damage(keeper.built, install(keeper.built))
    found = keeper.damage(started=False)
    assert words in found
    keeper.build_again(found)
    assert "building it again" in said[0] and words in said[0]
    assert keeper.damage(started=False) == "" and e.state(*library) == "ready"
    other.build_again(found)  # another process found the same, and comes second
    assert len(uv.calls("venv")) == 2


def test_what_cannot_be_built_again_says_so(library: Library, uv: FakeUv) -> None:
    keeper = looked_after(library)
    (install(keeper.built) / "pkg.py").unlink()
    uv.fails("pip install", "error: network was disabled")
    with pytest.raises(e.BuildFailed, match="no network"):
        keeper.build_again(keeper.damage())
    assert e.state(*library) == "missing"


def test_a_file_of_two_distributions_is_as_one_of_them_has_it(library: Library) -> None:
    built = e.ensure(*library)
    packages = install(built)
    (packages / "qkg-1.dist-info").mkdir()
    (packages / "qkg-1.dist-info" / "RECORD").write_text("pkg.py,sha256=another,5\n")
    assert differing_from_record(built.folder) == {}
    (packages / "pkg.py").write_bytes(b"x = 2\n")
    where = packages.relative_to(built.folder)
    assert differing_from_record(built.folder) == {"pkg-1.dist-info": f"{where}/pkg.py"}
