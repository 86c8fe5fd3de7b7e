"""Import every module of this project by one name: a second copy of one would have classes of its own.

In a checkout the folders ``audit``, ``reference``, ``reports`` and ``adapters`` can be imported as well.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from tests.support.one_metric_library import GOOD, TOML

ROOT = adapters_dir().parent
SECOND_NAMES = """
import sys

FOLDERS = ("adapters", "audit", "reference", "reports")

def second_names(*_):
    return sorted(name for name in sys.modules if name.partition(".")[0] in FOLDERS)
"""
COMMANDS = """
from second_names import second_names

if __name__ == "__main__":
    from recsys_metric_audit.audit import cli
    from recsys_metric_audit.audit.environments import environment
    from recsys_metric_audit.audit.identification.process_pool import process_pool
    from recsys_metric_audit.reference.cases import PROBES
    from tests.support.one_metric_library import ensure

    environment.ensure = ensure
    run = ["run", "-l", "good", "--adapters", "mine", "--dataset", "synthetic:5x20"]
    for words in (["explain", "ndcg"], ["list"], run):
        cli.app(words, prog_name="audit", standalone_mode=False)
    with process_pool(PROBES[0].case, 2) as pool:
        print("second names:", second_names(), pool(second_names, range(2)))
"""
OWN_TEST = """
from second_names import second_names

def precision_at_k(recommended, relevant, k):
    return len(set(recommended[:k]) & set(relevant)) / k

def test_a_metric(assert_computes):
    assert_computes(precision_at_k, "precision@k|duplicates:first_in_place")
    assert second_names() == []
"""


def python(folder: Path, *words: str) -> str:
    """Run Python in a folder, with the checkout's own folders in its path; return what it prints."""
    shown = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=shown, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_command_and_the_processes_of_a_pool_import_each_module_by_one_name(tmp_path: Path) -> None:
    (tmp_path / "mine" / "good").mkdir(parents=True)
    (tmp_path / "mine" / "good" / "library.toml").write_text(TOML)
    (tmp_path / "mine" / "good" / "adapter.py").write_text(GOOD)
    (tmp_path / "second_names.py").write_text(SECOND_NAMES)
    (tmp_path / "commands.py").write_text(COMMANDS)
    printed = python(tmp_path, "commands.py")
    assert "Table 1." in printed
    assert printed.splitlines()[-1] == "second names: [] [[], []]"


@pytest.mark.slow
def test_the_pytest_plugin_imports_each_module_by_one_name(tmp_path: Path) -> None:
    (tmp_path / "second_names.py").write_text(SECOND_NAMES)
    (tmp_path / "test_own.py").write_text(OWN_TEST)
    plugin = ("-p", "recsys_metric_audit.audit.pytest_plugin")
    assert "1 passed" in python(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin, "test_own.py")


@pytest.mark.parametrize("line", ["import audit.errors", "from reports import model", "import reference as ours",
                                  "from adapters.rs_metrics import adapter"])  # fmt: skip
@pytest.mark.parametrize("file", ["audit/errors.py", "reports/model/result.py", "tests/unit/test_any.py"])
def test_ruff_forbids_the_other_names(file: str, line: str) -> None:
    words = ["ruff", "check", "--select", "TID251", "--output-format", "concise", "--stdin-filename", file, "-"]
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, input=f"{line}\n", capture_output=True, text=True)
    assert done.returncode == 1 and "TID251" in done.stdout
    ours = line.replace("import audit", "import recsys_metric_audit.audit").replace(
        "from ", "from recsys_metric_audit."
    )
    ours = ours.replace("import reference", "import recsys_metric_audit.reference")
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, input=f"{ours}\n", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
