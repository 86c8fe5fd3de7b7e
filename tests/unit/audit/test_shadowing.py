"""A file of the user that bears the name of a package we need is told as such, not as a fault of the tool."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.shadowing import shadowing_file

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [("numpy", "raise RuntimeError('not numpy')\n"), ("numpy", "array = None\n"), ("typer", "raise ValueError(1)\n")],
)
def test_a_file_named_as_a_package_is_named_in_the_message(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / f"{name}.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "recsys_metric_audit", "explain", "ndcg"], cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert f"{tmp_path / name}.py is imported in the place of" in done.stderr and "PYTHONPATH" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_mere_folder_of_the_name_of_this_package_is_no_package(tmp_path: Path) -> None:
    (tmp_path / "recsys_metric_audit" / "notes").mkdir(parents=True)
    for words in (["-m", "recsys_metric_audit"], ["-c", "from recsys_metric_audit.__main__ import main; main()"]):
        done = subprocess.run(
            [sys.executable, *words, "--version"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_counts_as_a_file_does_and_an_installed_package_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    assert shadowing_file() is None
    (tmp_path / "pyarrow").mkdir()
    (tmp_path / "pyarrow" / "__init__.py").touch()
    assert shadowing_file() == tmp_path / "pyarrow"
    (tmp_path / "pyarrow-20.0.0.dist-info").mkdir()
    assert shadowing_file() is None


def test_only_folders_of_the_variable_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "numpy.py").touch()
    assert shadowing_file() is None
