"""The decision of the verdict, given the definitions that fit; stability and claims."""

from __future__ import annotations

from typing import Any

import pytest

from recsys_metric_audit.audit.findings.by_level import ByLevel, split_by_level
from recsys_metric_audit.audit.findings.verdict import (
    claimed_definition,
    decide_verdict,
    is_unstable,
    matches_claim,
    who_documents,
)
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, NotOffered, Outcome, TimedOut
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.answers_of_oracle import measured

RECALL = Function(name="f", metric="recall")
TOLERANCE = Tolerance(1e-9, "float64")


def repeated(first: Outcome, *later: Outcome) -> Observation:
    """Return the answers of a function that was asked one probe several times."""
    return Observation("f", {"probe": first}, {}, {"probe": later})


def leveled(*signatures: str, **more: Any) -> ByLevel | None:
    """Return the definitions that fit, told by level; None where none fits."""
    return split_by_level([parse(each) for each in signatures], (), **more) if signatures else None


def claiming(signature: str) -> Function:
    return RECALL.model_copy(update={"claims": signature})


@pytest.mark.parametrize(
    ("fitting", "verdict"),
    [
        ((), "unexplained"),
        (("recall@k",), "agrees"),
        (("recall@k|denominator:min",), "variant"),  # min(k, r): Mult-VAE (Liang et al. 2018) states it
        (("recall@k|denominator:hits",), "undocumented"),
        (("recall@k|denominator:min|users:all|undefined:1",), "variant"),  # who counts is told beside it
        (("recall@k|users:both|ties:item_desc",), "agrees"),
        (("recall@k", "recall@k|ties:item_desc"), "agrees"),  # one formula; the rule for ties is unknown
        (("recall@k", "recall@k|denominator:min"), "ambiguous"),
        (("precision@k",), "variant"),  # the canonical definition of another metric than the name says
    ],
)
def test_the_verdict_is_about_the_formulas_that_fit(fitting: tuple[str, ...], verdict: str) -> None:
    by_level = leveled(*fitting)
    documented_by = who_documents(by_level, RECALL) if by_level else ()
    assert decide_verdict(by_level, documented_by, RECALL) == verdict


def test_a_formula_of_which_an_axis_is_unknown_is_not_said_to_agree() -> None:
    found = split_by_level([parse("ndcg@k")], ("gain",))
    assert decide_verdict(found, (), Function(name="f", metric="ndcg")) == "ambiguous"


def test_one_ranking_of_all_users_does_not_apply_to_values_of_single_users() -> None:
    found = split_by_level([parse("auc")], ("scope",), per_user=True)
    assert "scope" in found.does_not_apply
    assert decide_verdict(found, (), Function(name="f", metric="auc", cutoff=False)) == "agrees"


def test_formulas_that_the_function_cannot_be_asked_apart_are_one() -> None:
    by_level = leveled("recall@k", "recall@k|denominator:min", inseparable="it refuses users with r above k")
    assert decide_verdict(by_level, (), RECALL) == "agrees"


def test_the_documentation_of_the_library_makes_a_formula_documented() -> None:
    by_level = leveled("recall@k|denominator:hits|ties:best")
    assert by_level is not None
    assert who_documents(by_level, claiming("recall@k|denominator:hits")) == ("library",)
    assert who_documents(by_level, claiming("recall@k")) == ()
    assert decide_verdict(by_level, ("library",), RECALL) == "variant"


def test_library_and_catalogue_may_both_document_a_formula() -> None:
    by_level = leveled("recall@k|denominator:min")
    assert by_level is not None
    assert who_documents(by_level, claiming("recall@k|denominator:min")) == ("library", "catalogue")


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("recall|cutoff:none", "agrees"),
        ("recall|denominator:min|cutoff:none", "variant"),  # of a list of k items: Liang et al. 2018
        ("recall|denominator:hits|cutoff:none", "undocumented"),
    ],
)
def test_that_a_function_without_cut_off_reads_whole_lists_is_no_difference(formula: str, verdict: str) -> None:
    by_level = leveled(formula)
    assert by_level is not None
    uncut = RECALL.model_copy(update={"cutoff": False})
    assert decide_verdict(by_level, who_documents(by_level, uncut), uncut) == verdict
    assert decide_verdict(by_level, who_documents(by_level, RECALL), RECALL) == "undocumented"


