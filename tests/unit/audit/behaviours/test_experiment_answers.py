"""The asks of the experiments, and their answers by function, scenario and cut-off."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.experiment_answers import (
    ExperimentAnswers,
    ExperimentAsks,
    changed_by_combination,
    collect_answers,
    listed_asks,
    other_seed_asks,
    outcomes_by_scenario,
    predicted_probes,
    predicted_scenarios,
    probe_asks,
    read_by_experiments,
    repeated_call_asks,
    scenario_asks,
    with_further_answers,
)
from recsys_metric_audit.audit.behaviours.experiments import METAMORPHIC_TESTS
from recsys_metric_audit.audit.behaviours.responses import Response, Responses, Returned
from recsys_metric_audit.audit.behaviours.scenarios import (
    CALLED_AGAIN,
    COMBINED_CHANGES,
    CONTRACT,
    EXCHANGED,
    K_ALONE,
    ONLY_LISTED,
    ORDINARY,
    SCENARIOS,
    TIES,
    TURNED,
    UNTIED,
)
from recsys_metric_audit.audit.libraries.function import Function, Takes
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Answer, Crashed, Measured, NotOffered, Outcome
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.cases import PROBES, Probe
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.behaviour_samples import ERROR, outcome
from tests.support.oracle_means import evaluate as slow

# The asks of the experiments, and their answers by function, scenario and cut-off.


# The asks of the experiments, and their answers by function, scenario and cut-off.


def test_asks_name_each_scene_once_a_function() -> None:
    functions = (Function(name="lib.recall", metric="recall"), Function(name="lib.auc", metric="auc", cutoff=False))
    made = scenario_asks(functions)
    assert [ask.id for ask in made.asks] == list(range(len(made.asks)))
    calls = [(made.about[ask.id], function, k) for ask in made.asks for function in ask.functions for k in ask.ks]
    assert len(calls) == len(set(calls))
    assert {ask.case for ask in made.asks} == set(made.cases)
    for name in ("lib.recall", "lib.auc"):
        assert sum(len(ask.ks) for ask in made.asks if name in ask.functions) <= 47
    assert {made.about[ask.id] for ask in made.asks if "lib.auc" in ask.functions} == {
        *(scenario.name for scenario in SCENARIOS if len(scenario.ks) == 1 and scenario.name != CALLED_AGAIN),
        *(ONLY_LISTED, TURNED),
    }


def test_who_refuses_unlisted_items_is_asked_the_other_form_once() -> None:
    functions = (Function(name="lib.recall", metric="recall"), Function(name="lib.auc", metric="auc", cutoff=False))
    told = dict.fromkeys(("lib.recall", "lib.auc"), tuple(each.name for each in SCENARIOS[::2]))
    usual = scenario_asks(functions, told, listed={"lib.auc"})
    other = listed_asks(functions[1:], len(usual.asks))
    named = [usual.about[ask.id] for ask in usual.asks if "lib.auc" in ask.functions]
    in_form = [other.about[ask.id] for ask in other.asks]
    assert {ORDINARY, CALLED_AGAIN, "scores × 100", TIES[0].name} <= set(in_form)
    assert len({*named, *in_form}) == len(named) + len(in_form), "nothing is asked twice"
    assert {scenarios.NO_LIST, *(each.name for each in scenarios.LONGER_TRUTH)}.isdisjoint(in_form)
    named_probes = probe_asks(functions, dict.fromkeys(told, (ORDINARY,)), len(usual.asks) + len(other.asks))
    for one, two in combinations((usual, other, named_probes), 2):
        assert not one.cases.keys() & two.cases.keys() and not one.about.keys() & two.about.keys()
    for case in other.cases.values():
        listed = set(zip(case.predictions.user.tolist(), case.predictions.item.tolist(), strict=True))
        assert set(zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True)) <= listed


def test_what_tests_a_contract_is_asked_of_those_who_declare_it() -> None:
    functions = (
        Function(name="lib.recall", metric="recall", takes=Takes(input="ranked", truth="set")),
        Function(name="lib.rmse", metric="rmse", takes=Takes(input="pairs"), cutoff=False),
        Function(name="lib.ndcg", metric="ndcg", takes=Takes(input="matrix")),
    )
    made = scenario_asks(functions)
    named = {each.name for each in CONTRACT}
    asked = {
        (function, name) for ask in made.asks for function in ask.functions if (name := made.about[ask.id]) in named
    }
    assert asked == {
        *(("lib.recall", name) for name in (ONLY_LISTED, TURNED, EXCHANGED)),
        *(("lib.ndcg", name) for name in (ONLY_LISTED, TURNED)),
    }


def test_scenarios_whose_outcome_is_known_are_not_asked() -> None:
    functions = (Function(name="lib.recall", metric="recall"), Function(name="lib.ndcg", metric="ndcg"))
    made = scenario_asks(functions, {"lib.recall": ["no hit among 8"]})
    asked = [ask.functions for ask in made.asks if made.about[ask.id] == "no hit among 8"]
    assert asked == [("lib.ndcg",)]


def test_calls_in_a_row_are_asked_first_and_by_themselves() -> None:
    made = repeated_call_asks((Function(name="lib.recall", metric="recall"),), 40)
    assert [(ask.id, ask.repeat, made.about[ask.id]) for ask in made.asks] == [(40, 3, CALLED_AGAIN)]


def test_each_function_is_asked_the_probes_that_are_wanted_of_it() -> None:
    functions = (Function(name="lib.recall", metric="recall"), Function(name="lib.auc", metric="auc", cutoff=False))
    made = probe_asks(
        functions, {"lib.recall": [scenarios.ORDINARY], "lib.auc": [scenarios.ORDINARY, scenarios.SHORT]}, 7
    )
    assert [ask.id for ask in made.asks] == [7, 8, 9]
    calls = {(made.about[ask.id], ask.functions, ask.ks) for ask in made.asks}
    assert calls == {
        (scenarios.ORDINARY, ("lib.recall",), (3,)),
        (scenarios.ORDINARY, ("lib.auc",), (None,)),
        (scenarios.SHORT, ("lib.auc",), (None,)),
    }


def test_answers_are_sorted_by_function_scene_and_cut_off() -> None:
    answers = [Answer(7, "f", 1, NotOffered("a")), Answer(7, "f", 5, NotOffered("b")),
               Answer(8, "f", 3, NotOffered("c")), Answer(8, "f", 3, NotOffered("d"), 1),
               Answer(9, "f", 3, NotOffered("of a probe"))]  # fmt: skip
    assert outcomes_by_scenario(answers, {7: "x", 8: "y"}) == {
        "f": {"x": {1: (NotOffered("a"),), 5: (NotOffered("b"),)}, "y": {3: (NotOffered("c"), NotOffered("d"))}}
    }


def test_what_the_contract_decides_is_asked_only_to_test_the_contract() -> None:
    ranked = Function(name="lib.recall", metric="recall", takes=Takes(input="ranked", truth="set"))
    asked = {made.about[ask.id] for made in (scenario_asks((ranked,)),) for ask in made.asks}
    assert not asked & {"scores − 10", scenarios.TIES[1].name, scenarios.TIES[2].name, scenarios.SHUFFLED}
    assert {scenarios.TIES[0].name, scenarios.UNTIED[0].name, TURNED, EXCHANGED} <= asked
    by_scores = Function(name="lib.recall", metric="recall")
    assert {each.name for each in scenarios.TIES} <= read_by_experiments(by_scores)


def test_judges_read_what_they_say_and_nothing_else() -> None:
    class Spy(Responses):
        def to(self, name: str, k: int | None = None) -> Response:
            read.add(name)
            return Returned(0.5, None)

        def repeats(self, name: str) -> list[Response]:
            read.add(name)
            return [Returned(0.5, None)]

        def under_other_seed(self, name: str) -> Response:
            read.add(name)
            return Returned(0.25, None)

    for test in METAMORPHIC_TESTS:
        read = set[str]()
        test.judge(Spy({}, {}, Tolerance(1e-9, "float64")))
        assert read and read <= set(test.judge.reads), test.name


# Answers of several processes are put together; who is asked more is decided from them.


HALF, THIRD = outcome(0.5), outcome(1 / 3)
REPEATED = "called three times"
FUNCTIONS = (Function(name="f", metric="recall"), Function(name="g", metric="recall"))


def observed(**answers: Outcome) -> dict[str, Observation]:
    return {name: Observation(name, {ORDINARY: each}, {}) for name, each in answers.items()}


def test_two_processes_are_sorted_by_what_was_asked() -> None:
    asked = ExperimentAsks((), {}, {7: "a scene"})
    again = ExperimentAsks((), {}, {0: ORDINARY})
    made = collect_answers(asked, [Answer(7, "f", 3, HALF)], again, [Answer(0, "f", 5, THIRD)])
    assert made.scenarios == {"f": {"a scene": {3: (HALF,)}}}
    assert made.other_seed == {"f": {ORDINARY: THIRD}}


def test_further_answers_are_added_to_the_known_ones() -> None:
    known = ExperimentAnswers({"f": {"one": {3: (HALF,)}}, "g": {}})
    made = with_further_answers(known, [Answer(0, "f", 3, THIRD)], {0: "other"})
    assert made.scenarios == {"f": {"one": {3: (HALF,)}, "other": {3: (THIRD,)}}, "g": {}}


def test_repeated_answers_of_both_processes_join_the_observation() -> None:
    made = ExperimentAnswers(
        {"f": {REPEATED: {5: (HALF, THIRD, Crashed(-9, ""))}}}, {"f": {ORDINARY: ERROR, "other": HALF}}
    )
    repeated = made.with_repeats(observed(f=HALF))["f"]
    assert repeated.repeats == {ORDINARY: (ERROR, HALF, THIRD)}, "no crash, and no probe that was not asked"


def test_only_who_answered_a_probe_is_asked_it_under_another_seed() -> None:
    made = other_seed_asks(FUNCTIONS, observed(f=HALF, g=ERROR))
    in_order = [each.name for each in PROBES if each.name in scenarios.SEEDED[1:]]
    assert [(made.about[ask.id], ask.functions) for ask in made.asks] == [(each, ("f",)) for each in in_order]
    assert other_seed_asks(FUNCTIONS, {}).asks == ()


def test_whose_answer_the_combination_changes_is_asked_each_change_by_itself() -> None:
    answers = ExperimentAnswers({name: {COMBINED_CHANGES: {5: (HALF,)}} for name in ("f", "g")})
    assert changed_by_combination(FUNCTIONS, answers, observed(f=HALF, g=THIRD)) == FUNCTIONS[1:]
    refusing = ExperimentAnswers({"f": {COMBINED_CHANGES: {5: (ERROR,)}}})
    assert changed_by_combination(FUNCTIONS, refusing, observed(f=HALF, g=THIRD)) == FUNCTIONS[:1]


# Outcomes read from a confirmed definition are those of the function, by the slow oracle; nothing else is told.


MEAN = Measured(0.5, None, None, "float", 0.0)
BY_NAME = {each.name: each for each in (*SCENARIOS, *CONTRACT)}


def all_is_told(probes: Sequence[Probe]) -> np.ndarray:
    return np.ones(len(probes), dtype=np.bool_)


@pytest.mark.parametrize(
    "signature",
    ["ndcg@k|gain:exp2|ties:item_asc", "recall@k|users:all|undefined:0", "precision@k|candidates:without_train"],
)
def test_the_oracle_gives_what_is_told_of_scenarios(signature: str) -> None:
    definition = parse(signature)
    told = predicted_scenarios(definition, Function(name="f", metric=definition.metric), MEAN, all_is_told)
    assert len(told) >= 20
    for name, by_cutoff in told.items():
        assert tuple(by_cutoff) == BY_NAME[name].ks
        for k, (given,) in by_cutoff.items():
            made = slow(definition.metric, definition.axes, BY_NAME[name].case, k)
            assert isinstance(given, Measured) and given.mean == pytest.approx(made.mean, abs=1e-12, nan_ok=True)


def test_several_cut_offs_are_told_of_a_function_that_takes_one() -> None:
    for cutoff, signature in ((True, "recall@k"), (False, "recall|cutoff:none")):
        told = predicted_scenarios(
            parse(signature), Function(name="f", metric="recall", cutoff=cutoff), MEAN, all_is_told
        )
        assert (K_ALONE in told) == cutoff


def test_what_no_axis_describes_is_never_told() -> None:
    told = predicted_scenarios(parse("recall@k"), Function(name="f", metric="recall"), MEAN, all_is_told)
    asked = {
        "many changes together",
        "rows shuffled across users",
        "no truth at all",
        "padded with item 0",
        CALLED_AGAIN,
    }
    assert not asked & told.keys()


def test_where_the_contract_decides_on_ties_they_are_not_told() -> None:
    function = Function(name="f", metric="recall", takes=Takes(input="ranked"))
    told = predicted_scenarios(parse("recall@k|order:rows"), function, MEAN, all_is_told)
    assert not {each.name for each in TIES} & told.keys()
    assert {each.name for each in UNTIED} <= told.keys()


def test_an_error_that_a_definition_expects_is_not_told_since_its_words_are_not_known() -> None:
    told = predicted_probes(parse("recall@k|no_list:error"), Function(name="f", metric="recall"), {}, MEAN, all_is_told)
    assert "a user without recommendations first" not in told
    assert "ordinary users of unequal r and list length" in told


def test_probes_that_were_asked_are_not_told_again() -> None:
    asked = {probe.name: MEAN for probe in INITIAL_PROBES[1:]}
    told = predicted_probes(parse("recall@k"), Function(name="f", metric="recall"), asked, MEAN, all_is_told)
    assert list(told) == [INITIAL_PROBES[0].name]


def test_inputs_with_a_feature_that_held_out_cases_left_out_are_not_told() -> None:
    function = Function(name="f", metric="recall")

    def tells(probes: Sequence[Probe]) -> np.ndarray:
        return np.array([probe.k != 5 for probe in probes])

    told = predicted_scenarios(parse("recall@k"), function, MEAN, tells)
    assert K_ALONE not in told, "one of its cut-offs is 5"
    assert all(5 not in BY_NAME[name].ks for name in told) and told
    of_five = {probe.name for probe in INITIAL_PROBES if probe.k == 5}
    assert not of_five & predicted_probes(parse("recall@k"), function, {}, MEAN, tells).keys()


def test_users_have_values_where_the_function_gives_them() -> None:
    like = Measured(None, np.array([1]), np.array([0.5]), "float32", 0.0)
    name = "ordinary users of unequal r and list length"
    outcome = predicted_probes(parse("recall@k"), Function(name="f", metric="recall"), {}, like, all_is_told)[name]
    assert isinstance(outcome, Measured) and outcome.mean is None and outcome.users is not None
    (probe,) = [each for each in INITIAL_PROBES if each.name == name]
    made = slow("recall", parse("recall@k").axes, probe.case, probe.k)
    assert outcome.values is not None and outcome.values.mean() == pytest.approx(made.mean)
