"""The README's tables and the page of findings are those of the recorded run."""

from __future__ import annotations

import pytest

from reports.model.default_run import PACKAGED_RUN
from reports.model.read_result import read_result
from reports.model.report_error import ReportError
from reports.renderers.findings_page import render_findings
from reports.writers import readme
from tests.support.result_samples import differing, finding, library, result, witness


def test_the_tables_are_those_of_the_recorded_run() -> None:
    text = readme.README.read_text(encoding="utf-8")
    assert readme.replace_tables(text, read_result(PACKAGED_RUN)) == text, (
        "renew them: python -m reports.writers.readme audit-report"
    )


def test_the_page_of_findings_is_that_of_the_recorded_run() -> None:
    assert readme.FINDINGS.read_text(encoding="utf-8") == render_findings(read_result(PACKAGED_RUN)), (
        "renew it: python -m reports.writers.readme"
    )


def test_the_recorded_run_keeps_what_issues_quote() -> None:
    claim = {"claimed": "recall@k", "matches_claim": False, "script": "import beta", "witness": witness()}
    places = {"beta.recall": "docstring", "beta.ndcg": "docstring"}
    made = (differing("recall", "beta", "denominator", "min", 0.2, **claim), finding("ndcg", "beta", script="import"))
    kept = readme.reduce_run(result(libraries=(library("beta", claims=places),), findings=made))
    assert kept.libraries[0].claims == {"beta.recall": "docstring"}
    assert [each.script for each in kept.findings] == ["import beta", None]
    assert kept.findings[0].witness is not None and len(kept.findings[0].witness.users) == 1


@pytest.mark.slow
def test_a_readme_without_markers_is_refused() -> None:
    with pytest.raises(ReportError, match="markers"):
        readme.replace_tables("# nothing here\n", read_result(PACKAGED_RUN))
