"""Hold how claims of papers are read and judged."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.experiments.outcome import Answer
from recsys_metric_audit.reports.model.result import EvidenceSummary, Finding, Library, Nearest, Step
from recsys_metric_audit.reports.paper.arithmetic import Equal, Raises, Reversed, Uncounted
from recsys_metric_audit.reports.paper.claims import Beside, Effect, load_claims, paper_keys
from recsys_metric_audit.reports.paper.digits import common_digits, compare_digits
from recsys_metric_audit.reports.paper.judging import (
    findings_beside,
    judge_claims,
    judged_findings,
    measured_effects,
)
from recsys_metric_audit.reports.paper.published import PAPER_TITLES, PAPER_VERSIONS, RE_AUDITED, published_cells
from recsys_metric_audit.reports.paper.sample_data import mean_on
from tests.support import result_samples as samples
from tests.support.paper_findings import audited, identified, judged_claim, judged_subject

# The claims of papers are read as data.


def test_the_claims_of_2021_are_those_of_the_paper_and_name_libraries_of_its_tables() -> None:
    data = load_claims()
    assert [claim.number for claim in data.claim] == list(range(1, 22))
    assert {about.library for claim in data.claim for about in claim.about} <= set(PAPER_TITLES)
    assert len(data.table3) == 4 and len(data.described) == 6
    for claim in data.claim:
        assert claim.about or claim.arithmetic
        for about in claim.about:
            assert about.version == PAPER_VERSIONS.get(about.library, about.version)


@pytest.mark.parametrize("key", paper_keys())
def test_every_claim_of_every_paper_is_cited_and_can_be_judged(key: str) -> None:
    data = load_claims(key)
    assert data.paper.link.startswith("https://")
    assert [claim.number for claim in data.claim] == list(range(1, len(data.claim) + 1))
    for claim in data.claim:
        assert claim.text and claim.citation and (claim.about or claim.arithmetic or claim.experiment)
        if key != RE_AUDITED:
            assert "“" in claim.text, "a later paper is quoted"


def test_the_paper_of_2021_comes_first() -> None:
    assert paper_keys()[0] == RE_AUDITED and len(set(paper_keys())) == len(paper_keys()) > 1


# Checks on the paper's own values.

GAUC, WEIGHTED = 0.7046229461413768, 0.6881719788628613
"""Elliot's GAUC and AUC in table2_full_precision.csv of the paper's companion repository."""


def check(number: int, kind: str) -> Raises | Uncounted | Reversed:
    """Return the check of a kind that a claim has."""
    claim = next(claim for claim in load_claims().claim if claim.number == number)
    (found,) = [each for each in claim.arithmetic if each.kind == kind]
    assert isinstance(found, Raises | Uncounted | Reversed)
    return found


def test_weighting_lowers_the_mean_on_the_papers_data() -> None:
    made = check(16, "raises").run()
    assert not made.holds, "so it cannot explain a value above the unweighted one"
    assert f"{WEIGHTED - GAUC:+.4f}" == "-0.0165" and "-0.0165" in made.numbers


def test_what_is_ranked_zero_explains_recboles_value_between_two_shares() -> None:
    """0.8582 - 0.6882 = 0.1700 of the pairs; an item behind place 6,967 of 7,811 wins at least 0.892 of its own:
    0.1700 / 1 and 0.1700 / 0.892 = 0.1906."""
    found = check(16, "uncounted")
    assert isinstance(found, Uncounted)
    assert found.shares == pytest.approx((0.1700, 0.1906), abs=5e-5)
    made = found.run()
    assert made.holds and "17 to 19 %" in made.short


def test_a_share_above_all_relevant_items_explains_nothing() -> None:
    found = check(16, "uncounted").model_copy(update={"shortest": 1})
    assert not found.run().holds


def test_daisyrecs_failed_value_is_dl_rs_evaluations_turned_round() -> None:
    """0.19139559641952136 / 0.47457006952067327 = 0.4033...; (1 - 0.4033...) * 0.4746 = 0.28317447310115185."""
    turned = 0.47457006952067327 - 0.19139559641952136
    assert turned == pytest.approx(0.28317447310115185, rel=1e-14)
    made = check(18, "reversed").run()
    assert made.holds and made.short.endswith("without them 0.283, as DL RS Evaluation")


@pytest.mark.parametrize("change", [{"counted": 0.2}, {"left_out": 0.5}, {"equals": "recbole/auc"}])
def test_other_values_are_not_explained_by_the_faults(change: dict[str, object]) -> None:
    assert not check(18, "reversed").model_copy(update=change).run().holds


def test_a_cell_names_a_value_of_table_1_or_a_column_of_table_2() -> None:
    made = Equal(kind="equal", says="one", cells=("elliot/auc", "elliot/auc/SAUC")).run()
    assert made.holds
    with pytest.raises(ValidationError, match="no published value"):
        Equal(kind="equal", says="one", cells=("elliot/auc", "elliot/auc/NOTHING"))


# Causes that the paper names, moved alone.


def test_the_base_of_the_logarithm_is_not_why_dl_rs_evaluation_differs() -> None:
    """ln and log2 cancel where the ideal has the same: seeds of the answer are the definition found, and 0.0798 /
    0.0898 = 0.8884, which is none of 1, 1/ln 2 = 1.4427 and ln 2 = 0.6931."""
    made = judged_claim(
        12, identified("dl_rs_evaluation", "14e765bc", "ndcg@20|gain:exp2|ideal:all", function="metrics.ndcg")
    )
    assert made.verdict is Answer.no
    cause = made.subjects[0].cause
    assert cause is not None and cause.confirmed is False
    assert [(trial.change, trial.matters) for trial in cause.named] == [("discount from log2 to ln", False)]
    assert [(trial.change, trial.suffices) for trial in cause.found] == [("ideal from all to k", True)]
    assert not made.checks[0].holds and "0.8884" in made.checks[0].numbers


# Digits that two values share, and the paper's values against those of a run.


@pytest.mark.parametrize(
    ("one", "other", "digits"),
    [
        (0.5, 0.5, 16),
        (0.39, 0.391, 2),
        (0.0391, 0.0399, 1),
        (123.456, 123.4561, 6),
        (1.0, float("nan"), 0),
        (0.1, 0.9, 0),
    ],
)
def test_digits_that_are_the_same(one: float, other: float, digits: int) -> None:
    assert common_digits(one, other) == digits


def test_the_papers_values_are_compared_on_its_data_where_the_definitions_agree() -> None:
    def of(library: str, signature: str, denominator: str) -> Finding:
        return samples.finding(
            "average_precision", library, "0.5.0", signature=signature, value=0.03169024584736,
            definition={"denominator": denominator},
        )  # fmt: skip

    found = (
        of("rs_metrics", "average_precision@20|denominator:r|order:rows", "r"),
        of("elliot", "average_precision@20|denominator:r", "r"),
    )
    entries = (samples.library("rs_metrics", "0.5.0"), samples.library("elliot", "0.5.0"))
    plain = samples.result(libraries=entries, findings=found, reference=())
    assert compare_digits(plain) == ()
    own = plain.model_copy(update={"dataset": plain.dataset.model_copy(update={"name": "ml-20m"})})
    assert [(each.library, each.paper, each.digits) for each in compare_digits(own)] == [
        ("rs_metrics", 0.031690245847362415, 13)
    ]


# Changes measured on the data of a run, and functions beside a claim.

WEIGHTED_OF_EFFECTS = "auc|pooling:weighted|weight:relevant"
EFFECT = Effect(library="recbole", function="(?i)gauc", axes=("pooling", "weight"), label="weighting alone")


def test_an_effect_is_read_off_the_steps_of_a_finding() -> None:
    steps = [("", 0.75), ("negatives", 0.5), ("pooling", 0.5), ("weight", 0.25), ("users", 0.125)]
    decomposition = tuple(Step(axis=axis, signature="auc", value=value) for axis, value in steps)
    finding = identified("recbole", "1.2.1", WEIGHTED_OF_EFFECTS, function="recbole.GAUC", decomposition=decomposition)
    (made,) = measured_effects((EFFECT,), audited(finding))
    assert (made.before, made.after, made.version) == (0.5, 0.25, "1.2.1")


def test_a_finding_without_these_steps_measures_nothing() -> None:
    step = Step(axis="", signature="auc", value=0.5)
    finding = identified("recbole", "1.2.1", "auc", function="recbole.GAUC", decomposition=(step,))
    assert measured_effects((EFFECT,), audited(finding)) == ()


@pytest.mark.parametrize(
    ("signature", "words"),
    [("ndcg@20|ideal:all", "divides by the DCG of all relevant items"), ("ndcg@20", "computes the canonical formula")],
)
def test_functions_beside_a_claim_are_told_in_words(signature: str, words: str) -> None:
    beside = Beside(library="openrec", metric="ndcg", version="0.3.0", function="tf1", label="tf1")
    finding = identified("openrec", "0.3.0", signature, function="openrec.tf1.NDCG", formula=signature)
    assert findings_beside((beside,), audited(finding)) == (f"tf1: {words}",)
    assert findings_beside((beside,), audited()) == ()


# One finding against a claim: settings, ambiguity, failures.


@pytest.mark.parametrize(
    ("signature", "verdict", "others"),
    [
        ("average_precision@20|denominator:k", Answer.yes, ()),
        ("average_precision@20|denominator:shown", Answer.yes_but, ("short",)),
        ("average_precision@20|denominator:hits", Answer.no, ("full", "short")),
    ],
)
def test_what_equals_the_claim_on_full_lists_only_is_true_of_the_papers_call(
    signature: str, verdict: Answer, others: tuple[str, ...]
) -> None:
    made = judged_subject(4, identified("daisyrec", "1.1.2", signature))
    assert (made.verdict, made.findings[0].unequal_in) == (verdict, others)


def test_a_gain_that_depends_on_the_threshold_is_the_papers_at_one_threshold_only() -> None:
    made = judged_subject(
        11, identified("elliot", "0.3.1", "ndcg@20|gain:exp2_threshold", function="elliot.metrics.nDCG")
    )
    assert made.verdict is Answer.yes_but
    assert made.findings[0].unequal_in == ("threshold",)


@pytest.mark.parametrize(
    ("equivalent", "verdict"),
    [
        (("average_precision@20|denominator:min_shown",), Answer.yes),
        (("average_precision@20|ties:item_asc",), Answer.yes),
        (("average_precision@20|denominator:r",), Answer.unknown),
        ((), Answer.unknown),
    ],
)
def test_an_ambiguous_finding_is_judged_by_all_that_fits(equivalent: tuple[str, ...], verdict: Answer) -> None:
    one = identified("recbole", "0.2.1", "average_precision@20", verdict="ambiguous", equivalent=equivalent)
    assert judged_subject(6, one).verdict is verdict


def test_where_what_fits_parts_beyond_the_papers_call_it_is_said_to_be_unknown() -> None:
    more = ("average_precision@20|denominator:min_shown",)
    one = identified("recbole", "0.2.1", "average_precision@20", verdict="ambiguous", equivalent=more)
    judged = judged_subject(6, one).findings[0]
    assert (judged.equal_in, judged.unequal_in, judged.undecided_in) == (("full",), (), ("short",))


def test_an_unexplained_finding_says_nothing_and_names_the_nearest() -> None:
    near = Nearest(signature="average_precision@k|denominator:k|indicator:dropped", deviation=0.01)
    lost = {
        "verdict": "unexplained",
        "signature": None,
        "evidence": EvidenceSummary(nearest=near),
        "function": "elliot.MAP",
    }
    made = judged_subject(7, identified("elliot", "0.3.1", "average_precision@20", **lost))
    assert made.verdict is Answer.unknown
    assert "off by up to 0.01" in made.findings[0].reason


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"status": "failed", "reason": "NameError", "verdict": None, "signature": None, "value": None}, "yes"),
        ({"value": math.nan}, "yes"),
        ({"value": 0.7}, "no"),
        ({"value": None}, "unknown"),
    ],
)
def test_a_claimed_failure_is_one_that_happens(changes: dict[str, Any], verdict: str) -> None:
    assert judged_subject(18, identified("daisyrec", "1.1.2", "auc", **changes)).verdict == verdict


def test_users_without_a_class_are_what_the_claims_on_averaging_are_judged_by() -> None:
    skips = identified("elliot", "0.3.1", "auc|users:both", function="elliot.GAUC")
    zero = identified("elliot", "0.3.1", "auc|users:predictions|undefined:0|no_negatives:0", function="elliot.GAUC")
    assert judged_subject(15, skips).findings[0].unequal_in == ("undefined",)
    assert judged_subject(15, zero).verdict is Answer.yes


# Claims judged over functions, versions and the paper's own values.


def test_a_finding_that_computes_what_is_claimed_reproduces_it() -> None:
    made = judged_claim(2, identified("dl_rs_evaluation", "14e765bc", "hit_rate@20|counts:hits|ties:item_asc"))
    assert made.verdict is Answer.yes
    assert made.subjects[0].findings[0].equal_in == ("full", "short")
    assert made.subjects[0].cause is not None and made.subjects[0].cause.confirmed


def test_a_finding_that_computes_something_else_contradicts_it_and_says_what() -> None:
    made = judged_claim(2, identified("dl_rs_evaluation", "14e765bc", "hit_rate@20"))
    assert made.verdict is Answer.no
    assert made.subjects[0].findings[0].differences == ("counts:any",)


def test_other_functions_of_the_same_metric_are_not_meant() -> None:
    made = judged_subject(11, identified("elliot", "0.3.1", "ndcg@20", function="elliot.metrics.nDCGRendle2020"))
    assert made.verdict is Answer.unknown and not made.findings


def test_versions_that_part_are_named() -> None:
    made = judged_subject(
        5,
        identified("rs_metrics", "0.5.0", "average_precision@20|denominator:r"),
        identified("rs_metrics", "0.3.0", "average_precision@20|denominator:shown"),
    )
    assert made.verdict is Answer.in_part


def test_another_version_alone_can_bear_a_claim_out_but_not_refute_it() -> None:
    same = judged_subject(5, identified("rs_metrics", "0.6.0", "average_precision@20|denominator:r"))
    assert same.verdict is Answer.yes and "0.5.0, the paper's version, is not in this audit" in same.reason
    other = judged_subject(5, identified("rs_metrics", "0.3.0", "average_precision@20|denominator:shown"))
    assert other.verdict is Answer.unknown and "compute something else" in other.reason


def test_functions_of_one_version_that_part_make_it_a_matter_of_the_call() -> None:
    made = judged_subject(
        3,
        identified("daisyrec", "1.1.2", "reciprocal_rank@20|ranks:sum"),
        identified("daisyrec", "1.1.2", "reciprocal_rank@20", function="daisyrec.pipeline"),
    )
    assert made.verdict is Answer.yes_but


def test_the_papers_own_number_tells_a_call_of_its_own_from_an_error() -> None:
    """DaisyRec's published NDCG is, to the last digits, that of the binary NDCG of rs_metrics."""
    made = judged_claim(
        9, identified("daisyrec", "1.1.2", "ndcg@20|ideal:retrieved"), identified("rs_metrics", "0.5.0", "ndcg@20")
    )
    assert next(each for each in made.subjects if each.about.library == "daisyrec").verdict is Answer.yes_but
    alone = judged_claim(9, identified("daisyrec", "1.1.2", "ndcg@20|ideal:retrieved"))
    assert alone.verdict is Answer.no


