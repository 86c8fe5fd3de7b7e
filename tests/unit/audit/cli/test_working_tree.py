"""``--source`` with the working tree of a library: what it computes now is held against what was accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.reports.model.result_file import read_result
from tests.support.command_line import audit
from tests.support.git_libraries import ADAPTER, CHANGED, CODE
from tests.support.one_metric_library import ensure

MANIFEST = """\
title = "Tiny"
about = "It has one metric, in a package."
homepage = "https://example.org/tiny"
[source]
package = "tiny-metrics"
[[version]]
version = "1.0"
python = "3.11"
[[function]]
name = "tiny.metrics.precision"
metric = "precision"
"""
TYPED = ("-l", "tiny", "--adapters", "adapters", "--source", "tiny=src")


@pytest.fixture(autouse=True)
def _library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a library and its adapter; its environment is this interpreter, in which the library is not installed."""
    (tmp_path / "adapters" / "tiny").mkdir(parents=True)
    (tmp_path / "adapters" / "tiny" / "library.toml").write_text(MANIFEST)
    (tmp_path / "adapters" / "tiny" / "adapter.py").write_text(ADAPTER)
    (tmp_path / "src" / "tiny").mkdir(parents=True)
    (tmp_path / "src" / "tiny" / "__init__.py").touch()
    (tmp_path / "src" / "tiny" / "metrics.py").write_text(CODE)
    monkeypatch.setattr(environment, "ensure", ensure)


@pytest.mark.slow
def test_a_changed_formula_fails_the_check_until_it_is_accepted(tmp_path: Path) -> None:
    assert audit("accept", "--yes", *TYPED).exit_code == 0
    pin = tmp_path / "adapters" / "tiny" / "expected" / "1.0.json"
    assert '"precision@k"' in pin.read_text() and "shown" not in pin.read_text()
    assert audit("check", *TYPED).exit_code == 0
    (tmp_path / "src" / "tiny" / "metrics.py").write_text(CHANGED)
    done = audit("check", *TYPED)
    assert done.exit_code == 1
    assert "denominator: k → shown" in done.stdout
    assert audit("accept", "--yes", *TYPED).exit_code == 0
    assert audit("check", *TYPED).exit_code == 0
    assert not list((tmp_path / "src").rglob("__pycache__")), "nothing is left in the working tree"


@pytest.mark.slow
def test_a_run_says_that_it_is_no_release(tmp_path: Path) -> None:
    done = audit("run", *TYPED, "--dataset", "synthetic:5x20", "--out", "report")
    assert done.exit_code == 0, done.output
    (row,) = read_result(tmp_path / "report").libraries
    assert row.caution == "unpinned: a working tree is imported in place of the release"


# `audit try` asks the folder that is given, as the version that it is given for.


@pytest.mark.parametrize(
    ("version", "code", "formula"), [("1.0", CODE, "precision@k"), ("1.1", CHANGED, "precision@k|denominator:shown")]
)
def test_a_trial_asks_the_folder_that_is_given(tmp_path: Path, version: str, code: str, formula: str) -> None:
    toml = tmp_path / "adapters" / "tiny" / "library.toml"
    toml.write_text(toml.read_text().replace("[[version]]", '[[version]]\nversion = "1.1"\nlike = "1.0"\n[[version]]'))
    (tmp_path / "src" / "tiny" / "metrics.py").write_text(code)
    done = audit("try", "tiny", "--adapters", "adapters", "--source", f"tiny=={version}=src")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"tiny {version}: 1 of 1 functions\n")
    assert f"  10 of 10  {formula}  (" in done.stdout


def test_a_trial_refuses_a_folder_of_another_library() -> None:
    done = audit("try", "tiny", "--adapters", "adapters", "--source", "other=src")
    assert done.exit_code == 2
    assert "--source other" in done.stderr
