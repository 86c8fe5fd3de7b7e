"""Numbers that JSON cannot write, and text that no encoding can write."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest
from pydantic import ValidationError

from recsys_metric_audit.reports.model.result import EvidenceSummary, Reference
from recsys_metric_audit.reports.model.result_file import read_result, result_json, write_result
from tests.support.result_samples import finding, lost, result


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


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


def test_lone_surrogates_of_an_error_text_do_not_stop_the_run(tmp_path: Path) -> None:
    write_result(result(findings=(lost("ndcg", "alpha", "failed", "bad \ud800 byte"),)), tmp_path)
    assert read_result(tmp_path).findings[0].reason == "bad ? byte"


def test_a_tolerance_is_not_negative() -> None:
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        EvidenceSummary(tolerance=-1)
    assert EvidenceSummary(tolerance=0).tolerance == 0
