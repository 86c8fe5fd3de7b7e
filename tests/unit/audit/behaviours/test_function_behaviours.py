"""The behaviours of a function: all experiments judged, with a class for each failure that needs one."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.experiment_answers import ExperimentAnswers
from recsys_metric_audit.audit.behaviours.experiments import EXPERIMENTS
from recsys_metric_audit.audit.behaviours.function_behaviours import (
    RANGE_SCENARIOS,
    behaviours,
    bounds,
    canonical_stays,
    functions_under_test,
    not_built,
    second_route,
)
from recsys_metric_audit.audit.behaviours.judges import WITH_OTHERS
from recsys_metric_audit.audit.behaviours.scenarios import LONGER_TRUTH, ORDINARY, TIES, TRUTH_COPIES
from recsys_metric_audit.audit.libraries.function import Function, Input, Takes
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, NotOffered, Outcome
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.tables.behaviour_matrix import BEHAVIOUR_MEANINGS
from tests.support.behaviour_samples import outcome, subject, view
from tests.support.oracle_means import evaluate as slow

# The behaviours of a function: all experiments judged, with a class for each failure that needs one.


@pytest.mark.slow
def test_a_failed_invariance_has_its_class_where_a_right_metric_would_stay() -> None:
    changed = {scenarios.ORDINARY: 0.5, "items renamed, order kept": 0.25, "scores + 10": 0.4}
    said = behaviours(subject(changed))
    assert (said["item_ids"].slug, said["score_shift"].slug) == ("item-ids", "score-scale")
    # an error of ratings reads the scores: its canonical value changes, too
    shifted = behaviours(subject(changed, "lib.rmse", "rmse"))["score_shift"]
    assert (shifted.name, shifted.slug) == ("changes", None)
    assert canonical_stays("recall", (scenarios.ORDINARY, "scores + 10"), has_k=True)
    assert not canonical_stays("rmse", (scenarios.ORDINARY, "scores + 10"), has_k=True)


@pytest.mark.parametrize(
    ("takes", "name", "slug"),
    [("scores", "changes", "order-lost"), ("matrix", "not_askable", None), ("ranked", "not_askable", None)],
)
def test_shuffled_rows_of_a_ranked_list_are_its_argument(takes: Input, name: str, slug: str | None) -> None:
    tested = subject({scenarios.ORDINARY: 0.5, scenarios.SHUFFLED: 0.25})
    declared = tested.function.model_copy(update={"takes": Takes(input=takes)})
    said = behaviours(replace(tested, function=declared))["rows_shuffled"]
    assert (said.name, said.slug) == (name, slug)


def test_what_the_contract_or_the_adapter_decides_is_not_told_of_the_function() -> None:
    """A ranked list without scores has the order that the adapter gave it: no rule of ties is the function's."""
    tied, above, below = scenarios.TIES, *scenarios.UNTIED
    answers = {
        above.name: 0.5,
        below.name: 0.25,
        **dict(zip([each.name for each in tied], (0.5, 0.5, 0.25, 0.25), strict=True)),
    }
    tested = subject(answers)
    assert behaviours(tested)["ties"].name == "row_order"
    listed = replace(tested, function=tested.function.model_copy(update={"takes": Takes(input="ranked", truth="list")}))
    said = behaviours(listed)
    for name, axis in (("ties", "ties"), ("score_sign", "counted_scores"), ("zero_gain", "relevance")):
        assert (said[name].name, said[name].text) == ("not_askable", listed.function.ruled_out[axis])


def test_changes_that_move_nothing_together_are_not_asked_alone() -> None:
    quiet = {scenarios.ORDINARY: 0.5, scenarios.COMBINED_CHANGES: 0.5}
    said = behaviours(subject(quiet))
    assert not view(quiet).changed_by_combination
    for name in ("score_shift", "item_ids", "user_ids", "no_train", "catalogue"):
        assert (said[name].name, said[name].text) == ("unchanged", WITH_OTHERS)
    # what was asked alone speaks for itself
    alone = {**quiet, "scores + 10": 0.4}
    assert (behaviours(subject(alone))["score_shift"].name, view(alone).changed_by_combination) == ("changes", False)
    assert view({scenarios.ORDINARY: 0.5, scenarios.COMBINED_CHANGES: 0.4}).changed_by_combination


def test_all_that_can_be_said_has_a_meaning() -> None:
    said = behaviours(subject({scenarios.ORDINARY: 0.5}))
    assert list(said) == [each.name for each in EXPERIMENTS]
    assert {each.name for each in said.values()} <= set(BEHAVIOUR_MEANINGS)


# Functions that the library does not offer, or that are not built, are not judged.


HALF = outcome(0.5)
NO_MODULE = Errored("ModuleNotFoundError", "no module named fast", "")


def observation(name: str, answer: Outcome) -> Observation:
    return Observation(name, {ORDINARY: answer}, {})


