"""Writing a result file."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.model.result_file import result_json, write_result
from tests.support.result_samples import result


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(ReportError, match="taken cannot be written"):
        write_result(result(), tmp_path / "taken")


def test_compact_json_says_the_same_on_one_line() -> None:
    compact = result_json(result(), compact=True)
    whole = result_json(result())
    assert Result.model_validate_json(compact).model_dump_json() == Result.model_validate_json(whole).model_dump_json()
    assert len(compact) < len(whole)
    assert compact.count("\n") == 1 and compact.endswith("}\n")
