"""A function is run in this process; its exceptions and bad answers become outcomes."""

from __future__ import annotations

from typing import Any

from audit.inhouse.execution import AGAIN, run_here
from audit.inhouse.function_inputs import FunctionInputs, function_inputs
from audit.process.protocol import Errored, Measured


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
