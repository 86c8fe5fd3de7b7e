"""Hold the scripts that check what is built: file by file against the checkout, and command by command."""

from __future__ import annotations

import runpy
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Any

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


# The check of a wheel stops at the first command that does not end as it should.

SCRIPT_of_check_wheel = runpy.run_path(
    str(adapters_dir().parent / "tests" / "wheel" / "check_wheel.py"), run_name="check_wheel"
)


@pytest.fixture
def checked(tmp_path: Path) -> Any:
    """Make a check whose environment has one command: it prints where it is, and ends with the code that it is told."""
    made = object.__new__(SCRIPT_of_check_wheel["Checked"])
    made.bin, made.work, made.env = tmp_path, tmp_path / "work", {}
    made.work.mkdir()
    (tmp_path / "tool").write_text("#!/bin/sh\npwd\nexit $1\n")
    (tmp_path / "tool").chmod(0o755)
    return made


def test_a_command_runs_in_a_folder_of_its_own(checked: Any) -> None:
    assert checked.run("tool", "0").strip() == str(checked.work)
    assert checked.run("tool", "1", fails=True).strip() == str(checked.work)


@pytest.mark.parametrize(("code", "fails"), [("1", False), ("0", True), ("2", True)])
def test_another_end_stops_the_check(code: str, fails: bool, checked: Any) -> None:
    with pytest.raises(SystemExit, match=f"it ended with {code}"):
        checked.run("tool", code, fails=fails)


def test_what_is_not_so_stops_the_check(checked: Any) -> None:
    checked.holds(True, "water is wet")
    with pytest.raises(SystemExit, match="not so: water is dry"):
        checked.holds(False, "water is dry")


@pytest.mark.parametrize("words", [[], ["a.tar.gz"], ["missing.whl"], ["a.whl", "b.whl"]])
def test_it_wants_a_wheel(words: list[str]) -> None:
    with pytest.raises(SystemExit, match="usage"):
        SCRIPT_of_check_wheel["main"](words)
