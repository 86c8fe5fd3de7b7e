"""Every output format, as a user asks for it on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from recsys_metric_audit.audit import cli
from recsys_metric_audit.reports.model.read_result import read_result
from recsys_metric_audit.reports.model.write_result import result_json, write_result
from recsys_metric_audit.reports.renderers.registry import COMPARISON_FORMATS, REPORT_FORMATS
from tests.support.compared_results import two_runs
from tests.support.extreme_results import hostile
from tests.support.result_samples import result


@pytest.mark.parametrize("form", REPORT_FORMATS)
def test_every_form_of_a_report_is_written_whole(form: str, tmp_path: Path) -> None:
    for name, made in (("one", result()), ("two", hostile())):
        write_result(made, tmp_path / name)
        out = tmp_path / f"{name}.{form}"
        done = CliRunner().invoke(cli.app, ["report", str(tmp_path / name), "--format", form, "--out", str(out)])
        assert done.exit_code == 0, done.output
        written = REPORT_FORMATS[form](made)
        assert out.read_bytes() == (written.encode() if isinstance(written, str) else written) or form == "parquet"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", f"one.{form}", "two", f"two.{form}"]


@pytest.mark.parametrize("form", COMPARISON_FORMATS)
def test_every_form_of_a_comparison_is_written_whole(form: str, tmp_path: Path) -> None:
    for name, made in zip("ab", two_runs(), strict=True):
        write_result(made, tmp_path / name)
    words = ["compare", str(tmp_path / "a"), str(tmp_path / "b" / "audit.json"), "--format", form]
    done = CliRunner().invoke(cli.app, [*words, "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out").stat().st_size > 100


def test_the_json_form_is_the_result_file_itself(tmp_path: Path) -> None:
    path = write_result(result(), tmp_path)
    done = CliRunner().invoke(cli.app, ["report", str(tmp_path), "--format", "json"])
    assert done.stdout == path.read_text(encoding="utf-8")
    assert result_json(read_result(tmp_path)) == done.stdout


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"format": 99}', "newer"),
        ('{"format": 0}', "reads format 3 alone"),
        ('{"format": 1', "not JSON"),
        ("{}", "no format number"),
    ],
)
@pytest.mark.parametrize("verb", [["report", "--format", "md"], ["compare"]])
def test_a_file_of_another_format_or_a_damaged_one_is_a_message(
    verb: list[str], content: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "audit.json").write_text(content)
    words = [verb[0], str(tmp_path), *([str(tmp_path)] if verb[0] == "compare" else []), *verb[1:]]
    done = CliRunner().invoke(cli.app, words)
    assert done.exit_code == 2
    assert said in done.stderr and "Traceback" not in done.stderr and done.stdout == ""


def test_parquet_is_not_printed(tmp_path: Path) -> None:
    write_result(result(), tmp_path)
    done = CliRunner().invoke(cli.app, ["report", str(tmp_path), "--format", "parquet"])
    assert done.exit_code == 2 and "--out findings.parquet" in done.stderr
