"""Tries an adapter: ten plain cases are put to its functions, and the answers are looked over for its faults.

The cases are small enough to check by hand, and nothing in them is unusual. A trial names the formulas nearest to what
a function returned, and finds, among the contracts that functions of a form usually have, the one that its answers do
not contradict.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from recsys_metric_audit.audit.behaviours import scenarios
from recsys_metric_audit.audit.behaviours.adapter_check import adapter_fault
from recsys_metric_audit.audit.behaviours.contract_check import contract_fault, promises
from recsys_metric_audit.audit.behaviours.function_behaviours import canonical
from recsys_metric_audit.audit.behaviours.responses import FunctionUnderTest
from recsys_metric_audit.audit.libraries.function import Function, Takes
from recsys_metric_audit.audit.observations.observation import Tolerance, infer_tolerance, scalar
from recsys_metric_audit.audit.process.protocol import Ask, Conversation, Measured, NotOffered, Outcome
from recsys_metric_audit.audit.questions.initial import by_cutoff
from recsys_metric_audit.audit.questions.item_cases import item_questions, reads_items
from recsys_metric_audit.audit.responders.interface import Responder
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.cases.item_probes import FAMILY_PROBES, SHOWN_ITEMS
from recsys_metric_audit.reference.cases.probe import Probe, User, case_from_users
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Floats
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.value_search.moves import formulas


@dataclass(frozen=True, eq=False)
class PlainCase:
    """A case with its cut-off; ``users`` has the gains of each user's list, best first, and of the items it misses."""

    case: Case
    k: int
    users: tuple[User, ...]

    @property
    def name(self) -> str:
        """Return the case's name."""
        return self.case.name

    @property
    def words(self) -> str:
        """Return the gains in the order of the list, those of relevant items that are not listed behind a plus."""
        return "; ".join(_gains(user) for user in self.users)


def _gains(user: User) -> str:
    listed = " ".join(f"{gain:g}" for gain in user.ranked)
    missed = " ".join(f"{gain:g}" for gain in user.missed)
    return f"{listed} + {missed}" if missed else listed


def _case(name: str, k: int, *users: User) -> PlainCase:
    return PlainCase(case_from_users(name, users, why=name), k, users)


PERFECT: Final = _case("perfect list", 2, User((4, 2, 0, 0)))
UPSIDE_DOWN: Final = _case("perfect list, reversed", 2, User((0, 0, 2, 4)))
HOPELESS: Final = _case("hit below the cut-off only", 2, User((0, 0, 0, 2)))

PLAIN_CASES: Final = (
    PERFECT,
    UPSIDE_DOWN,
    HOPELESS,
    _case("hits at 2 and 3", 2, User((0, 2, 2, 0, 0))),
    _case("three grades", 3, User((3, 2, 0, 4))),
    _case("list shorter than the cut-off", 6, User((0, 2, 0, 2))),
    _case("one relevant item not listed", 3, User((2, 0, 0, 0), (2,))),
    _case("hits below the cut-off, one not listed", 2, User((2, 0, 2, 2, 0, 0), (2,))),
    _case("two users", 2, User((2, 0, 0)), User((0, 0, 2))),
    _case("two users, unequal lists", 3, User((0, 2, 0, 4, 0), (2, 2)), User((2, 0))),
)
"""Seven of them list every relevant item, for functions that can be given no other."""


def plain_questions(metric: str) -> tuple[PlainCase | Probe, ...]:
    """Return the ten cases of a trial of a metric's functions; beyond accuracy they are probes, which hold train data.

    A metric whose value these probes hardly change has probes of its own, which come first.
    """
    if FAMILIES[metric].reads == "relevance":
        return PLAIN_CASES
    own = [probe for probe in FAMILY_PROBES.get(metric, ()) if probe.kind == SHOWN_ITEMS]
    return (*own, *item_questions())[: len(PLAIN_CASES)]


_SHOWN = 3
_Known = tuple[Definition, int, Floats]
"""A formula, its moves from canonical, and its values on the plain cases; NaN where it refuses one."""


@dataclass(frozen=True)
class Nearest:
    """Holds a formula, its values by the names of the plain cases, and how many of them a function returned.

    ``moves`` counts the axes on which it differs from the canonical one.
    """

    definition: Definition
    values: Mapping[str, float]
    equal: int
    moves: int


def nearest_formulas(
    metric: str, has_k: bool, returned: Mapping[str, float], tolerance: Tolerance
) -> tuple[Nearest, ...]:
    """Return the formulas that give most of the returned numbers, nearest first; among equals the more usual one.

    Args:
        metric: the metric whose name the function bears.
        has_k: False for a function that takes no cut-off.
        returned: what the function returned, by the name of the plain case.
        tolerance: within which two numbers are equal.
    """
    names = [each.name for each in plain_questions(metric)]
    near = _ranked(_known(metric, has_k, 1), names, returned, tolerance)
    if near[0].equal < len(returned):
        near = _ranked(_known(metric, has_k, 2), names, returned, tolerance)
    return near


