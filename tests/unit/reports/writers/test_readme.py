"""The README's tables and the page of findings are those of the recorded run."""

from __future__ import annotations

import pytest

from reports.model.default_run import PACKAGED_RUN
from reports.model.read_result import read_result
from reports.model.report_error import ReportError
from reports.renderers.findings_page import render_findings
from reports.writers import readme


def test_the_tables_are_those_of_the_recorded_run() -> None:
    text = readme.README.read_text(encoding="utf-8")
    assert readme.replace_tables(text, read_result(PACKAGED_RUN)) == text, (
        "renew them: python -m reports.writers.readme audit-report"
    )


def test_the_page_of_findings_is_that_of_the_recorded_run() -> None:
    assert readme.FINDINGS.read_text(encoding="utf-8") == render_findings(read_result(PACKAGED_RUN)), (
        "renew it: python -m reports.writers.readme"
    )


@pytest.mark.slow
def test_a_readme_without_markers_is_refused() -> None:
    with pytest.raises(ReportError, match="markers"):
        readme.replace_tables("# nothing here\n", read_result(PACKAGED_RUN))
