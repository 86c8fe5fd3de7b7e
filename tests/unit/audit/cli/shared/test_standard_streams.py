"""Streams that cannot be written: what was asked for is done all the same, or the failure is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.cli.shared.output import WIDEST, make_console
from recsys_metric_audit.reports.model.result_file import read_result
from recsys_metric_audit.reports.writers.report_folder import write_report
from tests.support.command_line import audit
from tests.support.result_samples import result

ROOT = Path(__file__).parents[5]
RUN = """
import sys
import recsys_metric_audit.audit.run
from tests.support.result_samples import finding, library, result
recsys_metric_audit.audit.run.run = lambda *_: result(libraries=(library(),), findings=(finding(),))
sys.argv = ["audit", "run", "--dataset", "synthetic:5x20"]
from recsys_metric_audit.audit.cli import main
main()
"""
WHOLE = {"audit.json", "index.html", "tables.md"}


def shell(redirection: str, *words: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    """Type `words` after ``audit``, or start ``RUN``, with the shell's `redirection` behind it."""
    environ = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding}
    start = [sys.executable, *(("-m", "recsys_metric_audit", *words) if words else ("-c", RUN))]
    command = ["bash", "-c", f'"$@" {redirection}; echo "code ${{PIPESTATUS[0]}}"', "bash", *start]
    return subprocess.run(
        command, capture_output=True, text=True, errors="replace", env=environ, check=False, timeout=120
    )


def written(folder: Path) -> set[str]:
    assert read_result(folder).findings
    return {path.name for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("redirection", ["| true", "> /dev/full", ">&- 2>&-", "2> /dev/full"])
def test_a_run_is_written_whatever_becomes_of_its_output(tmp_path: Path, redirection: str) -> None:
    done = shell(redirection)
    assert "code 0" in done.stdout, done.stderr
    assert written(tmp_path / "audit-report") == WHOLE
    assert "Traceback" not in done.stderr
    if redirection == "> /dev/full":
        assert "not all could be printed: No space left on device (stdout); what was written is complete" in done.stderr


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path, closed: int) -> None:
    code = (
        "import os; from recsys_metric_audit.audit.cli.shared.output import protect; "
        f"os.close({closed}); protect(); file = open('written', 'w'); os.write({closed}, b'a message')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False, stdout=subprocess.DEVNULL)
    assert done.returncode == 0 and (tmp_path / "written").read_text() == ""


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_run_is_written_and_printed_where_the_terminal_knows_few_characters(tmp_path: Path, encoding: str) -> None:
    done = shell("", encoding=encoding)
    assert "code 0" in done.stdout, done.stderr
    assert "Table 1." in done.stdout and "Written: audit-report/audit.json" in done.stdout
    assert written(tmp_path / "audit-report") == WHOLE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("redirection", "code", "said"),
    [
        ("> /dev/full", 2, "this could not be printed: No space left on device (stdout)"),
        ("| head -1", 0, ""),
        (">&-", 0, ""),
    ],
)
def test_what_was_to_be_printed_and_could_not_be_is_a_failure(
    tmp_path: Path, redirection: str, code: int, said: str
) -> None:
    write_report(result(), tmp_path / "report")
    done = shell(redirection, "report", "report", "--format", "json")
    assert f"code {code}\n" in done.stdout
    assert said in done.stderr and "Traceback" not in done.stderr
    assert bool(done.stderr) == bool(said)


@pytest.mark.slow
def test_text_that_a_stream_cannot_encode_is_escaped_and_nothing_else_changes(tmp_path: Path) -> None:
    plain, narrow = (
        shell("", "explain", "ndcg@20|gain:exp2", encoding=encoding).stdout for encoding in ("utf-8", "ascii")
    )
    assert not plain.isascii(), "there is something to escape"
    assert narrow == plain.encode("ascii", "backslashreplace").decode()


@pytest.mark.parametrize(("columns", "width"), [("80", 80), ("1", 1), ("0", 1), ("99999999", WIDEST), ("x", 80)])
def test_a_width_that_makes_sense(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert make_console().width == width


def test_lines_are_not_padded_to_a_width_that_nobody_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300000")
    done = audit("explain", "ndcg@20|gain:exp2")
    assert done.exit_code == 0
    assert max(map(len, done.stdout.splitlines())) <= WIDEST
