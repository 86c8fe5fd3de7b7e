"""Answers of functions that compute a definition beyond accuracy, made by the slow oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.audit.questions.item_cases import item_questions
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.input.case import Case
from tests.support.oracle_items import Refused, slow_value

DATA_CASE = item_questions("gini")[-1].case
DATA = Problem.of([DATA_CASE], None)
Value = Callable[[Case, int], float]


def function_of(signature: str) -> Function:
    """Return a function that bears the name of the metric of a signature, with a cut-off if that has one."""
    definition = parse(signature)
    return Function(name="f", metric=definition.metric, cutoff=definition.k is not None)


def of_definition(signature: str) -> Value:
    """Return a function that computes a definition, as the slow oracle does."""
    definition = parse(signature)
    return lambda case, k: slow_value(definition.metric, definition.axes, case, k if definition.k else None)


def outcome(value: Value, case: Case, k: int) -> Outcome:
    """Return what calling a function comes to."""
    try:
        return Measured(value(case, k), None, None, "float", 0.0)
    except (Refused, ValueError, ZeroDivisionError) as error:
        return Errored(type(error).__name__, str(error), "")


def answers(value: Value, probes: Iterable[Probe]) -> dict[str, Outcome]:
    """Return the outcomes on some probes by name."""
    return {probe.name: outcome(value, probe.case, probe.k) for probe in probes}


def observed(value: Value, k: int = 3) -> Observation:
    """Return everything that a function answers at first."""
    return Observation("f", answers(value, item_questions()), {k: outcome(value, DATA_CASE, k)})
