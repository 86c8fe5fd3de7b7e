"""Reading a result file: what was written comes back, and every defect has its message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result import FORMAT, Result
from recsys_metric_audit.reports.model.result_file import read_result, result_json, write_result
from tests.support.extreme_results import HOSTILE, hostile
from tests.support.result_samples import result


def changed(**changes: Any) -> str:
    return json.dumps(json.loads(result_json(result())) | changes)


def changed_finding(**changes: Any) -> str:
    first, *others = json.loads(result_json(result()))["findings"]
    return changed(findings=[first | changes, *others])


def test_a_byte_order_mark_is_no_damage(tmp_path: Path) -> None:
    (tmp_path / "audit.json").write_text(result_json(result()), encoding="utf-8-sig")
    assert result_json(read_result(tmp_path)) == result_json(result())


@pytest.mark.parametrize("made", [result(), hostile()])
def test_what_is_written_is_read_back(made: Result, tmp_path: Path) -> None:
    write_result(made, tmp_path)
    again = read_result(tmp_path)
    assert result_json(again) == result_json(made)
    assert read_result(tmp_path / "audit.json").libraries == made.libraries


def test_attacks_in_the_place_of_a_signature_are_refused_shortly(tmp_path: Path) -> None:
    (tmp_path / "audit.json").write_text(changed_finding(signature="|".join(HOSTILE) * 1000))
    with pytest.raises(ReportError, match="signature cannot be read by this version") as caught:
        read_result(tmp_path)
    assert len(caught.value.message) < 1000


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "is not JSON: Expecting value at line 1, column 1", "audit run"),
        (result_json(result())[:5000], "is not JSON: .* at line", "cut off"),
        ("[1, 2]", "has no format number", "audit.json"),
        ("{}", "has no format number", "audit.json"),
        ('{"format": true}', "has no format number", "audit.json"),
        (changed(format=FORMAT + 1), "has format 4, newer than the 3", "pip install --upgrade"),
        (changed(format=0), "has format 0; this version reads format 3 alone", "audit run"),
        (changed(k="many"), "is damaged at k: Input should be a valid tuple", "Restore"),
        (changed(findings=[{}]), r"is damaged at findings.0.library: .* \(and \d+ more places\)", "Restore"),
        (changed(dataset="\ud83d"), r"holds \\ud83d, which alone is no character", "Restore"),
        (changed_finding(k=-1), r"is damaged at findings.0.k: .* greater than or equal to 1", "Restore"),
        (changed_finding(metric="nope"), "findings.0.metric cannot be read by this version: no metric 'nope'", "later"),
        (changed_finding(signature="ndcg@5|gain:nope"), "findings.0.signature cannot be read .*gain", "upgrade"),
        (changed_finding(formula="ndcg@5|axis_of_tomorrow:x"), "findings.0.formula cannot be read", "later version"),
        (changed_finding(equivalent=["metric_of_tomorrow@5"]), "findings.0.equivalent cannot be read", "later version"),
        ("[" * 100_000, "is not a result file", "audit run"),
        ('{"format": ' + "9" * 5000 + "}", "is not a result file", "audit run"),
    ],
)
def test_a_file_that_cannot_be_read_says_what_is_wrong_and_what_to_do(
    text: str, message: str, hint: str, tmp_path: Path
) -> None:
    file = tmp_path / "audit.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ReportError, match=message) as caught:
        read_result(file)
    assert str(file) in caught.value.message
    assert hint in caught.value.hint


def test_a_missing_file_and_one_that_is_no_text_are_named(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"There is no .*audit\.json"):
        read_result(tmp_path)
    (tmp_path / "audit.json").write_bytes(b"\x80\x81")
    with pytest.raises(ReportError, match="is not a text file"):
        read_result(tmp_path)
