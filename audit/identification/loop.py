"""The loop of active learning: each function is asked further questions while they can decide what it computes.

The first round of questions is the same for every function. If a definition fits, inputs are asked that would refute
it; if none does, more probes are; and if small lists contradict all definitions, each small list is asked by itself, to
find the smallest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.process_pool import ProcessPool
from recsys_metric_audit.audit.identification.steps import Step, first_step, last_step, next_step
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation, observations_by_function
from recsys_metric_audit.audit.process.protocol import Ask, Conversation
from recsys_metric_audit.audit.questions.initial import by_cutoff
from recsys_metric_audit.audit.responders.interface import FURTHER
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.model.grouping import grouped

MAX_QUESTIONS = 120
"""A function is asked no more often; most purposes end by themselves far earlier."""
AskLibrary = Callable[[Mapping[str, Case], Sequence[Ask]], Conversation]
"""Puts asks to the library, given the cases they name."""
IdentifyProgress = Callable[[int, int], None]
"""Called with (identified functions, all functions); an identified function is asked nothing more."""


@dataclass
class _IdentifiedCount:
    """Counts the functions that are identified, and reports the number."""

    total: int
    progress: IdentifyProgress
    identified: int = 0

    def add(self, state: Step) -> None:
        self.update(self.identified + (state.question is None))

    def update(self, identified: int) -> None:
        self.identified = identified
        self.progress(identified, self.total)


def diagnose(
    functions: Sequence[Function],
    observations: Mapping[str, Observation],
    pool: ProcessPool,
    ask: AskLibrary,
    progress: IdentifyProgress = lambda identified, total: None,
    known: Mapping[str, Sequence[Sequence[Definition]]] = MappingProxyType({}),
) -> dict[str, Diagnosis]:
    """Identify every function, asking further questions while they can decide something.

    Args:
        functions: The functions of one library.
        observations: Answers to the initial questions, by function name; functions without are not diagnosed.
        pool: The processes that identify; they hold the data.
        ask: Puts further questions to the library.
        progress: Called from the start on, and whenever a function is identified.
        known: Known definitions, which are tried first, by function name, in groups, the likeliest group first.

    Returns:
        The diagnoses by function name.
    """
    asked = {each.name: each for each in functions if each.name in observations}
    count = _IdentifiedCount(len(asked), progress)
    count.update(0)
    tried = (tuple(known.get(name, ())) for name in asked)
    started = pool(first_step, asked.values(), (observations[name] for name in asked), tried, on_result=count.add)
    states = dict(zip(asked, started, strict=True))
    for _ in range(MAX_QUESTIONS):
        questions = {name: state.question for name, state in states.items() if state.question}
        if not questions:
            break
        count.update(len(states) - len(questions))
        answers = ask_further(asked, {name: question.probes for name, question in questions.items()}, ask)
        after = pool(next_step, (states[name] for name in questions), map(answers.get, questions), on_result=count.add)
        states |= dict(zip(questions, after, strict=True))
    count.update(len(states))
    return dict(zip(states, pool(last_step, states.values()), strict=True))


def ask_further(
    functions: Mapping[str, Function], wanted: Mapping[str, tuple[Probe, ...]], ask: AskLibrary
) -> dict[str, Observation]:
    """Put to each function the probes it is asked, all in one conversation; return the answers by function name."""
    probes = {probe.name: probe for own in wanted.values() for probe in own}
    asking = grouped((probe.name, functions[name]) for name, own in wanted.items() for probe in own)
    cases = {f"{FURTHER}-{number}": probe.case for number, probe in enumerate(probes.values())}
    asks: list[Ask] = []
    probe_of: dict[int, str] = {}
    for case_name, probe in zip(cases, probes.values(), strict=True):
        for names, ks in by_cutoff(asking[probe.name], (probe.k,)):
            probe_of[len(asks)] = probe.name
            asks.append(Ask(len(asks), case_name, names, ks))
    return observations_by_function(ask(cases, asks).answers, probe_of, frozenset(), {})
