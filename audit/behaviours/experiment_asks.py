"""The asks of the experiments: one for each scenario, and a few probes for a process of another hash seed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from audit.behaviours.contract_promises import contract_scenarios
from audit.behaviours.scenarios import CALLED_AGAIN, CONTRACT, SCENARIOS, SEEDED, SEPARATE_CHANGES, Scenario
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


def repeated_call_asks(functions: Sequence[Function], first: int) -> ExperimentAsks:
    """Return the asks of the calls in a row, with ids from ``first`` on: they show whether answers can be relied on."""
    return _asks([each for each in SCENARIOS if each.name == CALLED_AGAIN], functions, first)


def scenario_asks(
    functions: Sequence[Function], told: Mapping[str, Collection[str]] = MappingProxyType({})
) -> ExperimentAsks:  # fmt: skip
    """Return the asks of every scenario, but for calls in a row, for every function.

    A scenario at several cut-offs is left out for functions that take none, and one that tests a contract for those
    whose contract says nothing of it.

    Args:
        functions: The functions.
        told: By function name, the names of scenarios whose outcomes are known without asking.
    """
    of_contracts = {each.name: contract_scenarios(each) for each in functions}
    named = {each.name for each in CONTRACT}
    left_out = {each.name: frozenset(told.get(each.name, ())) | (named - of_contracts[each.name]) for each in functions}
    chosen = [each for each in (*SCENARIOS, *CONTRACT) if each.name != CALLED_AGAIN]
    return _asks(chosen, functions, 0, left_out)


def probe_asks(functions: Sequence[Function], wanted: Mapping[str, Collection[str]], first: int) -> ExperimentAsks:
    """Return the asks of probes, by the names that ``wanted`` gives each function, with ids from ``first`` on."""
    asks: list[Ask] = []
    cases: dict[str, Case] = {}
    about: dict[int, str] = {}
    for number, probe in enumerate(PROBES):
        asked = [each for each in functions if probe.name in wanted.get(each.name, ())]
        for chosen, ks in _groups(asked, (probe.k,)):
            cases[f"p{number:03}"] = probe.case
            about[first + len(asks)] = probe.name
            asks.append(Ask(first + len(asks), f"p{number:03}", chosen, ks))
    return ExperimentAsks(tuple(asks), cases, about)


def separate_change_asks(functions: Sequence[Function]) -> ExperimentAsks:
    """Return the asks of each separate change, for functions whose answer the combined changes changed."""
    return _asks(SEPARATE_CHANGES, functions, 0)


def _asks(
    scenarios: Sequence[Scenario],
    functions: Sequence[Function],
    first: int,
    left_out: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> ExperimentAsks:
    """Return the asks of scenarios, but for those that ``left_out`` names by function."""
    asks: list[Ask] = []
    cases: dict[str, Case] = {}
    about: dict[int, str] = {}
    files = {case: f"x{number:03}" for number, case in enumerate(dict.fromkeys(each.case.name for each in scenarios))}
    for scenario in scenarios:
        file = files[scenario.case.name]
        asked = [each for each in functions if scenario.name not in left_out.get(each.name, ())]
        for chosen, ks in _groups(asked, scenario.ks):
            cases[file] = scenario.case
            about[first + len(asks)] = scenario.name
            asks.append(Ask(first + len(asks), file, chosen, ks, scenario.repeat, scenario.fresh))
    return ExperimentAsks(tuple(asks), cases, about)


def other_seed_asks(functions: Sequence[Function]) -> ExperimentAsks:
    """Return the asks of the probes that are answered again under another hash seed."""
    return probe_asks(functions, dict.fromkeys((each.name for each in functions), SEEDED), 0)


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
