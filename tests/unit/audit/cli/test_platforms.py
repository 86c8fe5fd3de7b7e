"""Systems without what runs libraries, as Windows is: what works there, and what says that it does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.reports.writers.report_folder import write_report
from tests.support.result_samples import result

pytestmark = pytest.mark.slow  # processes of their own

WITHOUT = (
    "import sys; sys.modules.update(fcntl=None, resource=None); from recsys_metric_audit.audit.cli import main; main()"
)


def typed(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True, check=False)


def test_what_reads_and_explains_works(tmp_path: Path) -> None:
    write_report(result(), tmp_path / "report")
    for words in (["explain", "ndcg"], ["diff", "ndcg@20", "ndcg@20"], ["report", str(tmp_path / "report")]):
        done = typed(*words)
        assert done.returncode == 0, done.stderr


def test_what_runs_libraries_says_that_it_cannot(tmp_path: Path) -> None:
    done = typed("run", "--dataset", "synthetic:5x20", "--out", str(tmp_path / "report"))
    assert done.returncode == 2
    assert "on Linux and macOS only" in done.stderr and "use WSL" in done.stderr
