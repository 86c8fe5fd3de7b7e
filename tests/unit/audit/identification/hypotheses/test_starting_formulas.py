"""The formulas from which a search starts, by the slow oracle's answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recsys_metric_audit.audit.identification.hypotheses.starting_formulas import Nearest, nearest_formulas
from recsys_metric_audit.audit.observations.observation import Tolerance
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.answers_of_oracle import oracle_observation
from tests.support.item_answers import function_of, observed, of_definition

EXACT = Tolerance(1e-9, "float64")


def nearest(signature: str, metric: str | None = None) -> Nearest:
    definition = parse(signature)
    function = function_of(signature)
    return nearest_formulas(metric or definition.metric, function, oracle_observation(signature), EXACT)


@pytest.mark.parametrize(
    "signature",
    [
        "recall@k|denominator:min",
        "precision@k|denominator:shown",
        "ndcg@k|gain:exp2|discount:reciprocal",
        "auc|ties:shared",
    ],
)
def test_the_formula_that_is_computed_is_the_nearest(signature: str) -> None:
    found = nearest(signature)
    own = [axis.name for axis in parse(signature).family.axes]
    assert [found.definitions[0].axes[name] for name in own] == [parse(signature).axes[name] for name in own]
    assert found.share > 0.9


def test_a_formula_is_near_under_another_cut_off() -> None:
    found = nearest("recall@k|denominator:min|cutoff:k_plus_1")
    assert parse("recall@k|denominator:min") in found.definitions
    assert 0.3 < found.share < 1


def test_formulas_of_a_function_without_cut_off_read_the_whole_list() -> None:
    found = nearest("reciprocal_rank|cutoff:none")
    assert found.definitions[0] == parse("reciprocal_rank|cutoff:none")
    assert all(each.k is None for each in found.definitions)


def test_nothing_is_near_without_an_answer() -> None:
    silent = replace(oracle_observation("recall@k"), probes={})
    assert nearest_formulas("recall", function_of("recall@k"), silent, EXACT) == Nearest()


def test_another_metric_is_less_near() -> None:
    assert nearest("ndcg@k", "recall").share < 0.5 < nearest("ndcg@k").share


@pytest.mark.parametrize("answered", [True, False])
def test_gains_are_cut_only_if_fractions_were_answered(answered: bool) -> None:
    every = oracle_observation("ndcg@k|gain:linear_whole")
    fractional = {probe.name for probe in PROBES if (probe.case.truth.gain % 1 != 0).any()}
    whole = {name: outcome for name, outcome in every.probes.items() if name not in fractional}
    answers = every if answered else replace(every, probes=whole)
    found = nearest_formulas("ndcg", function_of("ndcg@k"), answers, EXACT)
    assert found.definitions[0].axes["gain"] == ("linear_whole" if answered else "linear")
    assert answered or not {"linear_whole", "exp2_whole"} & {each.axes["gain"] for each in found.definitions}


@pytest.mark.parametrize(
    "signature",
    [
        "f_score@k|cutoff:k_plus_1|truth:first",
        "recall@k|denominator:min|cutoff:k_plus_1|positions:negatives_only",
        "precision@k|relevance:at_least_t|candidates:test_only",
    ],
)
def test_a_formula_under_two_changes_is_the_nearest_if_changes_are_tried(signature: str) -> None:
    definition = parse(signature)
    unchanged, found = (
        nearest_formulas(
            definition.metric, function_of(signature), oracle_observation(signature), EXACT, changed=changed
        )
        for changed in (False, True)
    )
    assert definition in found.definitions and found.share > 0.9
    assert definition not in unchanged.definitions


def test_what_users_without_relevant_items_count_as_hides_no_formula() -> None:
    signature = "rbp@k|users:all|undefined:1|relevance:equal_1"
    found = nearest_formulas("rbp", function_of(signature), oracle_observation(signature), EXACT, changed=True)
    assert parse("rbp@k|relevance:equal_1") in found.definitions


@pytest.mark.parametrize("signature", ["gini@k|over:shown|denominator:n", "user_coverage|denominator:train"])
def test_a_formula_beyond_accuracy_is_the_nearest_on_ordinary_rows(signature: str) -> None:
    found = nearest_formulas(parse(signature).metric, function_of(signature), observed(of_definition(signature)), EXACT)
    assert found.definitions[0] == parse(signature) and found.share == 1


def test_who_counts_hides_no_formula_beyond_accuracy() -> None:
    signature = "novelty@k|unseen:left_out|log:ln|users:all|no_list:nan"
    found = nearest_formulas("novelty", function_of(signature), observed(of_definition(signature)), EXACT)
    assert parse("novelty@k|unseen:left_out|log:ln") in found.definitions
