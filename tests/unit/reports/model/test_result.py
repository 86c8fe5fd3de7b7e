"""The result file: what may stand in it, how it is written, and what is said when it cannot be read."""

from __future__ import annotations

import errno
import json
import math
import os
import struct
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from reports.model import schema
from reports.model.read_result import read_result
from reports.model.report_error import ReportError
from reports.model.result import FORMAT, Reference, Result
from reports.model.write_result import result_json, write_result
from reports.renderers.report_folder import write_report
from tests.support.result_samples import finding, hostile, library, lost, result

ISSUE_NAMES = [
    "library",
    "version",
    "function",
    "metric",
    "k",
    "status",
    "reason",
    "value",
    "verdict",
    "signature",
    "formula",
    "definition",
    "differs_on",
    "levels",
    "unknown",
    "cannot_matter",
    "does_not_apply",
    "takes",
    "called_with",
    "documented_by",
    "effect",
    "classes",
    "equivalent",
    "claimed",
    "matches_claim",
    "live",
    "witness",
    "evidence",
]


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


def test_a_finding_has_all_the_names_of_the_contract() -> None:
    written = json.loads(result_json(result()))["findings"][0]
    assert list(written)[: len(ISSUE_NAMES)] == ISSUE_NAMES
    assert {"cases", "largest_deviation", "tolerance"} <= set(written["evidence"])


def test_the_top_has_what_other_programs_read() -> None:
    written = json.loads(result_json(result()))
    assert written["format"] == FORMAT == 2
    assert written["time"] == "2025-03-01T12:30:00Z"
    assert {"tool", "platform", "command", "dataset", "k", "reference", "libraries"} <= set(written)
    assert {"name", "digest", "users", "items", "pairs", "rows"} <= set(written["dataset"])
    assert {"installed", "python", "source", "seconds", "status"} <= set(written["libraries"][0])


@pytest.mark.parametrize("made", [result, hostile])
def test_what_is_written_is_read_back(made: Any, tmp_path: Path) -> None:
    write_result(made(), tmp_path)
    again = read_result(tmp_path)
    assert result_json(again) == result_json(made())
    assert read_result(tmp_path / "audit.json").libraries == made().libraries


@pytest.mark.parametrize(
    ("value", "written"),
    [(math.nan, '"nan"'), (math.inf, '"inf"'), (-math.inf, '"-inf"'), (0.1 + 0.2, "0.30000000000000004")],
)
def test_every_number_survives(value: float, written: str, tmp_path: Path) -> None:
    given = result(findings=(finding(value=value),))
    assert f'"value": {written}' in result_json(given)
    write_result(given, tmp_path)
    back = read_result(tmp_path).findings[0].value
    assert back is not None
    assert bits(back) == bits(value)


@pytest.mark.parametrize("value", [5e-324, -0.0, 1.7976931348623157e308, 1 / 3, 123456789.123456789])
def test_no_digit_is_lost(value: float, tmp_path: Path) -> None:
    row = Reference(metric="ndcg", k=20, signature="ndcg@20", value=value)
    write_result(result(reference=(row,)), tmp_path)
    assert bits(read_result(tmp_path).reference[0].value) == bits(value)


def test_the_time_is_kept_in_utc() -> None:
    local = datetime(2025, 3, 1, 14, 30, tzinfo=timezone(timedelta(hours=2)))
    assert result(time=local).time == datetime(2025, 3, 1, 12, 30, tzinfo=UTC)
    assert json.loads(result_json(result(time=local)))["time"] == "2025-03-01T12:30:00Z"


def test_lone_surrogates_of_an_error_text_do_not_stop_the_run(tmp_path: Path) -> None:
    write_result(result(findings=(lost("ndcg", "alpha", "failed", "bad \ud800 byte"),)), tmp_path)
    assert read_result(tmp_path).findings[0].reason == "bad ? byte"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"findings": (finding(), finding())}, "occurs 2 times"),
        ({"findings": (finding(name="nobody"),)}, "no entry in libraries for nobody 1.0"),
        ({"libraries": (library(), library()), "findings": ()}, "library version .* occurs 2 times"),
    ],
)
def test_a_result_holds_together(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        result(**changes)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"verdict": None}, "has a verdict when it is measured"),
        ({"status": "failed", "reason": "boom"}, "has a verdict when it is measured"),
        ({"status": "failed", "verdict": None}, "status failed needs a reason"),
        ({"verdict": "variant", "signature": None}, "verdict variant needs a signature"),
        ({"verdict": "perhaps"}, "verdict"),
        ({"mood": "good"}, "mood"),
    ],
)
def test_a_finding_holds_together(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        finding(**changes)


def test_a_library_that_did_not_run_says_why() -> None:
    with pytest.raises(ValidationError, match="status unavailable needs a reason"):
        library(status="unavailable")


def test_the_schema_in_the_repository_is_up_to_date() -> None:
    assert schema.PATH.read_text(encoding="utf-8") == schema.schema_text(), "renew it: python -m reports.model.schema"


@pytest.mark.parametrize("made", [result, hostile])
def test_what_is_written_fits_the_schema(made: Any) -> None:
    rules = json.loads(schema.PATH.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(rules)
    jsonschema.Draft202012Validator(rules).validate(json.loads(result_json(made())))


@pytest.mark.parametrize(
    ("place", "value"),
    [("value", "many"), ("value", None), ("verdict", "perhaps"), ("k", "twenty"), ("mood", "good")],
)
def test_the_schema_refuses_what_is_wrong(place: str, value: Any) -> None:
    rules = json.loads(schema.PATH.read_text(encoding="utf-8"))
    document = json.loads(result_json(result()))
    document["findings"][0][place] = value
    errors = list(jsonschema.Draft202012Validator(rules).iter_errors(document))
    assert bool(errors) == ((place, value) != ("value", None))


def changed(**changes: Any) -> str:
    return json.dumps(json.loads(result_json(result())) | changes)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "is not JSON: Expecting value at line 1, column 1", "audit run"),
        (result_json(result())[:5000], "is not JSON: .* at line", "cut off"),
        ("[1, 2]", "has no format number", "audit.json"),
        ("{}", "has no format number", "audit.json"),
        ('{"format": true}', "has no format number", "audit.json"),
        (changed(format=FORMAT + 1), "has format 3, newer than the 2", "pip install --upgrade"),
        (changed(format=0), "has format 0, which no version writes", "audit run"),
        (changed(k="many"), "is damaged at k: Input should be a valid tuple", "Restore"),
        (changed(findings=[{}]), r"is damaged at findings.0.library: .* \(and \d+ more places\)", "Restore"),
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


def test_a_report_is_three_files_and_nothing_beside_them(tmp_path: Path) -> None:
    paths = write_report(result(), tmp_path / "deep" / "report")
    assert [path.name for path in paths] == ["audit.json", "index.html", "tables.md"]
    assert sorted(path.name for path in paths[0].parent.iterdir()) == ["audit.json", "index.html", "tables.md"]
    assert paths[1].read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_full_disk_leaves_the_old_report_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_report(result(), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    calls = []

    def full(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ReportError, match="No space left on device") as caught:
        write_report(result(tool="9.9.9"), tmp_path)
    assert "--out" in caught.value.hint
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(ReportError, match="taken cannot be written"):
        write_result(result(), tmp_path / "taken")


def test_results_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        result().tool = "2"


def test_the_reader_takes_no_name_that_it_does_not_know() -> None:
    with pytest.raises(ValidationError, match="surprise"):
        Result.model_validate(json.loads(changed(surprise=1)))
