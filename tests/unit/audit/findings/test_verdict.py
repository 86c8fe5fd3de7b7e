"""What fits is told level by level: formulas apart from who counts and from input handling."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from recsys_metric_audit.audit.findings.verdict import (
    LISTED,
    PER_USER,
    SOMEBODY,
    ByLevel,
    claimed_definition,
    decide_verdict,
    is_unstable,
    matches_claim,
    split_by_level,
    who_documents,
)
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Crashed, Errored, NotOffered, Outcome, TimedOut
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import FAMILIES
from tests.support.answers_of_oracle import measured

# What fits is told level by level: formulas apart from who counts and from input handling.


def of(*signatures: str, unidentified: tuple[str, ...] = (), **more: object):  # type: ignore[no-untyped-def]
    return split_by_level([parse(each) for each in signatures], unidentified, **more)


def test_one_definition_states_every_axis() -> None:
    told = of("ndcg@k|gain:exp2|users:both")
    assert [each.signature() for each in told.formulas] == ["ndcg@k|gain:exp2"]
    assert told.shown.signature() == "ndcg@k|gain:exp2|users:both"
    assert set(told.definition) == set(parse("ndcg").axes)
    assert (told.unknown, told.does_not_apply) == ((), {})


def test_definitions_that_differ_in_input_handling_are_one_formula_with_an_unknown_axis() -> None:
    told = of("ndcg@k|ties:best", "ndcg@k|ties:worst")
    assert len(told.formulas) == 1
    assert told.unknown == ("ties",)
    assert "ties" not in told.definition
    assert told.shown.signature() == "ndcg@k"


def test_definitions_of_two_formulas_stay_two() -> None:
    told = of("precision@k", "precision@k|denominator:shown")
    assert [each.signature() for each in told.formulas] == ["precision@k", "precision@k|denominator:shown"]
    assert told.unknown == ()


def test_formulas_that_no_input_can_tell_apart_are_one_point() -> None:
    told = of("precision@k", "precision@k|denominator:shown", inseparable="it refuses short lists")
    assert [each.signature() for each in told.formulas] == ["precision@k"]
    assert told.cannot_matter["denominator"] == "between k and shown, it refuses short lists"
    assert "denominator" not in told.unknown


def test_an_axis_without_answers_is_unknown_and_absent() -> None:
    told = of("ndcg@k|no_hit:nan", unidentified=("no_list", "no_hit"))
    assert set(told.unknown) == {"no_list", "no_hit"}
    assert not {"no_list", "no_hit"} & set(told.definition)
    assert told.shown.signature() == "ndcg@k"


def test_the_contract_rules_axes_out_with_its_reason() -> None:
    told = of("ndcg@k|order:rows", ruled_out={"order": "the order of the list is the argument", "scope": "not an axis"})
    assert told.does_not_apply == {"order": "the order of the list is the argument"}
    assert told.shown.signature() == "ndcg@k"
    assert "order" not in told.definition


def test_what_the_contract_rules_out_is_never_unknown_and_makes_no_second_formula() -> None:
    told = of("auc", "auc|unlisted:dropped", ruled_out={"unlisted": "only labelled candidates are passed"})
    assert [each.signature() for each in told.formulas] == ["auc"]
    assert "unlisted" not in told.unknown


def test_a_function_of_users_values_has_no_mean_to_be_known() -> None:
    told = of("ndcg@k", unidentified=("pooling", "weight", "mean"), per_user=True)
    assert told.does_not_apply == dict.fromkeys(("over", "pooling", "weight", "mean", "nobody"), PER_USER)
    assert told.unknown == ()


def test_where_somebody_always_counts_the_rule_for_nobody_cannot_matter() -> None:
    always = of("recall@k|users:all|undefined:0", unidentified=("nobody", "no_list"))
    assert always.cannot_matter["nobody"] == SOMEBODY and always.unknown == ("no_list",)
    # What the adapter decides is shown at its canonical value, and says nothing of who counts.
    assert "nobody" in of("recall@k|users:all|undefined:0", ruled_out={"users": "one user a call"}).cannot_matter
    assert of("recall@k", unidentified=("nobody",)).unknown == ("nobody",)


def test_over_nobody_is_unknown_where_want_of_a_hit_leaves_users_out() -> None:
    """MS Recommenders 1.2.1, ndcg_at_k with raw gains: 0 for no users, NaN for one whose gains are all 0."""
    told = of("ndcg@k|gain:linear|no_hit:skip|nobody:0")
    assert told.unknown == ("nobody",) and told.shown.signature() == "ndcg@k|gain:linear|no_hit:skip"
    assert told.assumed["nobody"] == "0"
    assert of("ndcg@k|gain:linear|no_hit:skip").unknown == ()  # the mean of nobody is 0/0 for every reason
    assert of("ndcg@k|nobody:0").unknown == ()


@pytest.mark.parametrize(
    ("signature", "cannot"),
    [("both", True), ("predictions", True), ("both_rows", True), ("hits", True), ("truth", False), ("all", False)],
)
def test_where_only_listed_users_are_averaged_no_rule_for_the_others_is_stated(signature: str, cannot: bool) -> None:
    told = of(f"recall@k|users:{signature}")
    assert told.cannot_matter.get("no_list") == (LISTED if cannot else None)
    assert "no_list" not in of("recall@k|users:both", unidentified=("users",)).cannot_matter
    assert "no_list" not in of("recall@k|users:both|no_list:error").cannot_matter


@pytest.mark.parametrize("metric", ["recall", "ndcg", "auc", "average_precision", "f_score"])
@pytest.mark.parametrize("users", ["both", "predictions", "hits"])
def test_no_rule_for_users_without_a_list_acts_where_they_are_not_averaged(metric: str, users: str) -> None:
    problem = Problem.of([each.case for each in PROBES], [each.k for each in PROBES])
    names = next(axis.names for axis in FAMILIES[metric].all_axes if axis.name == "no_list")
    rules = [{"users": users, "no_list": name} for name in names if name != "error"]  # some raise all the same
    results = [evaluate(Definition.of(metric, rule), problem) for rule in rules]
    for other in results[1:]:
        np.testing.assert_array_equal(other.mean, results[0].mean)
        np.testing.assert_array_equal(other.refused, results[0].refused)


def test_an_axis_that_changes_nothing_cannot_matter() -> None:
    assert of("ndcg@k|order:rows").cannot_matter["ties"] == "no value of it changes this formula"
    assert "ties" not in of("ndcg@k").cannot_matter


def test_values_of_axes_that_are_not_stated_are_assumed() -> None:
    ruled_out = {"order": "the order of the list is the argument"}
    told = of("ndcg@k|gain:exp2|order:rows", unidentified=("no_hit",), ruled_out=ruled_out, tested={"no_hit": "error"})
    assert told.shown.signature() == "ndcg@k|gain:exp2"
    assert told.assumed == {"order": "rows", "no_hit": "error"}
    assert of("ndcg@k|gain:exp2").assumed == {}


# The decision of the verdict, given the definitions that fit; stability and claims.


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
