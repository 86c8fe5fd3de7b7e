"""Build by way of the source archive and from the checkout: whole, and good beside a user's packages.

The build needs a network once, for the tools that it is done with. `make wheel-check` does more: it installs the wheel
into a fresh environment.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from recsys_metric_audit.audit.environments import uv
from recsys_metric_audit.audit.libraries.discovery import adapters_dir

pytestmark = [pytest.mark.live, pytest.mark.slow]

ROOT = adapters_dir().parent
CONSTRAINED = ("--build-constraints", "requirements/build.txt", "--require-hashes")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source archive and a wheel of it, as a release does, and the wheel of the checkout in ``direct``."""
    folder = tmp_path_factory.mktemp("dist")
    for words in (["--out-dir", str(folder)], ["--wheel", "--out-dir", str(folder / "direct")]):
        subprocess.run([*uv.command(), "build", "--quiet", *words, *CONSTRAINED], cwd=ROOT, check=True)
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def test_the_archive_and_both_wheels_hold_the_files_of_the_checkout(built: Path) -> None:
    script = runpy.run_path(str(ROOT / "tests" / "wheel" / "built_files.py"), run_name="built_files")
    files = (only(built, "*.tar.gz"), only(built, "*.whl"), only(built / "direct", "*.whl"))
    assert [fault for each in files for fault in script["faults"](each, ROOT)] == []


@pytest.fixture
def checked(built: Path, tmp_path: Path) -> Any:
    """Lay the wheel where this interpreter finds it first: the check itself, without the installation."""
    script = runpy.run_path(str(ROOT / "tests" / "wheel" / "check_wheel.py"), run_name="check_wheel")
    with zipfile.ZipFile(only(built, "*.whl")) as wheel:
        wheel.extractall(tmp_path / "site-packages")
    made = object.__new__(script["Checked"])
    made.bin, made.work, made.script = Path(sys.prefix) / "bin", tmp_path / "work", script
    made.env = {**os.environ, "PYTHONPATH": str(tmp_path / "site-packages"), "COLUMNS": "100", "NO_COLOR": "1"}
    made.work.mkdir()
    place = made.run("python", "-c", "import recsys_metric_audit; print(recsys_metric_audit.__file__)")
    assert Path(place).is_relative_to(tmp_path)
    return made


def test_a_project_may_have_packages_of_the_names_of_our_folders(checked: Any) -> None:
    checked.script["check_beside_own_packages"](checked)


def test_a_distribution_brings_its_adapter(checked: Any) -> None:
    checked.script["check_entry_point"](checked, Path(checked.env["PYTHONPATH"]))