def test_the_canonical_definition_of_the_function_decides_what_agrees() -> None:
    overridden = RECALL.against(parse("recall@k|denominator:min"))
    assert decide_verdict(leveled("recall@k|denominator:min"), (), overridden) == "agrees"
    assert decide_verdict(leveled("recall@k"), ("catalogue",), overridden) == "variant"


@pytest.mark.parametrize(
    ("first", "second", "unstable"),
    [
        (measured(0.5), measured(0.5 + 1e-12), False),  # within the tolerance
        (measured(0.5), measured(0.6), True),
        (measured(0.5), Errored("ValueError", "", ""), True),
        (measured(0.5), Crashed(1, "", asked=True), True),
        (measured(0.5), TimedOut(1.0, asked=True), False),  # a busy machine may be to blame
        (measured(0.5), NotOffered("gone"), False),
        (Errored("ValueError", "", ""), Errored("KeyError", "", ""), False),  # an error both times
        (Errored("ValueError", "", ""), measured(0.5), True),
    ],
)
def test_a_repeated_question_with_another_answer_is_unstable(first: Outcome, second: Outcome, unstable: bool) -> None:
    assert is_unstable(repeated(first, second), TOLERANCE) is unstable


@pytest.mark.parametrize(
    ("claim", "computed", "matches"),
    [
        ("recall@k", "recall@k", True),
        ("recall@k", "recall@k|denominator:min", None),  # the claim states no denominator
        ("recall@k|denominator:r", "recall@k|denominator:min", False),  # stated, at the canonical value
        ("recall@k|denominator:min", "recall@k", False),
        ("recall@k", "recall@k|users:all|undefined:0", True),  # the claim names no axis of averaging
        ("recall@k|users:all|undefined:0", "recall@k", False),
        ("auc|scope:stacked", "auc|scope:stacked|unlisted:dropped", None),  # nothing stated of unlisted items
        ("auc|scope:stacked", "auc|unlisted:dropped", False),
        ("auc|pooling:weighted", "auc", False),  # weighted, by what is not said
        ("auc|pooling:weighted", "auc|pooling:weighted|weight:relevant", None),
        ("ndcg@k|discount:log10", "ndcg@k", True),  # the base cancels between DCG and ideal
        ("ndcg@k|discount:log10|ideal:none", "ndcg@k|ideal:none", False),
        ("precision@k", "recall@k", False),
        (None, "recall@k", None),
    ],
)
def test_a_claim_is_compared_on_the_axes_that_it_states(claim: str | None, computed: str, matches: bool | None) -> None:
    assert matches_claim(claim, leveled(computed)) is matches


def test_a_claim_is_contradicted_only_if_no_formula_that_fits_has_what_it_states() -> None:
    several = leveled("recall@k|denominator:min", "recall@k|denominator:hits")
    assert matches_claim("recall@k|denominator:r", several) is False
    assert matches_claim("recall@k|denominator:min", several) is None


def test_of_formulas_that_no_input_tells_apart_a_claim_may_state_any_but_no_other() -> None:
    alike = leveled("recall@k|denominator:min", "recall@k|denominator:k", inseparable="every list is as long as r")
    assert alike is not None and alike.formulas == (parse("recall@k|denominator:min"),)
    assert matches_claim("recall@k|denominator:min", alike) is True
    assert matches_claim("recall@k|denominator:k", alike) is True
    assert matches_claim("recall@k|denominator:hits", alike) is False


def test_a_claimed_definition_differs_in_nothing_but_what_is_stated() -> None:
    found = parse("average_precision@k|denominator:k|indicator:every|ties:best")
    claimed = claimed_definition("average_precision@k|denominator:min", found)
    assert claimed.signature() == "average_precision@k|indicator:every|ties:best"
    assert claimed_definition("average_recall@k", found).signature() == "average_recall@k"


def test_a_claim_is_not_judged_by_what_is_unknown_or_does_not_apply() -> None:
    assert matches_claim("recall@k", None) is None
    assert matches_claim("recall@k", leveled("recall@k", "recall@k|denominator:min")) is None
    ties = [parse("recall@k|ties:best"), parse("recall@k|ties:worst")]
    assert matches_claim("recall@k|ties:best", split_by_level(ties, ())) is None
    assert matches_claim("recall@k", split_by_level(ties, ())) is True
    ruled_out = {"ties": "a ranked list carries no scores"}
    assert matches_claim("recall@k|ties:best", split_by_level(ties[1:], (), ruled_out=ruled_out)) is True
