"""Tries an adapter: plain cases are put to its functions, and the answers are looked over for its faults."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from recsys_metric_audit.audit.authoring.nearest_formulas import Nearest, nearest_formulas
from recsys_metric_audit.audit.authoring.plain_cases import HOPELESS, PERFECT, PLAIN_CASES, UPSIDE_DOWN, plain_questions
from recsys_metric_audit.audit.behaviours.adapter_check import adapter_fault
from recsys_metric_audit.audit.behaviours.contract_check import contract_fault
from recsys_metric_audit.audit.behaviours.contract_promises import promises
from recsys_metric_audit.audit.behaviours.definition_values import canonical
from recsys_metric_audit.audit.behaviours.function_under_test import FunctionUnderTest
from recsys_metric_audit.audit.behaviours.scenarios import (
    CONTRACT,
    ONLY_LISTED,
    ORDINARY,
    SCENARIOS,
    SEPARATE_CHANGES,
    SHUFFLED,
    SINGLE_HIT,
    TURNED,
)
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import infer_tolerance, scalar
from recsys_metric_audit.audit.process.protocol import Ask, Conversation, Measured, NotOffered, Outcome
from recsys_metric_audit.audit.questions.item_cases import item_questions, reads_items
from recsys_metric_audit.audit.responders.interface import Responder
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case

_CASES: Final[Mapping[str, tuple[Case, int]]] = {
    **{probe.name: (probe.case, probe.k) for probe in PROBES},
    **{each.name: (each.case, each.ks[0]) for each in (*SCENARIOS, *SEPARATE_CHANGES, *CONTRACT)},
    **{each.name: (each.case, each.k) for each in PLAIN_CASES},
    **{each.name: (each.case, each.k) for each in item_questions()},
}


def _fractional() -> tuple[str, ...]:
    """Return two probes with fractional gains whose relevant items are all listed: nearly every function takes them."""
    cases = (each.case for each in PROBES if (each.case.truth.gain % 1 != 0).any())
    return tuple(case.name for case in cases if np.isin(case.truth.item, case.predictions.item).all())[:2]


_ALWAYS: Final = (
    *(each.name for each in SINGLE_HIT),
    "[4 2 0 0] k2",
    *_fractional(),
    ORDINARY,
    ONLY_LISTED,
    TURNED,
    SHUFFLED,
)
"""What shows whether columns, order or cut-off are confused, whether scores decide, and whether fractions are taken."""


@dataclass(frozen=True, eq=False)
class FunctionTrial:
    """Holds what one function answered to the plain cases.

    Attributes:
        function: the function.
        outcomes: its outcome on every plain case, by the case's name.
        canonical: the canonical value of every plain case, by the case's name; none of a metric beyond accuracy.
        nearest: the formulas nearest to its answers; none if it returned no number, or reads what lists show.
        faults: in words, what shows that the adapter, or the metric or contract that it declares, is wrong.
    """

    function: Function
    outcomes: Mapping[str, Outcome]
    canonical: Mapping[str, float]
    nearest: tuple[Nearest, ...]
    faults: tuple[str, ...]

    @property
    def measured(self) -> dict[str, float]:
        """Return its numbers by the case's name; of several users without a mean their values' mean."""
        return {name: _number(each) for name, each in self.outcomes.items() if isinstance(each, Measured)}


@dataclass(frozen=True, eq=False)
class Trial:
    """Holds the trials of an adapter's functions, what is wrong with all of them together, and how long they took."""

    functions: tuple[FunctionTrial, ...]
    fault: str | None
    seconds: float

    @property
    def sane(self) -> bool:
        """True if nothing that was seen speaks against the adapter, and something was measured."""
        return (
            self.fault is None
            and any(each.measured for each in self.functions)
            and not any(each.faults for each in self.functions)
        )


def try_functions(functions: Sequence[Function], responder: Responder) -> Trial:
    """Put the plain cases, and the inputs that show an adapter's faults, to functions of a library."""
    asks, cases, about = _asks(functions)
    conversation = responder.ask(cases, asks, lambda done, total: None, threading.Event())
    outcomes = _by_function(functions, conversation, about)
    tested = {
        each.name: FunctionUnderTest(each, outcomes[each.name], {}, infer_tolerance(outcomes[each.name].values()))
        for each in functions
    }
    trials = tuple(_trial(tested[each.name]) for each in functions)
    fault = adapter_fault(list(tested.values())) if any(each.measured for each in trials) else None
    return Trial(trials, fault, conversation.seconds)


