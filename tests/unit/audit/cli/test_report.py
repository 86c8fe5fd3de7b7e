"""``audit report``: render a result again, join several, and write over nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.command_line import audit
from tests.support.result_samples import finding, library, small_result
from tests.support.result_samples import result as sample


def test_reports_are_joined_where_it_is_said(tmp_path: Path) -> None:
    from recsys_metric_audit.reports.model.read_result import read_result
    from recsys_metric_audit.reports.model.write_result import write_result

    for name in ("alpha", "beta"):
        write_result(sample(libraries=(library(name),), findings=(finding("ndcg", name),)), tmp_path / name)
    done = audit("report", "alpha", "beta")
    assert done.exit_code == 2
    assert "--out DIR" in done.stderr
    assert audit("report", "alpha", "beta", "--out", "both").exit_code == 0
    assert [entry.library for entry in read_result(tmp_path / "both").libraries] == ["alpha", "beta"]
    assert {path.name for path in (tmp_path / "both").iterdir()} >= {"audit.json", "index.html", "tables.md"}


def test_report_renders_again_and_changes_no_figure(tmp_path: Path) -> None:
    from recsys_metric_audit.reports.model.write_result import write_result

    path = write_result(sample(), tmp_path / "old")
    before = path.read_bytes()
    done = audit("report", "old")
    assert done.exit_code == 0, done.output
    assert "Table 1." in done.stdout
    assert "Table 2." in done.stdout
    assert path.read_bytes() == before
    assert (tmp_path / "old" / "index.html").is_file()


def test_report_does_not_write_over_another_audit(tmp_path: Path) -> None:
    from recsys_metric_audit.reports.model.write_result import write_result

    path = write_result(sample(), tmp_path)
    other = path.with_name("other.json")
    other.write_text("{}")
    done = audit("report", "other.json")
    assert done.exit_code == 2
    assert "neither a folder nor an audit.json" in done.stderr


def _written(folder: Path) -> Path:
    """Write a report and return its folder."""
    from importlib.metadata import version

    from recsys_metric_audit.reports.writers.report_folder import write_report

    write_report(small_result(tool=version("recsys-metric-audit")), folder)
    return folder


def test_a_report_that_says_what_was_returned_is_verified(tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in _written(tmp_path / "one").iterdir()}
    done = audit("report", "one", "--verify")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "format findings", "format csv", "format latex", "format text", "tables as printed", "one/index.html",
        "one/tables.md",
    ]  # fmt: skip
    assert all(re.search(r": \d+ numbers, .* sentences read, none not as returned$", line) for line in lines)
    assert {path: path.read_bytes() for path in (tmp_path / "one").iterdir()} == before


def test_an_edited_page_is_told_by_its_place(tmp_path: Path) -> None:
    tables = _written(tmp_path / "one") / "tables.md"
    text = tables.read_text(encoding="utf-8")
    assert "0.032<sup>a</sup>" in text
    tables.write_text(text.replace("0.032<sup>a</sup>", "0.033<sup>a</sup>"), encoding="utf-8")
    done = audit("report", "one", "--verify")
    assert done.exit_code == 1
    assert "one/tables.md: Beta 2_3, MAP: printed 0.033, returned 0.0321" in done.stdout.splitlines()
    tables.write_text("# Something else\n", encoding="utf-8")
    done = audit("report", "one", "--verify")
    assert done.exit_code == 2
    assert "one/tables.md cannot be read: it has the unknown sentence" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"value": 0.0321', '"value":  0.0321', "has been edited"),
        ('"format": 2', '"format": 1', "format 1"),
        ('"format": 2', '"format": 3', "newer than the 2"),
        ('"tool": "', '"tool": "9.', "was written by version 9."),
        ('"verdict": "agrees"', '"verdict": "right"', "is damaged"),
    ],
)
def test_a_result_that_is_not_as_it_was_written_is_not_verified(tmp_path: Path, old: str, new: str, told: str) -> None:
    file = _written(tmp_path / "one") / "audit.json"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    done = audit("report", "one", "--verify")
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.split())
    assert done.stdout == ""


def test_verify_takes_one_folder_and_no_format(tmp_path: Path) -> None:
    _written(tmp_path / "one")
    for more in (("one",), ("--format", "md"), ("--out", "x")):
        done = audit("report", "one", *more, "--verify")
        assert done.exit_code == 2
        assert "--verify reads the report in one folder" in " ".join(done.stderr.split())
