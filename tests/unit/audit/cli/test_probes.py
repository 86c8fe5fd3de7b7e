"""``audit probes`` writes a folder of cases, and never over answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from recsys_metric_audit.audit import cli


@pytest.mark.parametrize(
    ("form", "files"),
    [
        ("csv", {"predictions.csv", "truth.csv", "answers.csv"}), ("json", {"probes.json", "answers.csv"}),
        ("trec", {"probes.run", "probes.qrels", "answers.csv"}),
    ],
)  # fmt: skip
def test_a_folder_is_written_once(tmp_path: Path, form: str, files: set[str]) -> None:
    words = ["probes", str(tmp_path / "cases"), "--format", form, "-k", "7"]
    done = CliRunner().invoke(cli.app, words, prog_name="audit")
    assert done.exit_code == 0 and "cases in" in done.stdout
    assert {path.name for path in (tmp_path / "cases").iterdir()} == files
    ks = {line.split(",")[1] for line in (tmp_path / "cases" / "answers.csv").read_text().splitlines()[1:]}
    assert ks == {"7"}
    again = CliRunner().invoke(cli.app, words, prog_name="audit")
    assert again.exit_code == 2 and "it may hold answers" in again.stderr + str(again.exception)


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "cases").write_text("mine")
    done = CliRunner().invoke(cli.app, ["probes", str(tmp_path / "cases")], prog_name="audit")
    assert done.exit_code == 2 and (tmp_path / "cases").read_text() == "mine"


def test_answers_need_a_metric_and_no_function(tmp_path: Path) -> None:
    for words in ([], ["own.py:f", "--answers", "a.csv"], ["--answers", "a.csv"]):
        done = CliRunner().invoke(cli.app, ["identify", *words], prog_name="audit")
        assert done.exit_code == 2
