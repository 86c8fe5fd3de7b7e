"""It is told, level by level, whether one library gives another's scores."""

from __future__ import annotations

from recsys_metric_audit.reports.experiments.library_agreement import LibraryAgreement
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from recsys_metric_audit.reports.model.result import Finding
from tests.support.paper_findings import audited, identified

CLAIM = LibraryAgreement.model_validate({"kind": "library_agreement", "first": "own", "second": "other"})


def held(own: tuple[str, ...], other: tuple[str, ...]) -> Outcome:
    findings = [identified("own", "1", each, function=f"own.{each}") for each in own]
    findings += [identified("other", "1", each, function=f"other.{each}") for each in other]
    return CLAIM.run(Bench(audited(*findings)))


def test_the_same_definitions_agree_on_every_level() -> None:
    made = held(("ndcg@20", "recall@20"), ("recall@20", "ndcg@20", "precision@20"))
    assert made.answer is Answer.yes and made.reason.startswith(
        "2 of 2 formulas are the same; who counts is the same in 2"
    )
    assert made.lines[0] == "own.ndcg@20 and other.ndcg@20: the same on every level"


def test_other_ties_or_users_leave_the_formulas_alike() -> None:
    made = held(("ndcg@20|ties:text_desc", "recall@20|undefined:0"), ("ndcg@20", "recall@20"))
    assert made.answer is Answer.yes_but
    assert "who counts is the same in 1 of these (undefined:0/skip)" in made.reason
    assert "the handling of unusual rows is the same in 1 of these (ties:text_desc/given)" in made.reason


def test_some_formulas_or_none() -> None:
    made = held(("ndcg@20", "average_precision@20|denominator:r"), ("ndcg@20", "average_precision@20"))
    assert made.answer is Answer.in_part and made.reason.startswith("1 of 2 formulas are the same (not MAP)")
    assert held(("ndcg@20|gain:exp2",), ("ndcg@20",)).answer is Answer.no


def test_the_nearest_of_several_functions_counts() -> None:
    made = held(("ndcg@20|gain:linear",), ("ndcg@20", "ndcg@20|gain:linear|ties:worst", "ndcg@20|gain:linear"))
    assert made.answer is Answer.yes and "and other.ndcg@20|gain:linear: the same" in made.lines[0]


def test_functions_without_a_counterpart_decide_nothing() -> None:
    assert held(("ndcg@20", "hit_rate@20"), ("ndcg@20",)).answer is Answer.yes
    made = held(("hit_rate@20",), ("ndcg@20",))
    assert made.answer is Answer.unknown and made.reason == "own and other have no metric in common"


def test_libraries_that_were_not_audited_are_named() -> None:
    assert held(("ndcg@20",), ()).reason == "other is not in this audit"
    assert CLAIM.run(Bench(audited())).reason == "own and other are not in this audit"


def test_the_findings_of_both_libraries_are_needed() -> None:
    findings: list[Finding] = [identified(name, "1", "ndcg@20") for name in ("own", "other", "third")]
    assert {each.library for each in CLAIM.needs(audited(*findings))} == {"own", "other"}
