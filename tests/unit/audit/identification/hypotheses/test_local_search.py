"""Definitions that fit are found by local search: the best ones are changed axis by axis."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from recsys_metric_audit.audit.identification.hypotheses.local_search import Found, idle_axes, search_near
from recsys_metric_audit.audit.identification.hypotheses.pool_answers import PoolAnswers
from recsys_metric_audit.audit.libraries.contract import Takes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.audit.questions.case_features import has_all_listed
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.shortest import shortest
from tests.support.oracle_means import evaluate as slow

pytestmark = pytest.mark.slow  # the oracle answers every probe
PROBES = tuple(each for each in INITIAL_PROBES if each.kind.role != "exhaustive")


def outcome(definition: Definition, probe: Probe) -> Outcome:
    made = slow(definition.metric, definition.axes, probe.case, probe.k if definition.k else None)
    return Errored("ValueError", "", "") if made.refused else Measured(made.mean, None, None, "float", 0.0)


def near(known: str, computed: str, probes: Sequence[Probe] = PROBES, **given: object) -> tuple[Definition, ...]:
    """Return what is found near a known definition for a function that computes another."""
    definition = parse(computed)
    function = Function.model_validate({"name": "f", "metric": definition.metric, **given})
    answered = {probe.name: outcome(definition, probe) for probe in probes}
    answers = PoolAnswers.of(function, Observation("f", answered, {}))
    return search_near([parse(known)], function, answers).definitions


@pytest.mark.parametrize(
    ("known", "computed"),
    [
        ("recall@k", "recall@k|users:all|undefined:0"),
        ("ndcg@k", "ndcg@k|gain:exp2|ties:item_desc|no_list:nan"),
        ("average_precision@k", "average_precision@k|denominator:r|duplicates:first_in_place|relevance:at_least_t"),
    ],
)
def test_each_change_of_an_axis_leaves_fewer_contradictions(known: str, computed: str) -> None:
    assert parse(computed) in near(known, computed)


def test_a_definition_that_fits_is_near_itself() -> None:
    assert parse("recall@k") in near("recall@k", "recall@k")


def test_what_fits_as_well_and_is_plainer_comes_first() -> None:
    """Where all relevant items are listed, an ideal of the listed and a truth of the listed are those of all."""
    listed = [each for each in PROBES if has_all_listed(each)]
    found = near("ndcg@k|gain:linear|ideal:listed|truth:listed", "ndcg@k|gain:linear", listed)
    assert found[0] == parse("ndcg@k|gain:linear")


@pytest.mark.parametrize(
    ("near", "idle", "acting"),
    [
        ("recall@k|denominator:min", {"no_list", "ties", "duplicates", "pooling", "mean"}, {"denominator", "users"}),
        ("recall@k|mean:quadratic", {"no_list", "ties", "duplicates"}, {"pooling", "mean", "users"}),
        ("recall@k|no_list:1", set(), {"no_list", "ties", "pooling"}),
        ("recall@k|duplicates:counted", set(), {"duplicates", "undefined", "mean"}),
    ],
)
def test_what_does_not_act_where_a_plain_answer_is_wrong_is_left_alone(
    near: str, idle: set[str], acting: set[str]
) -> None:
    answered = {probe.name: outcome(parse("recall@k"), probe) for probe in PROBES}
    answers = PoolAnswers.of(Function(name="f", metric="recall"), Observation("f", answered, {}))
    found = idle_axes(parse(near), answers)
    assert idle <= found and not acting & found and bool(found) is bool(idle)


def test_a_weight_and_another_mean_are_found_though_neither_shows_alone() -> None:
    computed = "r_precision|pooling:weighted|weight:list_length|mean:quadratic|users:all|undefined:formula"
    assert shortest(parse(computed)) in map(shortest, near("r_precision", computed, cutoff=False))


def test_an_axis_that_the_contract_fixes_stays() -> None:
    found = near("recall@k|order:rows", "recall@k|order:rows|users:both", takes=Takes(input="ranked"))
    assert found and all(each.axes["order"] == "rows" for each in found)


@pytest.mark.parametrize(
    ("known", "formula", "axis", "rules"),
    [
        ("ndcg@k", "ndcg@k|gain:exp2", "ties", ("item_asc", "item_desc")),
        ("auc", "auc", "tied_scores", ("win", "lose")),
    ],
)
def test_of_ties_that_follow_no_rule_nothing_is_said(
    known: str, formula: str, axis: str, rules: tuple[str, str]
) -> None:
    """Half of the tied lists are answered by one rule, half by the other."""
    made = [parse(f"{formula}|{axis}:{rule}") for rule in rules]
    answered = {probe.name: outcome(made[n % 2], probe) for n, probe in enumerate(PROBES)}
    function = Function(name="f", metric=made[0].metric)
    answers = PoolAnswers.of(function, Observation("f", answered, {}))
    found = search_near([parse(known)], function, answers).definitions
    assert found[0] == parse(f"{formula}|{axis}:other")
    assert all(each.axes[axis] == "other" for each in found)


def test_where_nothing_fits_the_least_contradicted_definition_is_told() -> None:
    answered = {probe.name: outcome(parse("recall@k|denominator:min"), probe) for probe in PROBES}
    odd = next(probe for probe in PROBES if probe.kind.role == "single_user")
    answered[odd.name] = Measured(0.4321, None, None, "float", 0.0)
    function = Function(name="f", metric="recall")
    answers = PoolAnswers.of(function, Observation("f", answered, {}))
    assert search_near([parse("recall@k")], function, answers) == Found((), parse("recall@k|denominator:min"))


def test_refusals_are_explained_where_an_edge_explains_them() -> None:
    assert near("recall@k", "recall@k|no_list:error")[0] == parse("recall@k|no_list:error")


@pytest.mark.parametrize("computed", ["recall@k|pooling:weighted|weight:relevant", "recall@k|users:all|undefined:nan"])
def test_axes_that_act_together_are_changed_together(computed: str) -> None:
    assert near("recall@k", computed)[0] == shortest(parse(computed))
