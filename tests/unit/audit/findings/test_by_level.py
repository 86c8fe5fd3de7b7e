"""What fits is told level by level: formulas apart from who counts and from input handling."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.audit.findings.by_level import LISTED, PER_USER, SOMEBODY, split_by_level
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import FAMILIES


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
