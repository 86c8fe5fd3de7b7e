"""``audit report``: render a result again, join several, and write over nothing else."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import audit
from tests.support.result_samples import finding, library
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
