"""The asks of the experiments: one for each scenario, and a few probes for a process of another hash seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from audit.behaviours.contract_promises import contract_scenarios
from audit.behaviours.scenarios import CONTRACT, SCENARIOS, SEEDED, SEPARATE_CHANGES, Scenario
from audit.libraries.function import Function
from audit.process.protocol import Answer, Ask, Outcome
from reference.cases import PROBES
from reference.input.case import Case

OTHER_SEED = 1
"""The hash seed of the second process; the first one's is 0."""

_Group = tuple[tuple[str, ...], tuple[int | None, ...]]
"""Names of functions, and the cut-offs at which they are asked."""


@dataclass(frozen=True, eq=False)
class ExperimentAsks:
    """Asks in order, the cases that they name, and the scenario or probe of each ask by the ask's id."""

    asks: tuple[Ask, ...]
    cases: Mapping[str, Case]
    about: Mapping[int, str]


def scenario_asks(functions: Sequence[Function], first: int) -> ExperimentAsks:
    """Return the asks of every scenario for every function, with ids from ``first`` on.

    A scenario at several cut-offs is left out for functions that take none, and one that tests a contract for those
    whose contract says nothing of it.
    """
    of_contracts = {each.name: contract_scenarios(each) for each in functions}
    return _asks((*SCENARIOS, *CONTRACT), functions, first, of_contracts)


def separate_change_asks(functions: Sequence[Function]) -> ExperimentAsks:
    """Return the asks of each separate change, for functions whose answer the combined changes changed."""
    return _asks(SEPARATE_CHANGES, functions, 0)


def _asks(
    scenarios: Sequence[Scenario],
    functions: Sequence[Function],
    first: int,
    of_contracts: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> ExperimentAsks:
    """Return the asks of scenarios; one of :data:`CONTRACT` is put to the functions that ``of_contracts`` names."""
    for_some = {each.name for each in CONTRACT}
    asks: list[Ask] = []
    cases: dict[str, Case] = {}
    about: dict[int, str] = {}
    files = {case: f"x{number:03}" for number, case in enumerate(dict.fromkeys(each.case.name for each in scenarios))}
    for scenario in scenarios:
        file = files[scenario.case.name]
        asked = [
            each for each in functions if scenario.name not in for_some or scenario.name in of_contracts[each.name]
        ]
        for chosen, ks in _groups(asked, scenario.ks):
            cases[file] = scenario.case
            about[first + len(asks)] = scenario.name
            asks.append(Ask(first + len(asks), file, chosen, ks, scenario.repeat, scenario.fresh))
    return ExperimentAsks(tuple(asks), cases, about)


def other_seed_asks(functions: Sequence[Function]) -> ExperimentAsks:
    """Return the asks of the probes that are answered again under another hash seed."""
    asks: list[Ask] = []
    cases: dict[str, Case] = {}
    about: dict[int, str] = {}
    for number, probe in enumerate(probe for probe in PROBES if probe.name in SEEDED):
        file = f"p{number:03}"
        cases[file] = probe.case
        for chosen, ks in _groups(functions, (probe.k,)):
            about[len(asks)] = probe.name
            asks.append(Ask(len(asks), file, chosen, ks))
    return ExperimentAsks(tuple(asks), cases, about)


def _groups(functions: Sequence[Function], ks: tuple[int, ...]) -> list[_Group]:
    with_k = tuple(function.name for function in functions if function.cutoff)
    without = tuple(function.name for function in functions if not function.cutoff)
    groups: list[_Group] = [(with_k, ks)] if with_k else []
    return [*groups, (without, (None,))] if without and len(ks) == 1 else groups


def outcomes_by_scenario(
    answers: Iterable[Answer], about: Mapping[int, str]
) -> dict[str, dict[str, dict[int | None, tuple[Outcome, ...]]]]:
    """Sort answers by function, scenario and cut-off: one outcome for each repetition.

    Args:
        answers: what was answered; answers to other asks are left out.
        about: the scenario or probe of each ask, by the ask's id.
    """
    made: dict[str, dict[str, dict[int | None, tuple[Outcome, ...]]]] = {}
    for answer in answers:
        if answer.ask in about:
            by_cutoff = made.setdefault(answer.function, {}).setdefault(about[answer.ask], {})
            by_cutoff[answer.k] = (*by_cutoff.get(answer.k, ()), answer.outcome)
    return made