def test_arithmetic_alone_decides_where_it_can() -> None:
    made = judge_claims(samples.result(libraries=(), findings=(), reference=()))
    by_number = {each.claim.number: each.verdict for each in made}
    assert by_number[2] is Answer.yes, "20 × Precision"
    assert by_number[12] is Answer.no, "no base of a logarithm makes 0.8884"
    assert by_number[16] is Answer.no, "weighting lowers 0.705 to 0.688"
    others = {number: verdict for number, verdict in by_number.items() if number not in (2, 12, 16)}
    assert set(others.values()) == {Answer.unknown}


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


# The published values: signatures exist, and full precision rounds to what is printed.


def test_every_variant_that_the_paper_claims_is_a_definition_and_every_value_fits_its_print() -> None:
    for each in published_cells():
        if each.variant:
            assert parse(each.variant).metric == each.metric
        if each.full is not None:
            digits = len(each.printed.rstrip("*").split(".")[1])
            assert f"{each.full:.{digits}f}" == each.printed.rstrip("*")


# Settings in which two definitions are compared.


def test_the_discounts_base_shows_where_the_ideal_does_not_cancel_it() -> None:
    plain = mean_on(parse("ndcg@k|ideal:none"), "full")
    assert math.isclose(mean_on(parse("ndcg@k|ideal:none|discount:ln"), "full"), plain / np.log(2), rel_tol=1e-12)