def _ranked(
    known: Iterable[_Known], names: Sequence[str], returned: Mapping[str, float], tolerance: Tolerance
) -> tuple[Nearest, ...]:
    places = [names.index(name) for name in returned]
    observed = np.array(list(returned.values()))
    scored = [(int(tolerance.close(each[2][places], observed).sum()), *each) for each in known]
    scored.sort(key=lambda each: (-each[0], each[2], len(each[1].signature())))
    first: dict[Definition, Nearest] = {}
    for equal, definition, moves, values in scored:
        by_name = dict(zip(names, map(float, values), strict=True))
        first.setdefault(definition, Nearest(definition, by_name, equal, moves))
        if len(first) == _SHOWN:
            break
    return tuple(first.values())


@lru_cache(maxsize=32)
def _known(metric: str, has_k: bool, most: int) -> tuple[_Known, ...]:
    asked = plain_questions(metric)
    problem = Problem.of([each.case for each in asked], [each.k for each in asked])
    known = []
    for moves, definition in _formulas(metric, has_k, most):
        made = evaluate(definition, problem)
        known.append((shortest(definition), moves, np.where(made.refused, np.nan, made.mean)))
    return tuple(known)


def _formulas(metric: str, has_k: bool, most: int) -> Iterator[tuple[int, Definition]]:
    """Yield the documented formulas and those up to ``most`` moves from canonical, with their number of moves."""
    family = FAMILIES[metric]
    whole = {} if has_k or Definition.of(metric).k is None else {"cutoff": "none"}
    for moved, moves in formulas(metric, most).items():
        values = {**dict(moved), **whole}
        if family.refusal({**family.canonical, **values}) is None:
            yield moves, Definition.of(metric, values)


_CASES: Final[Mapping[str, tuple[Case, int]]] = {
    **{probe.name: (probe.case, probe.k) for probe in PROBES},
    **{
        each.name: (each.case, each.ks[0])
        for each in (*scenarios.SCENARIOS, *scenarios.SEPARATE_CHANGES, *scenarios.CONTRACT)
    },
    **{each.name: (each.case, each.k) for each in PLAIN_CASES},
    **{each.name: (each.case, each.k) for each in item_questions()},
}


def _fractional() -> tuple[str, ...]:
    """Return two probes with fractional gains whose relevant items are all listed: nearly every function takes them."""
    cases = (each.case for each in PROBES if (each.case.truth.gain % 1 != 0).any())
    return tuple(case.name for case in cases if np.isin(case.truth.item, case.predictions.item).all())[:2]


_ALWAYS: Final = (
    *(each.name for each in scenarios.SINGLE_HIT),
    "[4 2 0 0] k2",
    *_fractional(),
    scenarios.ORDINARY,
    scenarios.ONLY_LISTED,
    scenarios.TURNED,
    scenarios.SHUFFLED,
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
        file, (case, k) = f"t{number:03}", _CASES[name]
        cases[file] = case
        for names, ks in by_cutoff((each for each in functions if name in wanted[each.name]), (k,)):
            about[len(asks)] = name
            asks.append(Ask(len(asks), file, names, ks))
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


_OTHERS: Final[Mapping[str, tuple[Takes, ...]]] = {
    "dicts": (Takes(gains="whole"), Takes(truth="set"), Takes(input="ranked"), Takes(input="ranked", truth="set")),
    "frames": (Takes(input="ranked"), Takes(gains="whole"), Takes(input="ranked", gains="whole"), Takes(truth="list")),
    "matrix": (Takes(input="matrix", gains="whole"), Takes(input="matrix", truth="set")),
    "tensors": (Takes(input="labels", truth="set"),),
    "per-list": (Takes(input="ranked", truth="set"), Takes(input="ranked")),
    "model": (Takes(input="matrix"),),
}
"""The contracts that are tried where answers contradict the usual one of a form."""


def with_fitting_contracts(trial: Trial, like: str, responder: Responder) -> Trial:
    """Return the trial with contracts that answers do not contradict.

    All functions get the contract that contradicts the fewest of them: what shows nothing of a contract has that of the
    others. Each one left then gets the first that does not contradict it, if any does not.
    """
    if not any(each.faults for each in trial.functions):
        return trial
    tried = [trial]
    for takes in _OTHERS[like]:
        again = [each.function.model_copy(update={"takes": takes}) for each in trial.functions]
        tried.append(try_functions(again, responder))
    best = min(tried, key=lambda each: sum(bool(own.faults) for own in each.functions))
    others = [each for each in tried if each is not best]
    functions = tuple(_fitting(place, best, others) for place in range(len(best.functions)))
    return replace(best, functions=functions)


def _fitting(place: int, best: Trial, others: Sequence[Trial]) -> FunctionTrial:
    found = (trial.functions[place] for trial in (best, *others) if not trial.functions[place].faults)
    return next(found, best.functions[place])
