"""A function is run in this process; its exceptions and bad answers become outcomes."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from recsys_metric_audit.audit.inhouse import running
from recsys_metric_audit.audit.inhouse.call import Call
from recsys_metric_audit.audit.inhouse.running import Running, running_here
from recsys_metric_audit.audit.inhouse.shape_trial import ShapeAnswers, recognised_shape, trial_probes
from recsys_metric_audit.audit.inhouse.shapes import DEFAULT, SHAPES, Shape
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Crashed,
    Errored,
    Measured,
    Outcome,
    TimedOut,
    Unaskable,
)
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.input.case import Case

PROBES = trial_probes(DEFAULT, None)


def asked(function: Any, probe: Probe = PROBES[0]) -> Outcome:
    return Call(running_here(function, DEFAULT), DEFAULT).outcomes([probe])[probe.name]


def test_a_value_is_observed() -> None:
    outcome = asked(lambda recommended, relevant, k: k / 100)
    assert isinstance(outcome, Measured) and outcome.mean == PROBES[0].k / 100


def test_an_exception_has_its_traceback_and_a_bad_answer_none() -> None:
    def raises(*_: Any) -> float:
        raise KeyError("no such column")

    raised = asked(raises)
    assert isinstance(raised, Errored) and (raised.error, raised.message) == ("KeyError", "'no such column'")
    assert "in raises" in raised.traceback
    bad = asked(lambda *_: None)
    assert isinstance(bad, Errored) and (bad.error, bad.traceback) == ("BadAnswer", "")


def test_a_call_that_hangs_is_ended_and_then_no_more_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SECONDS_HERE", 0.01)
    calls = []

    def hangs(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        calls.append(k)
        while True:
            try:
                threading.Event().wait(0.01)
            except Exception:  # as retries are written
                continue

    outcomes = Call(running_here(hangs, DEFAULT), DEFAULT).outcomes(PROBES[:4])
    assert [*outcomes.values()] == [TimedOut(0.01)] * 2 + [TimedOut(0.01, asked=False)] * 2
    assert len(calls) == 2


def test_a_debugger_may_take_its_time_and_another_alarm_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SECONDS_HERE", 0.01)

    def slow(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        threading.Event().wait(0.05)
        return 0.5

    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        assert isinstance(asked(slow), Measured)
    finally:
        sys.settrace(before)
    signal.signal(signal.SIGALRM, lambda *_: None)
    try:
        assert isinstance(asked(slow), Measured)
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_a_call_that_exits_has_ended_its_process() -> None:
    assert asked(lambda recommended, relevant, k: sys.exit(3)) == Crashed(3, "")


def test_what_a_call_cannot_hold_is_not_asked() -> None:
    vector = SHAPES["vector"]
    unlisted = next(probe for probe in PROBES if not vector.holds(probe.case))
    outcomes = Call(running_here(lambda r, k: 1.0, vector), vector).outcomes([unlisted])
    assert isinstance(outcomes[unlisted.name], Unaskable)


def test_at_one_cutoff_others_are_not_asked() -> None:
    call = Call(running_here(lambda recommended, relevant, k: 1.0, DEFAULT), DEFAULT, 77)
    assert isinstance(call.outcomes([PROBES[0]])[PROBES[0].name], Unaskable)


def recall_of_sets(cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
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


def recognised(put: Any, shapes: tuple[Shape, ...], metric: str | None) -> ShapeAnswers:
    running = Running(put, shapes)
    found, _ = recognised_shape(lambda shape, probes: Call(running, shape).outcomes(probes), shapes, None, metric)
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
    counted: dict[str, int] = {}

    def recall_of_frames(cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
        answers = []
        for each in asks:
            counted[each.functions[0]] = counted.get(each.functions[0], 0) + 1
            outcome: Measured | Errored = Errored("AttributeError", "no merge", "")
            if each.functions == ("audit_adapter.metric[frames]",):
                case, k = cases[each.case], each.ks[0] or 0
                shown = case.predictions.item.tolist()[:k]
                value = len(set(shown) & set(case.truth.item.tolist())) / len(case.truth.item)
                outcome = Measured(value, None, None, "float", 0.0)
            answers.append(Answer(each.id, each.functions[0], each.ks[0], outcome))
        return Conversation(None, tuple(answers), 0.0, 1)

    assert recognised(recall_of_frames, shapes, "recall").shape == SHAPES["frames"]
    assert counted["audit_adapter.metric[actual]"] < counted["audit_adapter.metric[recommended]"] / 5
    assert counted["audit_adapter.metric[frames]"] == counted["audit_adapter.metric[recommended]"]


def test_a_function_that_refuses_most_inputs_in_every_shape_is_not_recognised() -> None:
    def picky(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        if len(recommended) != 3:
            raise ValueError("three items")
        return 1 / (1 + len(relevant) + k)

    running = running_here(picky)
    found, tried = recognised_shape(
        lambda shape, probes: Call(running, shape).outcomes(probes), running.shapes, None, "recall"
    )
    assert found is None and tried[0].shape == DEFAULT


def ndcg_of_rows(scores: Any, index: int, top_n: int = 10) -> float:
    """Average over rows of scores: a vector of them gives numbers as well, of which each is a row of one item."""
    gains = []
    for row in scores:
        best = np.argsort(-np.asarray(row), kind="stable", axis=None)[:top_n].tolist()
        gains.append(1 / np.log2(best.index(index) + 2) if index in best else 0.0)
    return float(np.mean(gains))


def test_of_several_forms_that_raise_nothing_the_one_that_agrees_is_taken() -> None:
    running = running_here(ndcg_of_rows)
    found, _ = recognised_shape(
        lambda shape, probes: Call(running, shape).outcomes(probes), running.shapes, None, "ndcg",
        speaks=running.speaks_for, forms=running.forms,
    )  # fmt: skip
    assert found is not None and found.shape.asked_as == "scores-target/1"


def test_ranks_of_the_caller_decide_which_rows_come_first() -> None:
    def mrr(truth: Any, results: Any) -> float:
        return float(1 / results.merge(truth, on=["user", "item"])["rank"].min())

    tables = [each for each in running_here(mrr).shapes if "frames" in each.name]
    assert tables and all("order" in each.not_shown and "ranks from 1" in each.call for each in tables)