@pytest.mark.parametrize(
    ("built", "answer", "why"),
    [
        ("make fast", NO_MODULE, "no module named fast"),
        ("make fast", NotOffered("not compiled"), "not compiled"),
        ("make fast", Errored("ValueError", "bad", ""), ""),
        ("make fast", HALF, ""),
        (None, NO_MODULE, ""),
    ],
)
def test_a_function_to_be_compiled_says_why_it_cannot_be_imported(built: str | None, answer: Outcome, why: str) -> None:
    function = Function.model_validate({"name": "f", "metric": "recall", **({"built": built} if built else {})})
    assert not_built(function, observation("f", answer)) == why


def test_only_functions_that_are_offered_and_built_are_tested() -> None:
    names = ("f", "g", "h")
    functions = [Function(name=name, metric="recall") for name in names]
    found = {"f": (observation("f", HALF), None), "g": (observation("g", NotOffered("no")), None)}
    answers = ExperimentAnswers({"f": {"a scene": {3: (HALF,)}}}, {"f": {ORDINARY: HALF}})
    tested = functions_under_test(functions, answers, found)
    assert list(tested) == ["f"]
    assert tested["f"].scenarios == {"a scene": {3: (HALF,)}}
    assert tested["f"].responses.under_other_seed(ORDINARY) == tested["f"].responses.to(ORDINARY)


# The range of each metric, from its canonical definition.


@pytest.mark.slow
def test_ranges_are_those_of_the_formulas() -> None:
    assert bounds("ndcg") == bounds("precision") == bounds("auc") == (0.0, 1.0)
    assert bounds("rmse") == bounds("mae") == (0.0, math.inf)
    assert bounds("kendall_tau") == bounds("matthews_correlation") == (-1.0, 1.0)
    assert bounds("r_squared") == bounds("explained_variance") == (-math.inf, 1.0)


def test_a_range_is_not_judged_where_a_row_occurs_twice() -> None:
    """Who counts two truth rows of an item twice gives 2 for a precision of 1; that is no fault of the formula."""
    copies = [each for each in TRUTH_COPIES if len(each.case.truth.item) > len(set(each.case.truth.item.tolist()))]
    assert len(copies) == 2 and not RANGE_SCENARIOS & {each.name for each in copies}
    assert {each.name for each in (*TIES, *LONGER_TRUTH)} <= RANGE_SCENARIOS


# The second route is found among the functions of the library by its answers.


def test_a_second_route_is_found_by_its_answers() -> None:
    own, other = subject({scenarios.PERFECT: 1.0}, "lib.a"), subject({scenarios.PERFECT: 1.0}, "lib.b")
    off = subject({scenarios.PERFECT: 0.5}, "lib.c")
    assert second_route(own, [own]).name == "not_askable"
    assert second_route(own, [own, off]).name == "differs"
    assert second_route(own, [own, off, other]).text.startswith("lib.b")


def test_a_known_definition_answers_what_only_the_other_route_was_asked() -> None:
    """Two routes differ in ties, and only one of them was asked a tied list."""
    tied = next(probe for probe in INITIAL_PROBES if probe.name == "tie of two, relevant second")
    plain = INITIAL_PROBES[0]
    one, other = parse("reciprocal_rank@k"), parse("reciprocal_rank@k|ties:reversed")
    values = {probe.name: slow(other.metric, other.axes, probe.case, probe.k).mean for probe in (plain, tied)}
    asked = replace(subject(values, "lib.a"), further=(tied,))
    unasked = subject({plain.name: values[plain.name]}, "lib.b")
    assert second_route(asked, [asked, unasked]).name == "agrees"
    assert second_route(asked, [asked, replace(unasked, definitions=(one,))]).name == "differs"
    assert second_route(replace(unasked, definitions=(one,)), [asked, unasked]).name == "differs"
    assert second_route(asked, [asked, replace(unasked, definitions=(other,))]).name == "agrees"
    assert (
        second_route(asked, [asked, replace(unasked, definitions=(parse("reciprocal_rank@k|ties:other"),))]).name
        == "agrees"
    )


def test_routes_that_agree_on_what_both_were_asked_differ_if_their_definitions_do() -> None:
    first, second = parse("ndcg@k|ties:average"), parse("ndcg@k|ties:other|undefined:0")
    plain = {scenarios.PERFECT: 1.0}
    one = replace(subject(plain, "lib.a"), definitions=(first,))
    other = replace(subject(plain, "lib.b"), definitions=(second,))
    assert second_route(one, [one, other]).name == "differs"
    assert "lib.b, which gives the same on 1 cases" in second_route(one, [one, other]).text
    same = replace(other, function=other.function.model_copy(update={"name": "lib.c"}), definitions=(first,))
    assert second_route(one, [other, same, one]).text.startswith("lib.c")  # the nearest is one that agrees
    unknown = replace(other, unknown=("ties", "undefined"))
    assert second_route(one, [one, unknown]).name == "agrees"
    nobody = replace(other, definitions=(first.with_(nobody="error"),))
    assert second_route(one, [one, nobody]).name == "agrees"
    several = replace(other, definitions=(first, second))
    assert second_route(one, [one, several]).name == "agrees"
