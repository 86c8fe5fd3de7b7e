"""Hold what is built against the checkout, file by file."""

from __future__ import annotations

import runpy
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from recsys_metric_audit.audit.libraries.discovery import adapters_dir

SCRIPT = runpy.run_path(str(adapters_dir().parent / "tests" / "wheel" / "built_files.py"), run_name="built_files")
PACKAGE = ["recsys_metric_audit/__init__.py", "recsys_metric_audit/audit/errors.py"]
NAME = "recsys_metric_audit-1.0"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a checkout: one file of the package, one behind a link, one that is ignored, one that is of no package."""
    folder = tmp_path / "checkout"
    for name in ("recsys_metric_audit/__init__.py", "audit/errors.py", "audit/built.pyc", "bench/meter.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    (folder / "recsys_metric_audit" / "audit").symlink_to("../audit")
    (folder / ".gitignore").write_text("*.pyc\n")
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    return folder


def wheel(folder: Path, *names: str) -> Path:
    path = folder / f"{NAME}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as made:
        for name in (*names, *(f"{NAME}.dist-info/{name}" for name in SCRIPT["INFO"])):
            made.writestr(name, "")
    return path


def archive(folder: Path, *names: str) -> Path:
    path = folder / f"{NAME}.tar.gz"
    with tarfile.open(path, "w:gz") as made:
        for name in (*names, *SCRIPT["SOURCE"]):
            made.addfile(tarfile.TarInfo(f"{NAME}/{name}"))
    return path


@pytest.mark.parametrize("build", [wheel, archive])
def test_a_whole_package_has_no_fault(build: object, checkout: Path, tmp_path: Path) -> None:
    assert callable(build)
    assert SCRIPT["faults"](build(tmp_path, *PACKAGE), checkout) == []


def test_what_is_missing_and_what_is_extra_is_named(checkout: Path, tmp_path: Path) -> None:
    (checkout / "audit" / "new.py").touch()  # not committed yet
    built = wheel(tmp_path, *PACKAGE, "audit/errors.py")
    assert SCRIPT["faults"](built, checkout) == [
        f"{built.name}: lacks recsys_metric_audit/audit/new.py",
        f"{built.name}: has audit/errors.py",
    ]
    built = archive(tmp_path, *PACKAGE[:1], "bench/meter.py", "recsys_metric_audit/audit/new.py")
    assert SCRIPT["faults"](built, checkout) == [
        f"{built.name}: lacks recsys_metric_audit/audit/errors.py",
        f"{built.name}: has bench/meter.py",
    ]


def test_it_ends_with_what_it_found(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout)
    whole, lacking = wheel(tmp_path, *PACKAGE), archive(tmp_path, *PACKAGE[:1])
    with pytest.raises(SystemExit, match=r"lacks recsys_metric_audit/audit/errors\.py"):
        SCRIPT["main"]([str(whole), str(lacking)])
    SCRIPT["main"]([str(whole), str(archive(tmp_path, *PACKAGE))])


@pytest.mark.parametrize("words", [[], ["a.whl"], ["a.tar.gz"], ["a.whl", "b.zip"]])
def test_it_wants_a_wheel_and_an_archive(words: list[str]) -> None:
    with pytest.raises(SystemExit, match="usage"):
        SCRIPT["main"](words)
