"""The smallest input that shows a difference, by hand."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.observations.counterexample import (
    expected_difference,
    expected_difference_on_probes,
    other_formula,
    smallest_difference,
    witness,
)
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, Measured
from recsys_metric_audit.reference.cases import PROBES, Kind, Probe, User
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from tests.support.answers_of_oracle import measured, oracle_observation

PRECISION, SHOWN = parse("precision@k"), parse("precision@k|denominator:shown")
# A list of one hit at k = 2: 1/2 over k, 1 over what is shown.
SHORT = Probe(Kind("distinguishing"), case_from_users("short", [User((2,))], why="the list is shorter than k"), 2)
LONGER = Probe(Kind("distinguishing"), case_from_users("longer", [User((2,), (2, 2))]), 2)


def asked(*values: float) -> Observation:
    probes = (LONGER, SHORT)[: len(values)]
    answers = {probe.name: measured(value) for probe, value in zip(probes, values, strict=True)}
    return Observation("f", answers, {}, further_probes=probes)


def test_the_smallest_probe_is_taken() -> None:
    found = smallest_difference(asked(1.0, 1.0), PRECISION)
    assert found is not None and found.probe is SHORT
    assert found.evidence.value[found.number] == 1.0
    only = smallest_difference(asked(1.0, 0.5), PRECISION)
    assert only is not None and only.probe is LONGER
    assert smallest_difference(asked(0.5, 0.5), PRECISION) is None


def test_gains_that_are_easy_to_read_come_first() -> None:
    fine = Probe(Kind("distinguishing"), case_from_users("fine", [User((2.00001,))]), 2)
    answers = {LONGER.name: measured(1.0), fine.name: measured(1.0)}
    found = smallest_difference(Observation("f", answers, {}, further_probes=(fine, LONGER)), PRECISION)
    assert found is not None and found.probe is LONGER and fine.size < LONGER.size


def test_what_a_reader_cannot_see_is_no_difference() -> None:
    assert smallest_difference(asked(0.50005, 0.5), PRECISION) is None


def test_the_witness_says_both_values_and_is_worked_with_both_definitions() -> None:
    made = witness(asked(0.5, 1.0), PRECISION, SHOWN)
    assert made is not None
    assert (made.case, made.k, made.library_value, made.canonical_value) == ("short", 2, 1.0, 0.5)
    assert made.text == "precision@k is 0.5, the library says 1: the list is shorter than k"
    assert [worked.value for worked in made.worked] == [0.5, 1.0]
    assert [worked.signature for worked in made.worked] == ["precision@2", "precision@2|denominator:shown"]
    (user,) = made.users
    assert ([item.hit for item in user.items], user.missing, user.r) == ([True], (), 1)


def test_a_witness_is_not_worked_with_a_definition_that_says_nothing_of_it() -> None:
    tied = Probe(Kind("distinguishing"), case_from_users("tied", [User((2, 0, 0), scores=(3.0, 3.0, 1.0))]), 1)
    answers = Observation("f", {tied.name: measured(0.25)}, {}, further_probes=(tied,))
    by_rule, without = (witness(answers, PRECISION, parse(f"precision@k|ties:{rule}")) for rule in ("average", "other"))
    assert by_rule is not None and [worked.value for worked in by_rule.worked] == [1.0, 0.5]
    assert without is not None and [worked.signature for worked in without.worked] == ["precision@1"]


def test_a_refusal_is_told() -> None:
    refused = Observation("f", {"short": Errored("ValueError", "too short", "")}, {}, further_probes=(SHORT,))
    made = witness(refused, PRECISION)
    assert made is not None and made.library_value is None
    assert "is 0.5, the library refuses the input (ValueError: too short)" in made.text


def test_an_input_that_shows_what_the_contract_settles_is_no_witness() -> None:
    by_rows = oracle_observation("recall@k|order:rows")
    canonical, fixed = parse("recall@k"), parse("recall@k|order:rows")
    shown = smallest_difference(by_rows, canonical)
    assert shown is not None and shown.probe.name == "best row last"
    assert witness(by_rows, canonical, None, (fixed,)) is None
    # Whatever else differs is shown on an input with its rows in the order of their scores.
    both = oracle_observation("recall@k|denominator:min|order:rows")
    other = smallest_difference(both, canonical, (fixed,))
    assert other is not None
    scores = other.probe.case.predictions.score.tolist()
    assert scores == sorted(scores, reverse=True)


def test_an_input_on_which_the_formula_differs_is_preferred_to_a_smaller_one() -> None:
    # A tie shows the order of ties on two rows; that the plain DCG is no share of the ideal one needs two hits.
    definition, canonical = parse("ndcg@k|ideal:none|ties:reversed"), parse("ndcg@k")
    observation = oracle_observation(definition.signature())
    smallest = smallest_difference(observation, canonical)
    formula = other_formula(definition, canonical)
    shown = smallest_difference(observation, canonical, (), formula)
    assert formula == parse("ndcg@k|ideal:none") and smallest is not None and shown is not None
    assert shown.by_formula and not smallest.by_formula
    problem = Problem.of([shown.probe.case], [shown.probe.k])
    values = [evaluate(each, problem).mean[0] for each in (canonical, formula)]
    assert abs(values[0] - values[1]) > 1e-3
    assert other_formula(parse("ndcg@k|ties:reversed"), canonical) is None


def test_where_the_contract_decides_on_usual_lists_a_list_of_all_relevant_items_is_the_witness() -> None:
    # Labels hold no relevant item that is not listed, and only users with a list: the areas of all users' rows in one
    # ranking differ from the mean of users' areas there, too.
    stacked, canonical = oracle_observation("auc|scope:stacked"), parse("auc")
    unlisted = [parse("auc|unlisted:dropped"), parse("auc|users:both")]
    found = smallest_difference(stacked, canonical, unlisted)
    assert found is not None
    case = found.probe.case
    listed = set(zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True))
    assert set(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True)) <= listed
    assert len(found.probe.users) > 1


def test_no_witness_where_the_library_is_canonical() -> None:
    assert witness(oracle_observation("precision@k"), PRECISION) is None


def test_an_expected_difference_is_the_smallest_single_list() -> None:
    # One row, the hit: over k = 2 it is 1/2, over what is shown 1.
    found = expected_difference(SHOWN, PRECISION)
    assert found is not None
    assert (found.k, len(found.case.predictions.user), len(found.case.truth.user)) == (2, 1, 1)


def test_a_list_on_which_the_contract_decides_is_not_expected_to_show_a_difference() -> None:
    # A hit and a missed item at k = 1: 1 over min(k, r), 1/2 over r. Where labels hold listed items only, r is 1 and
    # both are 1: two listed items show the difference.
    by_min, canonical, listed_only = map(parse, ("recall@k|denominator:min", "recall@k", "recall@k|truth:listed"))
    usual = expected_difference(by_min, canonical)
    shown = expected_difference(by_min, canonical, [listed_only])
    assert shown is not None and usual is not None
    case = shown.case
    assert set(case.truth.item.tolist()) <= set(case.predictions.item.tolist())
    assert not set(usual.case.truth.item.tolist()) <= set(usual.case.predictions.item.tolist())


def test_an_expected_difference_that_no_list_of_one_user_shows_is_one_of_several_users() -> None:
    stacked, canonical, listed_only = parse("auc|scope:stacked"), parse("auc"), parse("auc|unlisted:dropped")
    assert expected_difference(stacked, canonical, [listed_only]) is None
    found = expected_difference_on_probes(stacked, canonical, [listed_only])
    assert found is not None and len(found.users) > 1
    apart = [evaluate(each, Problem.of([found.case], [found.k])).mean[0] for each in (stacked, canonical, listed_only)]
    assert apart[0] != pytest.approx(apart[1], abs=1e-3)
    assert apart[1] == pytest.approx(apart[2])
    assert expected_difference_on_probes(canonical, canonical) is None


def test_what_only_the_order_of_the_truth_shows_is_found_on_a_probe_of_one_user() -> None:
    first, canonical = parse("hit_rate@k|truth:first"), parse("hit_rate@k")
    assert expected_difference(first, canonical) is None
    found = expected_difference_on_probes(first, canonical)
    assert found is not None and len(found.users) == 1
    listed = found.case.predictions.item[: found.k].tolist()
    assert found.case.truth.item[0] not in listed and set(found.case.truth.item) & set(listed)


@pytest.mark.parametrize("same", ["precision@k", "precision@k|no_list:error", "precision@k|pooling:pooled"])
def test_no_list_of_one_user_shows_what_only_edges_or_averaging_do(same: str) -> None:
    assert expected_difference(parse(same), PRECISION) is None


def test_the_smallest_of_all_probes() -> None:
    observation = oracle_observation("recall@k|denominator:min")
    found = smallest_difference(observation, parse("recall@k"))
    assert found is not None
    right = oracle_observation("recall@k").probes
    for probe in PROBES:
        one, other = observation.probes[probe.name], right[probe.name]
        assert isinstance(one, Measured) and isinstance(other, Measured)
        assert one.mean is not None and other.mean is not None
        if abs(one.mean - other.mean) > 1e-4:
            assert probe.size >= found.probe.size
