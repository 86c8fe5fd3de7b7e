"""The steps of the workflows and of the action that run a library, executed as they are written, in a copy.

The library is rs_metrics. Which of its releases changed what is taken from its own documentation: mapr divides by k
in 0.3.0, by the number of hits in 0.4, by the number of relevant items from 0.5.0 on (docs/metrics.md of each).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.reports.model.result_file import read_result

pytestmark = pytest.mark.live

ROOT = adapters_dir().parent
LIBRARY = "rs_metrics"


def command(file: str, job: str, name: str) -> str:
    document = yaml.safe_load((ROOT / file).read_text())
    steps = document["jobs"][job]["steps"] if "jobs" in document else document["runs"]["steps"]
    (found,) = (step["run"] for step in steps if step.get("name") == name)
    return str(found)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a checkout of the tool with one library, of which 0.4.1 alone is accepted, and a link to this ``.venv``."""
    folder = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "recsys_metric_audit", folder / "recsys_metric_audit", symlinks=True)
    for package in ("audit", "reference", "reports"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    ignore = shutil.ignore_patterns("__pycache__", "expected")
    shutil.copytree(ROOT / "adapters" / LIBRARY, folder / "adapters" / LIBRARY, ignore=ignore)
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / "recsys-metric-audit").symlink_to(sys.prefix)  # where the action installs it, with RUNNER_TEMP
    pin(folder, "0.4.1")
    done = execute('.venv/bin/audit accept -l "$LIBRARY" --yes', folder)
    assert done.returncode == 0, done.stderr
    return folder


def pin(folder: Path, *versions: str) -> None:
    """Leave only these versions in library.toml, without the claims that name others: what somebody does who changes
    the pin by hand."""
    toml = folder / "adapters" / LIBRARY / "library.toml"
    text = re.sub(r"\[\[\S+\.claim\]\]\n(?:\w+ = .*\n)+", "", (ROOT / toml.relative_to(folder)).read_text())
    head, *blocks = text.split("[[version]]\n")
    last, rest = blocks[-1].split("\n\n", 1)
    blocks[-1] = last + "\n\n"
    kept = [block for block in blocks if block.split('"')[1] in versions]
    assert len(kept) == len(versions)
    toml.write_text(head + "".join(f"[[version]]\n{block}" for block in kept) + rest)


def execute(text: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", text]
    shown = {**os.environ, "PYTHONPATH": str(folder), "LIBRARY": LIBRARY, "RUNNER_TEMP": str(folder), **env}
    return subprocess.run(shell, cwd=folder, env=shown, capture_output=True, text=True, timeout=1800)


def test_the_audit_of_a_library(checkout: Path) -> None:
    pin(checkout, "0.4.1")
    done = execute(command(".github/workflows/audit.yml", "audit", "Audit"), checkout)
    assert done.returncode == 0, done.stderr
    assert [entry.version for entry in read_result(checkout / "audit-report").libraries] == ["0.4.1"]


def test_what_is_as_accepted_is_green_in_the_workflow_and_in_the_action(checkout: Path) -> None:
    pin(checkout, "0.4.1")
    done = execute(
        command(".github/workflows/audit.yml", "audit", "Does it still compute what was accepted?"), checkout
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    step = command("action.yml", "", "Does the library still compute what was accepted?")
    assert execute(step, checkout, VERSION="0.4.1").returncode == 0


def test_a_pin_changed_by_hand_names_the_drift(checkout: Path) -> None:
    pin(checkout, "0.5.0", "0.4.1")
    step = command(".github/workflows/audit.yml", "audit", "Does it still compute what was accepted?")
    done = execute(step, checkout)
    assert done.returncode == 1, done.stderr
    lines = [line for line in done.stdout.splitlines() if "rs_metrics.mapr computes another formula" in line]
    assert len(lines) == 1
    assert lines[0].startswith("::error file=adapters/rs_metrics/expected/0.5.0.json,")
    assert "moved: denominator: hits → r" in lines[0]
    assert "rs_metrics.hitrate" not in done.stdout


def test_the_newest_release_against_the_last_pinned(checkout: Path) -> None:
    pin(checkout, "0.4.1")
    shutil.rmtree(checkout / "proposal", ignore_errors=True)
    done = execute(command(".github/workflows/upgrade.yml", "attempt", "Try the newest release"), checkout)
    assert done.returncode == 0, done.stderr
    drift = (checkout / "proposal" / "drift.md").read_text()
    assert drift.startswith("# rs\\_metrics 0.4.1 → ")
    assert "## `rs_metrics.mapr` computes another formula" in drift
    assert "denominator: hits → r" in drift
    newest = drift.splitlines()[0].split()[-1]
    locked = execute(f".venv/bin/audit lock --check {LIBRARY}=={newest}", checkout)
    assert locked.returncode == 0, locked.stderr


@pytest.mark.long  # two more releases are built and audited
def test_history_and_bisect_find_the_releases(checkout: Path) -> None:
    pin(checkout, "0.5.0", "0.4.1", "0.3.0")
    told = execute(f".venv/bin/audit history {LIBRARY} --metric average_precision", checkout)
    changed = r"rs_metrics\.mapr \(average_precision\) changed in 0\.4\.1 \(formula[^)]*\), 0\.5\.0 \(formula[^)]*\)"
    assert re.search(changed, " ".join(told.stdout.split())), told.stderr  # it is wrapped to the terminal
    found = execute(f".venv/bin/audit bisect {LIBRARY} mapr --from 0.3.0 --to 0.4.1 --index", checkout)
    assert "rs_metrics.mapr changed in 0.4.0, after 0.3.0" in found.stdout, found.stderr
    assert "moved     denominator: shown → hits" in found.stdout


FUNCTION = """\
def precision(recommended, relevant, k):
    return sum(item in relevant for item in recommended[:k]) / k
"""


@pytest.mark.parametrize(("expect", "code"), [("precision@k", 0), ("precision@k|denominator:min", 1)])
def test_a_function_of_ones_own(expect: str, code: int, checkout: Path) -> None:
    (checkout / "mine.py").write_text(FUNCTION)
    step = command("action.yml", "", "Does the function compute what is expected?")
    done = execute(step, checkout, FUNCTION="mine.py:precision", EXPECT=expect, METRIC="", PYTHON="")
    assert done.returncode == code, done.stderr
    assert '"signature": "precision@k"' in done.stdout
    if code == 0:
        named = {"FUNCTION": "mine.py:precision", "EXPECT": expect, "METRIC": "precision", "PYTHON": sys.executable}
        assert execute(step, checkout, **named).returncode == 0
