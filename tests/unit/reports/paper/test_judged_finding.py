"""One finding against a claim: settings, ambiguity, failures."""

from __future__ import annotations

import math
from typing import Any

import pytest

from recsys_metric_audit.reports.model.result import EvidenceSummary, Nearest
from recsys_metric_audit.reports.paper.judged_finding import ClaimVerdict
from tests.support.paper_findings import identified, judged_subject


@pytest.mark.parametrize(
    ("signature", "verdict", "others"),
    [
        ("average_precision@20|denominator:k", ClaimVerdict.reproduced, ()),
        ("average_precision@20|denominator:shown", ClaimVerdict.way, ("short",)),
        ("average_precision@20|denominator:hits", ClaimVerdict.contradicted, ("full", "short")),
    ],
)
def test_what_equals_the_claim_on_full_lists_only_is_true_of_the_papers_call(
    signature: str, verdict: ClaimVerdict, others: tuple[str, ...]
) -> None:
    made = judged_subject(4, identified("daisyrec", "1.1.2", signature))
    assert (made.verdict, made.findings[0].unequal_in) == (verdict, others)


def test_a_gain_that_depends_on_the_threshold_is_the_papers_at_one_threshold_only() -> None:
    made = judged_subject(
        11, identified("elliot", "0.3.1", "ndcg@20|gain:exp2_threshold", function="elliot.metrics.nDCG")
    )
    assert made.verdict is ClaimVerdict.way
    assert made.findings[0].unequal_in == ("threshold",)


@pytest.mark.parametrize(
    ("equivalent", "verdict"),
    [
        (("average_precision@20|denominator:min_shown",), ClaimVerdict.reproduced),
        (("average_precision@20|ties:item_asc",), ClaimVerdict.reproduced),
        (("average_precision@20|denominator:r",), ClaimVerdict.open),
        ((), ClaimVerdict.open),
    ],
)
def test_an_ambiguous_finding_is_judged_by_all_that_fits(equivalent: tuple[str, ...], verdict: ClaimVerdict) -> None:
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
    assert made.verdict is ClaimVerdict.open
    assert "off by up to 0.01" in made.findings[0].reason


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"status": "failed", "reason": "NameError", "verdict": None, "signature": None, "value": None}, "reproduced"),
        ({"value": math.nan}, "reproduced"),
        ({"value": 0.7}, "contradicted"),
        ({"value": None}, "not verifiable"),
    ],
)
def test_a_claimed_failure_is_one_that_happens(changes: dict[str, Any], verdict: str) -> None:
    assert judged_subject(18, identified("daisyrec", "1.1.2", "auc", **changes)).verdict == verdict


def test_users_without_a_class_are_what_the_claims_on_averaging_are_judged_by() -> None:
    skips = identified("elliot", "0.3.1", "auc|users:both", function="elliot.GAUC")
    zero = identified("elliot", "0.3.1", "auc|users:predictions|undefined:0|no_negatives:0", function="elliot.GAUC")
    assert judged_subject(15, skips).findings[0].unequal_in == ("undefined",)
    assert judged_subject(15, zero).verdict is ClaimVerdict.reproduced
