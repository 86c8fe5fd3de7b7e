"""The recorded run keeps what tables and issues need; a README without its markers is refused."""

from __future__ import annotations

import pytest

from recsys_metric_audit.reports.model.default_run import PACKAGED_RUN
from recsys_metric_audit.reports.model.read_result import read_result
from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result import EvidenceSummary
from recsys_metric_audit.reports.writers import readme
from tests.support.result_samples import differing, finding, library, result, witness


def test_the_recorded_run_keeps_what_issues_quote() -> None:
    claim = {"claimed": "recall@k", "matches_claim": False, "script": "import beta", "witness": witness()}
    places = {"beta.recall": "docstring", "beta.ndcg": "docstring"}
    made = (differing("recall", "beta", "denominator", "min", 0.2, **claim), finding("ndcg", "beta", script="import"))
    kept = readme.reduce_run(result(libraries=(library("beta", claims=places),), findings=made))
    assert kept.libraries[0].claims == {"beta.recall": "docstring"}
    assert [each.script for each in kept.findings] == ["import beta", None]
    assert kept.findings[0].witness is not None and len(kept.findings[0].witness.users) == 1


def test_of_the_evidence_the_packaged_run_keeps_what_is_missing() -> None:
    seen = EvidenceSummary(cases=9, unpredicted="No definition predicts ties.", separating_case="a short list")
    made = (finding(verdict="unexplained", signature=None, evidence=seen), finding(function="b", evidence=seen))
    none, known = readme.reduce_run(result(libraries=(library("alpha"),), findings=made)).findings
    assert none.evidence == EvidenceSummary(unpredicted="No definition predicts ties.", separating_case="a short list")
    assert known.evidence == EvidenceSummary()


@pytest.mark.slow
def test_a_readme_without_markers_is_refused() -> None:
    with pytest.raises(ReportError, match="markers"):
        readme.replace_tables("# nothing here\n", read_result(PACKAGED_RUN))
