"""Output of a command: on stdout, or in a file, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.cli.shared.output_file import write_output
from recsys_metric_audit.audit.errors import UserError


@pytest.mark.parametrize("content", ["a table", "a table\n"])
def test_text_ends_with_one_line_break(content: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_output(content, None)
    assert capsys.readouterr().out == "a table\n"


def test_a_file_is_named_on_stderr_so_that_stdout_stays_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_output(b"PAR1", tmp_path / "findings.parquet")
    assert (tmp_path / "findings.parquet").read_bytes() == b"PAR1"
    said = capsys.readouterr()
    assert said.out == "" and said.err == f"Written: {tmp_path / 'findings.parquet'}\n"


def test_bytes_are_not_printed() -> None:
    with pytest.raises(UserError, match="cannot be printed") as caught:
        write_output(b"PAR1", None)
    assert "--out" in caught.value.hint
