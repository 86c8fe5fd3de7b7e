"""Answers of several processes are put together; who is asked more is decided from them."""

from __future__ import annotations

from recsys_metric_audit.audit.behaviours.experiment_answers import (
    ExperimentAnswers,
    answering_ordinary,
    changed_by_combination,
    collect_answers,
    with_further_answers,
)
from recsys_metric_audit.audit.behaviours.experiment_asks import ExperimentAsks
from recsys_metric_audit.audit.behaviours.scenarios import COMBINED_CHANGES, ORDINARY
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Answer, Crashed, Outcome
from tests.support.behaviour_samples import ERROR, outcome

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


def test_only_who_answered_the_ordinary_probe_is_asked_under_another_seed() -> None:
    assert answering_ordinary(FUNCTIONS, observed(f=HALF, g=ERROR)) == FUNCTIONS[:1]
    assert answering_ordinary(FUNCTIONS, {}) == ()


def test_whose_answer_the_combination_changes_is_asked_each_change_by_itself() -> None:
    answers = ExperimentAnswers({name: {COMBINED_CHANGES: {5: (HALF,)}} for name in ("f", "g")})
    assert changed_by_combination(FUNCTIONS, answers, observed(f=HALF, g=THIRD)) == FUNCTIONS[1:]
    refusing = ExperimentAnswers({"f": {COMBINED_CHANGES: {5: (ERROR,)}}})
    assert changed_by_combination(FUNCTIONS, refusing, observed(f=HALF, g=THIRD)) == FUNCTIONS[:1]