def _asks(functions: Sequence[Function]) -> tuple[list[Ask], dict[str, Case], dict[int, str]]:
    """Return the asks, the cases that they name, and the name of the case of each ask by the ask's id."""
    asks: list[Ask] = []
    cases: dict[str, Case] = {}
    about: dict[int, str] = {}
    wanted = {each.name: _wanted(each) for each in functions}
    for number, name in enumerate(dict.fromkeys(name for own in wanted.values() for name in own)):
        case, k = _CASES[name]
        for cutoff in (True, False):
            chosen = tuple(each.name for each in functions if each.cutoff is cutoff and name in wanted[each.name])
            if chosen:
                file = f"t{number:03}"
                cases[file] = case
                about[len(asks)] = name
                asks.append(Ask(len(asks), file, chosen, (k if cutoff else None,)))
    return asks, cases, about


def _wanted(function: Function) -> tuple[str, ...]:
    """Return the names of the inputs that a function is asked: plain ones, and those that test what it declares."""
    if reads_items(function):
        return tuple(each.name for each in plain_questions(function.metric))
    contract = [name for _, promise in promises(function) for name in (promise.one, promise.other)]
    return (*(each.name for each in PLAIN_CASES), *_ALWAYS, *contract)


def _by_function(
    functions: Sequence[Function], conversation: Conversation, about: Mapping[int, str]
) -> dict[str, dict[str, Outcome]]:
    found: dict[str, dict[str, Outcome]] = {each.name: {} for each in functions}
    for answer in conversation.answers:
        found[answer.function][about[answer.ask]] = answer.outcome
    for each in functions:  # a recording holds answers to what it was asked, and plain cases are not among it
        missing = (name for name in _wanted(each) if name not in found[each.name])
        found[each.name] |= dict.fromkeys(missing, NotOffered("no answer to this is recorded"))
    return found


def _trial(tested: FunctionUnderTest) -> FunctionTrial:
    function, asked = tested.function, plain_questions(tested.function.metric)
    definition = function.held_against or canonical(function.metric, has_k=function.cutoff)
    problem = Problem.of([each.case for each in asked], [each.k for each in asked])
    expected = dict(zip((each.name for each in asked), map(float, evaluate(definition, problem).mean), strict=True))
    outcomes = {each.name: tested.probes[each.name] for each in asked}
    made = FunctionTrial(function, outcomes, expected, (), ())
    measured = made.measured
    if not measured:
        return made
    near = nearest_formulas(function.metric, function.cutoff, measured, tested.tolerance)
    if reads_items(function):  # no list is the best by what it shows
        return FunctionTrial(function, outcomes, expected, near, ())
    faults = [*_order_faults(measured, expected, tested), *filter(None, [contract_fault(tested)])]
    return FunctionTrial(function, outcomes, expected, near, tuple(faults))


def _order_faults(measured: Mapping[str, float], expected: Mapping[str, float], tested: FunctionUnderTest) -> list[str]:
    """Return which pairs of lists stand in the reverse order of their canonical values."""
    faults = []
    for worse in (UPSIDE_DOWN, HOPELESS):
        if PERFECT.name not in measured or worse.name not in measured:
            continue
        best, worst = measured[PERFECT.name], measured[worse.name]
        apart = not tested.tolerance.close(np.array([best]), np.array([worst]))[0]
        if apart and (best - worst) * (expected[PERFECT.name] - expected[worse.name]) < 0:
            faults.append(
                f"{worse.name} ({worse.words}) gives {worst:.6g}, and {PERFECT.name} ({PERFECT.words}) {best:.6g}: "
                "the order is reversed, or this is another metric"
            )
    return faults


def _number(outcome: Measured) -> float:
    number = scalar(outcome)
    return float(np.mean(outcome.values)) if number is None and outcome.values is not None else float(number or 0.0)
