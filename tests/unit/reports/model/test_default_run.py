"""Where a question is answered from: the run that was named, the last one, or the packaged one."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result_file import PACKAGED_RUN, load_run, read_result, write_result
from tests.support.result_samples import result

RUN = "run on MovieLens-100K, EASE at 2025-03-01 12:30 UTC by version 0.1.0"


def test_a_named_run_comes_first_then_the_last_then_the_packaged(tmp_path: Path) -> None:
    named, last = tmp_path / "named", tmp_path / "last"
    assert load_run(None, last).origin.startswith("the default run that comes with this tool, run on ")
    write_result(result(), last)
    assert load_run(None, last).origin == f"{last / 'audit.json'}, {RUN}"
    file = write_result(result(), named)
    assert load_run(named, last).origin == f"{file}, {RUN}"
    assert load_run(file, last).origin == f"{file}, {RUN}"


def test_a_named_run_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="There is no"):
        load_run(tmp_path / "nothing.json", tmp_path)


def test_every_published_signature_can_be_read_back() -> None:
    """A signature is copied from the page into `audit explain`, or into a paper's methods section."""
    findings = read_result(PACKAGED_RUN).findings
    published = {each.signature for each in findings if each.signature} | {e for f in findings for e in f.equivalent}
    assert len(published) > 100
    for signature in published:
        parse(signature)


def test_the_packaged_run_is_one_line() -> None:
    assert len(PACKAGED_RUN.read_text(encoding="utf-8").splitlines()) == 1
