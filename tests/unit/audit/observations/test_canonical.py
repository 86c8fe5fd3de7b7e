"""The definition that a function is compared with, and the axes on which another one differs from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.libraries.contract import Made, Takes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.canonical import (
    canonical_definition,
    definitions_under_contract,
    difference_classes,
    differing_axes,
)
from recsys_metric_audit.reference.definitions.definition import parse

MIN = parse("recall@k|denominator:min")
RECALL = Function(name="f", metric="recall")


def test_the_built_in_definition_where_nothing_overrides_it() -> None:
    assert canonical_definition(RECALL) == parse("recall@k")
    assert canonical_definition(RECALL, 5) == parse("recall@5")
    assert canonical_definition(Function(name="f", metric="auc"), 5) == parse("auc")


def test_axes_differ_from_the_override_not_from_the_built_in_one() -> None:
    over = RECALL.against(MIN)
    assert differing_axes(MIN, RECALL) == ("denominator",) and differing_axes(MIN, over) == ()
    assert differing_axes(parse("recall@k"), over) == ("denominator",)
    assert differing_axes(parse("recall@k|users:both"), over) == ("denominator", "users")


def test_another_metric_differs_from_its_own_canonical_definition() -> None:
    over = RECALL.against(MIN)
    assert differing_axes(parse("precision@k|denominator:shown"), over) == ("denominator",)
    assert difference_classes(parse("precision@k"), over) == ("name-is-not-the-metric",)


def test_classes_are_named_once() -> None:
    assert difference_classes(MIN, RECALL) == ("wrong-denominator",)
    assert difference_classes(parse("recall@k"), RECALL.against(MIN)) == ("canonical-overridden",)
    assert difference_classes(parse("recall@k"), RECALL) == ()


def test_whole_lists_where_a_function_takes_no_k() -> None:
    function = Function(name="f", metric="recall", cutoff=False).against(MIN)
    assert canonical_definition(function).signature() == "recall|denominator:min|cutoff:none"
    assert (
        canonical_definition(Function(name="f", metric="recall").against(MIN), 7).signature()
        == "recall@7|denominator:min"
    )


@pytest.mark.parametrize(
    ("cutoff", "signature", "differing"),
    [
        (False, "recall|cutoff:none", ()),
        (True, "recall|cutoff:none", ("cutoff",)),
        (False, "recall|denominator:min|cutoff:none", ("denominator",)),
        (False, "recall@k", ("cutoff",)),  # one that cuts, though it is told no k
        (False, "precision|cutoff:none", ()),
        (False, "precision|denominator:k|cutoff:none", ()),  # the whole list is k rows
        (False, "auc|scope:stacked", ("scope",)),
    ],
)
def test_that_whole_lists_are_read_is_a_difference_where_a_k_was_told(
    cutoff: bool, signature: str, differing: tuple[str, ...]
) -> None:
    function = Function(name="f", metric=signature.split("|")[0].split("@")[0], cutoff=cutoff)
    assert differing_axes(parse(signature), function) == differing


def test_a_library_cannot_choose_it(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="_canonical"):
        Function.model_validate({"name": "f", "metric": "recall", "_canonical": "recall@k"})


def test_what_a_contract_decides_is_varied_and_also_has_the_values_of_the_answers() -> None:
    right, found = parse("recall@k"), parse("recall@k|denominator:min|order:score|relevance:at_least_t|users:all")
    ranked = Function(name="f", metric="recall", takes=Takes(input="ranked", truth="set"))
    made = definitions_under_contract(right, ranked, found)
    assert made[0] == parse("recall@k|order:rows|relevance:at_least_t")
    assert definitions_under_contract(right, ranked)[0] == parse("recall@k|order:rows")
    # A set holds an item once: whether the function would count it twice, nothing shows.
    assert parse("recall@k|truth_duplicates:once") in made
    assert not any(each.axes["truth_duplicates"] == "other" for each in made)
    assert right not in made
    assert definitions_under_contract(right, RECALL, found) == ()


def test_an_adapter_brings_about_what_the_form_of_its_input_can_hold() -> None:
    labelled = Function(
        name="f", metric="recall", takes=Takes(input="labels"), called_with=(Made(what="labels", decides=("users",)),)
    )
    right = parse("recall@k")
    made = definitions_under_contract(right, labelled)
    assert {each.axes["users"] for each in made} == {"truth", "both", "predictions", "all"}
    # Labels are ordered by their scores alone.
    assert {each.axes["order"] for each in made} == {right.axes["order"]}
