"""Provides the first step with a library: ask all its functions the initial questions, some of them repeatedly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

from recsys_metric_audit.audit.behaviours.experiment_answers import (
    ExperimentAnswers,
    answering_ordinary,
    collect_answers,
)
from recsys_metric_audit.audit.behaviours.experiment_asks import (
    OTHER_SEED,
    other_seed_asks,
    read_by_experiments,
    repeated_call_asks,
)
from recsys_metric_audit.audit.behaviours.scenarios import SEEDED
from recsys_metric_audit.audit.identification.loop import AskLibrary as AskAgain
from recsys_metric_audit.audit.identification.loop import ask_further
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation, observations_by_function
from recsys_metric_audit.audit.process.protocol import Ask, Conversation, NotAnswered, join_conversations
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.audit.questions.initial import plan
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.reference.cases import DEGENERATE, PROBES
from recsys_metric_audit.reference.input.case import Case


class AskLibrary(Protocol):
    """Puts asks to one library version."""

    def __call__(self, cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
        """Answer `asks`, whose cases are in `cases` by name, in a process with this ``PYTHONHASHSEED``."""


@dataclass(frozen=True, eq=False)
class InitialAnswers:
    """The answers of one library version before identification.

    Attributes:
        conversation: The first conversation; it tells whether the adapter answered at all.
        observations: The answers to the initial questions, by function name, with every repeated answer.
        experiments: The answers to repeated calls.
    """

    conversation: Conversation
    observations: Mapping[str, Observation]
    experiments: ExperimentAnswers


def ask_initial_questions(
    functions: Sequence[Function], request: Request, ask: AskLibrary, sample: Case | None = None,
    meanwhile: Callable[[InitialAnswers], None] | None = None,
) -> InitialAnswers:  # fmt: skip
    """Ask the initial questions in one conversation, or in one about the data and one about all else.

    Functions that answer an ordinary probe are asked some probes again in a process with another hash seed: answers
    that change tell that nothing can be identified.

    Args:
        functions: The functions of the library.
        request: The request of the run.
        ask: Puts asks to the library; where `meanwhile` is given, from two threads at once.
        sample: Some users of the data, whose values are asked where the data are asked for means alone.
        meanwhile: Called with all answers but those on the data while the library computes on these.
    """
    hypotheses = {each.name: SEEDED for each in functions if each.metric in request.known.of_metric}
    kept = {each.name: read_by_experiments(each) for each in functions}
    initial = plan(functions, request.dataset.case, request.ks, request.others, kept, hypotheses, sample)
    of_relevance = [each for each in functions if not reads_items(each)]
    again = repeated_call_asks(of_relevance, len(initial.asks))
    cases, asks = {**initial.cases, **again.cases}, (*initial.asks, *again.asks)

    def observed(conversation: Conversation) -> dict[str, Observation]:
        answers = [answer for answer in conversation.answers if answer.ask not in again.about]
        return observations_by_function(
            answers, initial.probe_of, initial.data, initial.other_recommenders, initial.sample
        )

    def completed(conversation: Conversation) -> InitialAnswers:
        observations = observed(conversation)
        other_seed = other_seed_asks(answering_ordinary(functions, observations))
        repeated = ask(other_seed.cases, other_seed.asks, OTHER_SEED).answers if other_seed.asks else ()
        experiments = collect_answers(again, conversation.answers, other_seed, repeated)
        return InitialAnswers(conversation, experiments.with_repeats(observations), experiments)

    if meanwhile is None:
        return completed(ask(cases, asks))
    on_data = [each for each in asks if each.id in initial.data]
    others = [each for each in asks if each.id not in initial.data]
    with ThreadPoolExecutor(max_workers=1) as thread:
        second = thread.submit(ask, {each.case: cases[each.case] for each in on_data}, on_data)
        first = ask({each.case: cases[each.case] for each in others}, others)
        before = completed(first)
        meanwhile(before)
        conversation = join_conversations(asks, first, second.result())
    return replace(
        before, conversation=conversation, observations=before.experiments.with_repeats(observed(conversation))
    )


def with_recorded_answers(
    functions: Sequence[Function], observations: Mapping[str, Observation], ask: AskAgain
) -> dict[str, Observation]:
    """Return the observations with the recorded answers to every probe and every generated input.

    One without an answer is marked as not recorded: it is asked no more.

    Args:
        functions: The functions of the library.
        observations: Their answers to the initial questions, by function name.
        ask: Looks answers up.
    """
    every = {probe.name: probe for probe in (*PROBES, *DEGENERATE, *generated_cases.pool()[0])}
    asked = {each.name: each for each in functions if each.name in observations and not reads_items(each)}
    wanted = {
        name: tuple(probe for probe in every.values() if probe.name not in observations[name].probes) for name in asked
    }
    made = dict(observations)
    for name, answers in ask_further(asked, wanted, ask).items():
        own, before = dict(answers.probes), observations[name]
        absent = {probe.name: NotAnswered("not recorded") for probe in wanted[name] if probe.name not in own}
        further = tuple(probe for probe in wanted[name] if probe.name in own)
        made[name] = replace(
            before, probes={**before.probes, **own, **absent}, further_probes=(*before.further_probes, *further)
        )
    return made
