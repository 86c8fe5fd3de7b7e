"""Hold what observations show: states of users, nobody left, rescaled gains, fits, candidates."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit.data.large_data import sample_users
from recsys_metric_audit.audit.libraries.function import Function, Made, Takes
from recsys_metric_audit.audit.observations import probe_tables
from recsys_metric_audit.audit.observations.candidates import distinct, merged, one_of_each
from recsys_metric_audit.audit.observations.canonical import (
    canonical_definition,
    definitions_under_contract,
    difference_classes,
    differing_axes,
)
from recsys_metric_audit.audit.observations.evidence import gather_evidence
from recsys_metric_audit.audit.observations.fit import Fit, Fitting, contradicted
from recsys_metric_audit.audit.observations.nobody_left import with_rule_for_nobody
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.observations.rescale import rescale
from recsys_metric_audit.audit.observations.user_states import shown_states
from recsys_metric_audit.audit.observations.values_on_data import values_on_data
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.reference.cases import DEGENERATE, EXHAUSTIVE, PROBES, Kind, Probe, User
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.catalogue import CATALOGUE
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.observed import Key
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from tests.support.answers_of_oracle import measured, oracle_observation

# Candidates: merged where they are equal, or differ on nothing that is asked.


def test_equal_definitions_are_merged_and_the_canonical_most_comes_first() -> None:
    # The base of the logarithm cancels in a ratio of two sums.
    found = distinct(map(parse, ("ndcg@k|gain:exp2", "ndcg@k|discount:ln", "ndcg@k", "ndcg@k|discount:log10")))
    assert [each.signature() for each in found] == ["ndcg@k", "ndcg@k|gain:exp2"]


def test_no_two_definitions_that_are_left_are_equal() -> None:
    definitions = [variant.definition for variant in CATALOGUE]
    left = distinct(definitions)
    assert len(left) == len({Key(each) for each in left}) <= len(set(definitions))


def test_of_definitions_that_differ_where_nothing_is_asked_the_first_is_kept() -> None:
    first, second = parse("recall@k|duplicates:last"), parse("recall@k|duplicates:counted|ties:reversed")
    third = parse("recall@k|ties:reversed|duplicates:error")
    assert one_of_each([first, second, third], {"duplicates"}) == [first, second]
    assert one_of_each([first, second, third], ()) == [first, second, third]


def test_of_equal_definitions_the_one_written_with_less_stands_where_the_first_stood() -> None:
    # Users without a list are left out, be it by their policy or since they are not averaged over.
    given = [parse(each) for each in ("recall@k|no_list:skip", "recall@k", "recall@k|users:both|no_list:1")]
    assert [each.signature() for each in merged(given)] == ["recall@k|users:both", "recall@k"]


# The definition that a function is compared with, and the axes on which another one differs from it.

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


# A fit that no definition survived: the nearest one, how far it is, and the probe that shows it.

EXACT = Tolerance(1e-9, "float64")
# One hit of two relevant items in a list of one, at k = 2.
SHORT = Probe(Kind("single_user"), case_from_users("short", [User((2,), (2,))]), 2)
# Two hits of three relevant items in a list of two, at k = 2.
FULL = Probe(Kind("single_user"), case_from_users("full", [User((2, 2), (2,))]), 2)


def mean(value: float) -> Measured:
    return Measured(value, None, None, "float", 0.0)


def test_the_nearest_is_what_the_fewest_probes_contradict() -> None:
    # Over k: 1/2 and 1; over the list's length: 1 and 1. The answers are 1 and 0.9.
    tried = [parse("precision@k"), parse("precision@k|denominator:shown")]
    evidence = gather_evidence({"short": mean(1.0), "full": mean(0.9)}, [SHORT, FULL])
    fit = contradicted("single_user", evidence, tried, EXACT, 7)
    assert (fit.definitions, fit.stage, fit.cases) == ((), "single_user", 7)
    assert fit.nearest == tried[1] and fit.counterexample is FULL
    assert fit.residual == pytest.approx(0.1)


def test_of_equally_near_ones_the_canonical_most_is_taken() -> None:
    tried = [parse("precision@k|denominator:shown"), parse("precision@k")]
    fit = contradicted("single_user", gather_evidence({"full": mean(0.9)}, [FULL]), tried, EXACT, 1)
    assert fit.nearest == tried[1]


def fitting(told: str, tested: str | None, *unknown: str) -> Fitting:
    hypothesis = None if tested is None else parse(tested)
    return Fitting((parse(told),), 0.0, EXACT, 1, unidentified_axes=unknown, hypothesis=hypothesis)


def test_what_a_definition_was_tested_with_is_assumed_where_it_is_not_identified() -> None:
    found = fitting("ndcg@k", "ndcg@k|users:both|no_list:nan|no_hit:error", "no_hit", "no_list")
    assert found.assumed == {"users": "both", "no_list": "nan", "no_hit": "error"}


def test_nothing_is_assumed_of_a_definition_that_was_changed_since() -> None:
    assert fitting("recall@k", None).assumed == {}
    assert fitting("recall@k", "precision@k").assumed == {}
    assert fitting("recall@k|ties:item_asc", "recall@k", "no_list").assumed == {}


# What comes out where nobody is left is read from the answers once everything else is identified.

ANSWERED = ("nobody has relevant items", "nobody has relevant items, though rated ones")


def fit(*signatures: str, unidentified: tuple[str, ...] = ()) -> Fit:
    definitions = tuple(parse(each) for each in signatures)
    return Fitting(definitions, 0.0, EXACT, len(PROBES), unidentified_axes=unidentified)


def of_answers(*outcomes: Outcome) -> Observation:
    """Return a function that gave these answers to as many probes of which nobody is left under recall."""
    return Observation("f", dict(zip(ANSWERED, outcomes, strict=False)), {})


RATED = "recall@k|relevance:at_least_t"
"""A definition under which nobody is left in both."""
REFUSED = Errored("ZeroDivisionError", "division by zero", "")


@pytest.mark.parametrize("rule", ["nan", "0", "error"])
@pytest.mark.parametrize("base", ["recall@k", "ndcg@k|users:both", "average_precision@k|pooling:pooled", "auc"])
def test_each_rule_is_read_from_the_answers_of_a_function(base: str, rule: str) -> None:
    found = with_rule_for_nobody(fit(base), oracle_observation(f"{base}|nobody:{rule}", further=DEGENERATE))
    assert found.unidentified_axes == ()
    assert [each.axes["nobody"] for each in found.definitions] == [rule]


def test_answers_that_follow_no_one_rule_leave_it_unknown() -> None:
    for outcomes in [(measured(0.0), measured(math.nan)), (measured(0.0), REFUSED), (), (measured(0.5),)]:
        found = with_rule_for_nobody(fit(RATED), of_answers(*outcomes))
        assert found.unidentified_axes == ("nobody",), outcomes
        assert found.definitions[0] == parse(RATED)
    refused = with_rule_for_nobody(fit(RATED), of_answers(REFUSED, REFUSED))
    assert refused.definitions == (parse(f"{RATED}|nobody:error"),)


def test_who_is_averaged_has_to_be_known_first() -> None:
    answers = of_answers(measured(0.0), measured(0.0))
    assert with_rule_for_nobody(fit("recall@k", unidentified=("ties",)), answers).definitions[0].axes["nobody"] == "0"
    for axis in ("users", "undefined", "pooling", "relevance"):
        assert "nobody" in with_rule_for_nobody(fit("recall@k", unidentified=(axis,)), answers).unidentified_axes


def test_a_user_who_counts_as_0_is_somebody() -> None:
    always = fit("recall@k|users:all|undefined:0")
    assert with_rule_for_nobody(always, of_answers(measured(0.0), measured(0.0))) == always
    listed = with_rule_for_nobody(
        fit("recall@k|users:predictions|undefined:0"), of_answers(measured(0.0), measured(0.0))
    )
    assert listed.unidentified_axes == ("nobody",), "somebody has a list in both"


def test_one_ranking_and_values_of_users_are_not_asked() -> None:
    answers = of_answers(measured(0.0), measured(0.0))
    stacked = fit("auc|scope:stacked")
    assert with_rule_for_nobody(stacked, answers) == stacked
    by_user = replace(fit("recall@k"), user_values_only=True)
    assert with_rule_for_nobody(by_user, answers) == by_user


def test_formulas_between_which_nothing_decided_share_the_rule() -> None:
    found = with_rule_for_nobody(fit("recall@k", "recall@k|denominator:min"), of_answers(measured(0.0), measured(0.0)))
    assert [each.axes["nobody"] for each in found.definitions] == ["0", "0"]


# Probes by kind, and as one problem.


@pytest.mark.parametrize(
    "kind",
    [
        Kind("single_user"), Kind("order"), Kind("multi_user"), Kind("multi_user", "all_listed"), Kind("degenerate"),
        Kind("exhaustive"),
    ],
)  # fmt: skip
def test_a_kind_s_probes_and_their_problem_go_together(kind: Kind) -> None:
    probes, problem = probe_tables.probes(kind), probe_tables.problem(kind)
    assert probes and {probe.kind for probe in probes} == {kind}
    assert [case.name for case in problem.cases] == [probe.name for probe in probes]
    assert probe_tables.problem(kind) is problem


def test_one_cut_off_for_all() -> None:
    assert {probe.k for probe in probe_tables.probes(Kind("single_user"), 3)} == {3}
    assert len({probe.k for probe in probe_tables.probes(Kind("single_user"))}) > 1


# Probes at another cut-off: what stood where still stands there.


def hit_ranks(probe: Probe) -> list[int]:
    """Ranks of the hits of the only user."""
    relevant = set(probe.case.truth.item.tolist())
    return [rank for rank, item in enumerate(probe.case.predictions.item.tolist(), 1) if item in relevant]


def plain(ranked: tuple[float, ...], k: int, missed: tuple[float, ...] = ()) -> Probe:
    return Probe(Kind("single_user"), case_from_users("a case", [User(ranked, missed)]), k)


def test_the_same_cut_off_changes_nothing() -> None:
    probe = plain((2, 0, 2), 2)
    assert rescale([probe], 2)[0].case is probe.case


def test_hits_stay_on_their_side_of_a_larger_cut() -> None:
    # At k = 2 hits at 1 and 3: one inside, one just below. At k = 4 two items are put in after the first.
    grown = rescale([plain((2, 0, 2), 2)], 4)[0]
    assert (grown.k, grown.name) == (4, "a case")
    assert hit_ranks(grown) == [1, 5]
    scores = grown.case.predictions.score.tolist()
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == 5


def test_a_smaller_cut_takes_irrelevant_items_out() -> None:
    assert hit_ranks(rescale([plain((2, 0, 0, 2), 3)], 2)[0]) == [1, 3]


def test_a_list_shorter_than_the_cut_stays_shorter() -> None:
    assert len(rescale([plain((2, 0), 3)], 5)[0].case.predictions.item) == 2


def test_more_relevant_items_than_the_cut_stay_more() -> None:
    # Three relevant items at k = 2; three more at k = 5.
    grown = rescale([plain((2, 0), 2, missed=(2, 2))], 5)[0]
    assert len(grown.case.truth.item) == 6


def test_scores_of_ties_are_kept_below_what_is_put_on_top() -> None:
    tied = Probe(Kind("order"), case_from_users("ties", [User((0, 2, 0), scores=(0.5, 0.5, 0.5))]), 2)
    scores = rescale([tied], 4)[0].case.predictions.score.tolist()
    assert scores[2:] == [0.5] * 3 and scores[0] > scores[1] > 0.5


@pytest.mark.parametrize("k", [1, 3, 20])
def test_all_probes_get_the_cut_off_and_keep_their_names(k: int) -> None:
    found = rescale(PROBES, k)
    assert [probe.name for probe in found] == [probe.name for probe in PROBES]
    assert {probe.k for probe in found} == {k}


def test_small_lists_are_asked_once() -> None:
    found = rescale(EXHAUSTIVE, 3)
    assert 0 < len(found) < len(EXHAUSTIVE)
    assert len({probe.case.name for probe in found}) == len(found)


# The unusual states of users, by what their probes were made for.

ALL = slice(None)


def test_each_pair_of_multi_user_probes_shows_its_state() -> None:
    values = parse("recall@k").axes
    assert shown_states("recall", values, Kind("multi_user"), slice(0, 2)) == frozenset()
    assert "undefined" in shown_states("recall", values, Kind("multi_user"), slice(4, 6))
    assert "no_list" in shown_states("recall", values, Kind("multi_user"), slice(6, 8))
    assert {"undefined", "no_list"} <= shown_states("recall", values, Kind("multi_user"), ALL)


def test_states_follow_the_cases() -> None:
    # By hand: a user of the probe has no recommended item.
    for number, probe in enumerate(probe_tables.probes(Kind("multi_user"))):
        empty = any(not user.ranked for user in probe.users)
        shown = shown_states("recall", parse("recall@k").axes, Kind("multi_user"), slice(number, number + 1))
        assert ("no_list" in shown) is empty, probe.name


@pytest.mark.parametrize("policy", ["users:both", "undefined:1", "no_list:nan", "pooling:pooled"])
def test_averaging_and_edges_do_not_change_a_state(policy: str) -> None:
    plain, other = (
        Definition.of("recall").axes,
        parse(f"recall@k|users:all|{policy}" if "undefined" in policy else f"recall@k|{policy}").axes,
    )
    assert shown_states("recall", plain, Kind("multi_user"), ALL) == shown_states(
        "recall", other, Kind("multi_user"), ALL
    )


# Find users' values on the data: from all users where they were asked, else from the sample.

CASE = next(probe.case for probe in PROBES if probe.kind == Kind("multi_user"))
DATA = Problem.of([CASE], None)
MEAN = Measured(0.5, None, None, "float", 0.1)
VALUES = Measured(0.5, np.array([1]), np.array([0.5]), "float", 0.1)
SAMPLED = Measured(0.25, np.array([2]), np.array([0.25]), "float", 0.1)


def test_values_of_all_users_come_before_those_of_the_sample() -> None:
    for observation in (Observation("f", {}, {5: VALUES}), Observation("f", {}, {5: VALUES}, sample={5: SAMPLED})):
        outcome, data = values_on_data(observation, 5, DATA)
        assert outcome is VALUES
        assert data.cases == (CASE,) and data.k == (5,)


def test_the_sample_tells_where_the_data_were_asked_for_a_mean() -> None:
    outcome, data = values_on_data(Observation("f", {}, {5: MEAN}, sample={5: SAMPLED}), 5, DATA)
    assert outcome is SAMPLED
    assert data.cases == (sample_users(CASE),) and data.k == (5,)


def test_a_sample_without_values_tells_nothing() -> None:
    for sampled in ({}, {5: MEAN}, {5: Errored("ValueError", "no", "")}, {1: SAMPLED}):
        outcome, data = values_on_data(Observation("f", {}, {5: MEAN}, sample=sampled), 5, DATA)
        assert outcome is MEAN and data.cases == (CASE,)
