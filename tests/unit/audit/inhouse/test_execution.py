"""A function is run in this process; its exceptions and bad answers become outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pytest

from recsys_metric_audit.audit.inhouse.execution import AGAIN, _ask_inputs, _ask_probes, _Asking, run_here
from recsys_metric_audit.audit.inhouse.function_inputs import FunctionInputs, function_inputs
from recsys_metric_audit.audit.inhouse.shape_trial import ShapeAnswers, recognised_shape
from recsys_metric_audit.audit.inhouse.shapes import SHAPES, Shape
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Errored, Measured
from recsys_metric_audit.reference.input.case import Case


def few() -> FunctionInputs:
    inputs = function_inputs()
    return FunctionInputs(inputs.probes[: AGAIN + 1], inputs.data, inputs.k)


def test_values_and_repeated_calls_are_observed() -> None:
    inputs = few()
    observation = run_here(lambda recommended, relevant, k: k / 100, inputs)
    first = inputs.probes[0]
    outcome = observation.probes[first.name]
    assert isinstance(outcome, Measured) and outcome.mean == first.k / 100
    assert list(observation.repeats) == [probe.name for probe in inputs.probes[:AGAIN]]
    assert list(observation.data) == [inputs.k] and observation.k is None


def test_an_exception_has_its_traceback_and_a_bad_answer_none() -> None:
    def raises(*_: Any) -> float:
        raise KeyError("no such column")

    name = few().probes[0].name
    raised = run_here(raises, few()).probes[name]
    assert isinstance(raised, Errored) and (raised.error, raised.message) == ("KeyError", "'no such column'")
    assert "in raises" in raised.traceback
    bad = run_here(lambda *_: None, few()).probes[name]
    assert isinstance(bad, Errored) and (bad.error, bad.traceback) == ("BadAnswer", "")


def recall_of_sets(name: str, cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
    """Answer as a function recall(recommended, relevant, k) does, called with either argument first."""
    answers = []
    for each in asks:
        case, k = cases[each.case], each.ks[0] or 0
        first, second = case.predictions.item.tolist(), case.truth.item.tolist()
        if each.functions == ("audit_adapter.metric[actual]",):
            first, second = second, first
        value = len(set(first[:k]) & set(second)) / len(second)
        answers.append(Answer(each.id, each.functions[0], k, Measured(value, None, None, "float", 0.0)))
    return Conversation(None, tuple(answers), 0.0, 1)


def recognised(ask: _Asking, shapes: tuple[Shape, ...], metric: str | None) -> ShapeAnswers:
    found = recognised_shape(partial(_ask_probes, ask), shapes, None, metric)
    assert found is not None
    return found


@pytest.mark.parametrize("metric", ["recall", "precision", None])
def test_parameters_say_which_argument_is_first_under_a_wrong_name_too(metric: str | None) -> None:
    # Called as (relevant, recommended), it divides the hits by the length of the list, as some precisions do.
    shapes = (SHAPES["recommended"], SHAPES["actual"])
    assert recognised(recall_of_sets, shapes, metric).shape == SHAPES["recommended"]


def test_where_no_metric_agrees_in_the_likeliest_shape_the_trials_decide() -> None:
    shapes = (SHAPES["actual"], SHAPES["recommended"])
    assert recognised(recall_of_sets, shapes, "recall").shape == SHAPES["recommended"]


def test_a_shape_in_which_nothing_is_answered_is_asked_a_few_inputs_only() -> None:
    """A function of two frames answers in none of the shapes of lists, and raises there."""
    shapes = (SHAPES["recommended"], SHAPES["actual"], SHAPES["frames"])
    asked: dict[str, int] = {}

    def recall_of_frames(name: str, cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
        answers = []
        for each in asks:
            asked[each.functions[0]] = asked.get(each.functions[0], 0) + 1
            outcome: Measured | Errored = Errored("AttributeError", "no merge", "")
            if each.functions == ("audit_adapter.metric[frames]",):
                case, k = cases[each.case], each.ks[0] or 0
                shown = case.predictions.item.tolist()[:k]
                value = len(set(shown) & set(case.truth.item.tolist())) / len(case.truth.item)
                outcome = Measured(value, None, None, "float", 0.0)
            answers.append(Answer(each.id, each.functions[0], each.ks[0], outcome))
        return Conversation(None, tuple(answers), 0.0, 1)

    assert recognised(recall_of_frames, shapes, "recall").shape == SHAPES["frames"]
    assert asked["audit_adapter.metric[actual]"] < asked["audit_adapter.metric[recommended]"] / 5
    assert asked["audit_adapter.metric[frames]"] == asked["audit_adapter.metric[recommended]"]


def test_what_was_answered_in_a_trial_is_asked_again_only_to_see_whether_it_repeats() -> None:
    tried = recognised(recall_of_sets, (SHAPES["recommended"],), "recall")
    inputs = function_inputs(tried.shape)
    asked: list[str] = []

    def recall(name: str, cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
        asked.extend(cases[each.case].name for each in asks)
        return recall_of_sets(name, cases, asks)

    observation = _ask_inputs(recall, inputs, tried, "recommended, relevant, k", cutoff=True).observation
    known = set(tried.outcomes)
    assert len(asked) == len(inputs.every) - len(known) + 1 + AGAIN
    assert list(observation.probes) == [probe.name for probe in inputs.every]
    assert all(observation.probes[name] == tried.outcomes[name] for name in known)
    assert list(observation.repeats) == [probe.name for probe in inputs.probes[:AGAIN]]
