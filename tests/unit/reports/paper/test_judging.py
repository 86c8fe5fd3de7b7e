"""Claims judged over functions, versions and the paper's own values."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import Library
from recsys_metric_audit.reports.paper.judged_finding import ClaimVerdict
from recsys_metric_audit.reports.paper.judging import judge_claims, judged_findings
from tests.support import result_samples as samples
from tests.support.paper_findings import audited, identified, judged_claim, judged_subject


def test_a_finding_that_computes_what_is_claimed_reproduces_it() -> None:
    made = judged_claim(2, identified("dl_rs_evaluation", "14e765bc", "hit_rate@20|counts:hits|ties:item_asc"))
    assert made.verdict is ClaimVerdict.reproduced
    assert made.subjects[0].findings[0].equal_in == ("full", "short")
    assert made.subjects[0].cause is not None and made.subjects[0].cause.confirmed


def test_a_finding_that_computes_something_else_contradicts_it_and_says_what() -> None:
    made = judged_claim(2, identified("dl_rs_evaluation", "14e765bc", "hit_rate@20"))
    assert made.verdict is ClaimVerdict.contradicted
    assert made.subjects[0].findings[0].differences == ("counts:any",)


def test_other_functions_of_the_same_metric_are_not_meant() -> None:
    made = judged_subject(11, identified("elliot", "0.3.1", "ndcg@20", function="elliot.metrics.nDCGRendle2020"))
    assert made.verdict is ClaimVerdict.open and not made.findings


def test_versions_that_part_are_named() -> None:
    made = judged_subject(
        5,
        identified("rs_metrics", "0.5.0", "average_precision@20|denominator:r"),
        identified("rs_metrics", "0.3.0", "average_precision@20|denominator:shown"),
    )
    assert made.verdict is ClaimVerdict.versions


def test_another_version_alone_can_bear_a_claim_out_but_not_refute_it() -> None:
    same = judged_subject(5, identified("rs_metrics", "0.6.0", "average_precision@20|denominator:r"))
    assert same.verdict is ClaimVerdict.reproduced and "0.5.0, the paper's version, is not in this audit" in same.reason
    other = judged_subject(5, identified("rs_metrics", "0.3.0", "average_precision@20|denominator:shown"))
    assert other.verdict is ClaimVerdict.open and "compute something else" in other.reason


def test_functions_of_one_version_that_part_make_it_a_matter_of_the_call() -> None:
    made = judged_subject(
        3,
        identified("daisyrec", "1.1.2", "reciprocal_rank@20|ranks:sum"),
        identified("daisyrec", "1.1.2", "reciprocal_rank@20", function="daisyrec.pipeline"),
    )
    assert made.verdict is ClaimVerdict.way


def test_the_papers_own_number_tells_a_call_of_its_own_from_an_error() -> None:
    """DaisyRec's published NDCG is, to the last digits, that of the binary NDCG of rs_metrics."""
    made = judged_claim(
        9, identified("daisyrec", "1.1.2", "ndcg@20|ideal:retrieved"), identified("rs_metrics", "0.5.0", "ndcg@20")
    )
    assert next(each for each in made.subjects if each.about.library == "daisyrec").verdict is ClaimVerdict.way
    alone = judged_claim(9, identified("daisyrec", "1.1.2", "ndcg@20|ideal:retrieved"))
    assert alone.verdict is ClaimVerdict.contradicted


def test_arithmetic_alone_decides_where_it_can() -> None:
    made = judge_claims(samples.result(libraries=(), findings=(), reference=()))
    by_number = {each.claim.number: each.verdict for each in made}
    assert by_number[2] is ClaimVerdict.reproduced, "20 × Precision"
    assert by_number[12] is ClaimVerdict.contradicted, "no base of a logarithm makes 0.8884"
    assert by_number[16] is ClaimVerdict.contradicted, "weighting lowers 0.705 to 0.688"
    others = {number: verdict for number, verdict in by_number.items() if number not in (2, 12, 16)}
    assert set(others.values()) == {ClaimVerdict.open}


def test_a_version_that_could_not_run_gives_its_reason() -> None:
    entry = Library(
        library="recbole", title="RecBole", version="0.2.1", python="3.7", source="package", status="unavailable",
        reason="Python 3.7 was not found", live=True,
    )  # fmt: skip
    made = judge_claims(samples.result(libraries=(entry,), findings=(), reference=()))
    assert "Python 3.7 was not found" in made[5].subjects[0].reason


def test_what_experiments_read_is_kept_for_the_packaged_run() -> None:
    wanted = [
        identified("cornac", "1", "ndcg@20", function="cornac.ndcg[option=1]"),
        identified("recbole", "1.2.1", "ndcg@20", function="recbole.evaluator.metrics.NDCG"),
    ]
    kept = judged_findings(audited(*wanted, identified("nobody", "1", "ndcg@20")))
    assert {each.library for each in kept} == {"cornac", "recbole"}
