"""What was looked up, as lines on a terminal."""

from __future__ import annotations

from recsys_metric_audit import parse
from recsys_metric_audit.audit.cli.shared.lookup import AuditedFunction, ChoosingGuide, Metric
from recsys_metric_audit.audit.cli.shared.lookup_text import finding_lines, print_subject
from recsys_metric_audit.reports.model.result import EvidenceSummary
from tests.support.console_lines import at_80
from tests.support.result_samples import finding


def test_every_kind_of_subject_is_printed() -> None:
    assert any("ndcg@k|gain:exp2" in line for line in at_80(print_subject, Metric("ndcg")))
    assert at_80(print_subject, ChoosingGuide())
    assert any("ideal:all" in line for line in at_80(print_subject, parse("ndcg@20|ideal:all")))


def test_a_definition_that_several_findings_share_is_printed_once() -> None:
    found = tuple(finding(version=version, function="alpha.ndcg") for version in ("1.0", "2.0"))
    lines = at_80(print_subject, AuditedFunction(found, "this run"))
    assert lines[0].strip() == "From this run."
    assert sum("alpha 1.0: alpha.ndcg" in line for line in lines) == 1
    assert sum("alpha 2.0: alpha.ndcg" in line for line in lines) == 1
    assert sum(line.strip() == "Formula" for line in lines) == 1


def test_a_function_without_value_says_why() -> None:
    lost = finding(status="failed", reason="ValueError: no", verdict=None, value=None, signature=None, definition={})
    assert finding_lines(lost) == ["not measured (failed): ValueError: no"]


def test_definitions_that_fit_too_are_counted_after_the_fourth() -> None:
    others = tuple(f"ndcg@20|gain:exp2|users:both|ideal:{value}" for value in ("all", "ones", "none")) + tuple(
        f"ndcg@20|discount:ln|ideal:{value}" for value in ("all", "ones", "none")
    )
    lines = finding_lines(finding(verdict="ambiguous", equivalent=others))
    assert lines[0].startswith("ambiguous: it ")
    assert lines[1] == "one is ndcg@20"
    assert lines[2].startswith("as well as ndcg@k|gain:exp2") and lines[2].endswith(" and 2 more")


def test_what_the_documentation_says_is_compared() -> None:
    claimed = finding(claimed="ndcg@20|gain:exp2", matches_claim=False)
    assert "its documentation says ndcg@20|gain:exp2, which it does not" in finding_lines(claimed)


def test_what_is_missing_is_told_of_no_definition_and_of_several() -> None:
    unpredicted = "No definition predicts what it gives on the smallest lists."
    none = finding(verdict="unexplained", signature=None, evidence=EvidenceSummary(unpredicted=unpredicted))
    assert finding_lines(none)[-1] == unpredicted
    several = finding(verdict="ambiguous", evidence=EvidenceSummary(separating_case="a short list"))
    assert finding_lines(several)[-1] == "would tell them apart: a short list"
