"""Asks a library: ahead of time, the initial questions, and the experiments last.

What its answers to small cases lead to is asked while it computes on large data. Nothing is decided ahead:
identification goes its whole way once more with the answers on the data; what it asks then has mostly been asked, and
what it computes on probes is cached. Experiments whose outcome a confirmed definition tells are not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.behaviours import experiment_answers
from recsys_metric_audit.audit.behaviours.responses import ScenarioOutcomes
from recsys_metric_audit.audit.behaviours.scenarios import ORDINARY, SEEDED
from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.findings.finding import status_and_reason
from recsys_metric_audit.audit.identification.given_answers import needs_all_listed
from recsys_metric_audit.audit.identification.loop import AskLibrary as AskAgain
from recsys_metric_audit.audit.identification.loop import ask_further
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation, observations_by_function
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.process.protocol import (
    Ask,
    Conversation,
    Errored,
    Measured,
    NotAnswered,
    NotOffered,
    Outcome,
    Unaskable,
    join_conversations,
)
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.audit.questions.distinguishing import independent_cases
from recsys_metric_audit.audit.questions.initial import plan
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.audit.run.recorded_findings import answers_digest
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.reference.cases import DEGENERATE, PROBES, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.wording.formatting import one_line, shortened

_LONGEST = 200  # characters of the words of a refusal
_Key = tuple[int, tuple[Ask, ...], tuple[tuple[str, str], ...]]


class AskedAhead:
    """Holds conversations that were held ahead; each is given once, to whoever asks the same in the same order."""

    def __init__(self, ask: AskLibrary, ask_ahead: AskLibrary) -> None:
        """Hold nothing yet.

        Args:
            ask: Puts to the library what was not asked ahead.
            ask_ahead: Puts to it what is.
        """
        self._ask, self._ask_ahead = ask, ask_ahead
        self._held: dict[_Key, list[Conversation]] = {}

    def ahead(self, cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
        """Put `asks` to the library, and hold the conversation."""
        conversation = self._ask_ahead(cases, asks, hash_seed)
        self._held.setdefault(_ahead_key(cases, asks, hash_seed), []).append(conversation)
        return conversation

    def __call__(self, cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
        """Return the conversation that was held ahead, or put `asks` to the library."""
        held = self._held.get(_ahead_key(cases, asks, hash_seed)) if self._held else None
        return held.pop(0) if held else self._ask(cases, asks, hash_seed)


def _ahead_key(cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int) -> _Key:
    named = sorted({ask.case for ask in asks})
    return hash_seed, tuple(asks), tuple((name, input_digest(cases[name])) for name in named)


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
        digest: The digest of the first conversation; empty where the data are large, which have one of their own.
    """

    conversation: Conversation
    observations: Mapping[str, Observation]
    experiments: experiment_answers.ExperimentAnswers
    digest: str = ""


def without_refused_data(observations: Mapping[str, Observation]) -> dict[str, Observation]:
    """Return answers without those on the data where every function refuses these; else as they are.

    What a function computes shows on small inputs; without a value on the data there would be no row to identify.
    """
    out = dict(observations)
    every = [outcome for each in out.values() for outcome in each.data.values()]
    refusals = [each for each in every if isinstance(each, Errored | Unaskable)]
    if len(refusals) < sum(not isinstance(each, NotOffered) for each in every):
        return out
    for name, each in out.items():
        said = next((outcome for outcome in each.data.values() if outcome in refusals), None)
        if said is not None:
            out[name] = replace(each, data={}, refusal=shortened(one_line(status_and_reason(said)[1]), _LONGEST))
    return out


def ask_initial_questions(
    functions: Sequence[Function], request: Request, ask: AskLibrary, sample: Case | None = None,
    meanwhile: Callable[[InitialAnswers], None] | None = None, recorded: str = "",
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
        recorded: The digest of the answers that were recorded: where they are these, nothing is asked again.
    """
    hypotheses = {each.name: SEEDED for each in functions if each.metric in request.known.of_metric}
    kept = {each.name: experiment_answers.read_by_experiments(each) for each in functions}
    initial = plan(functions, request.dataset.case, request.ks, request.others, kept, hypotheses, sample)
    of_relevance = [each for each in functions if not reads_items(each)]
    again = experiment_answers.repeated_call_asks(of_relevance, len(initial.asks))
    cases, asks = {**initial.cases, **again.cases}, (*initial.asks, *again.asks)

    def observed(conversation: Conversation) -> dict[str, Observation]:
        answers = [answer for answer in conversation.answers if answer.ask not in again.about]
        return observations_by_function(
            answers, initial.probe_of, initial.data, initial.other_recommenders, initial.sample
        )

    def completed(conversation: Conversation) -> InitialAnswers:
        observations = observed(conversation)
        digest = "" if meanwhile is not None else answers_digest(cases, asks, conversation.answers)
        seeded = experiment_answers.other_seed_asks(() if digest and digest == recorded else functions, observations)
        repeated = ask(seeded.cases, seeded.asks, experiment_answers.OTHER_SEED).answers if seeded.asks else ()
        experiments = experiment_answers.collect_answers(again, conversation.answers, seeded, repeated)
        return InitialAnswers(conversation, experiments.with_repeats(observations), experiments, digest)

    if meanwhile is None:
        return completed(ask(cases, asks))
    on_data = [each for each in asks if each.id in initial.data]
    others = [each for each in asks if each.id not in initial.data]
    with ThreadPoolExecutor(max_workers=1) as thread:
        second = thread.submit(ask, {each.case: cases[each.case] for each in on_data}, on_data)
        first = ask({each.case: cases[each.case] for each in others}, others)
        before = completed(first)
        meanwhile(before)
        joined = join_conversations(asks, first, second.result())
    return replace(before, conversation=joined, observations=before.experiments.with_repeats(observed(joined)))


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
    every = {probe.name: probe for probe in (*PROBES, *DEGENERATE, *generated_cases.pool().probes)}
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


def ask_experiments(
    functions: Sequence[Function],
    initial: InitialAnswers,
    trials: Mapping[str, Trial],
    ask: AskLibrary,
    *,
    predict: bool,
) -> experiment_answers.ExperimentAnswers:
    """Ask the experiments whose outcomes are not known yet, in one conversation.

    Functions whose answer several changes of the input together have changed are asked each change separately.

    Args:
        functions: The functions of the library.
        initial: Their initial answers.
        trials: Their trials on held-out cases, by name.
        ask: Puts asks to the library.
        predict: Whether outcomes are read from confirmed definitions; a recording is to hold all answers.
    """
    told: dict[str, ScenarioOutcomes] = {}
    probes: dict[str, Mapping[str, Outcome]] = {}
    missing: dict[str, frozenset[str]] = {}
    for function in functions:
        trial = trials.get(function.name)
        asked = trial.diagnosis.observation.probes if trial is not None else {}
        definition = _telling(function, trial) if trial is not None and predict else None
        like = asked.get(ORDINARY)
        if trial is not None and definition is not None and isinstance(like, Measured):
            tells = told_inputs(definition, trial)
            told[function.name] = experiment_answers.predicted_scenarios(definition, function, like, tells)
            probes[function.name] = experiment_answers.predicted_probes(definition, function, asked, like, tells)
        if asked:
            known = asked.keys() | probes.get(function.name, {}).keys()
            missing[function.name] = experiment_answers.read_by_experiments(function) - known
    observations = {name: trial.diagnosis.observation for name, trial in trials.items()}
    listed = {name for name, each in observations.items() if _refuses_unlisted(each)}
    plain = experiment_answers.scenario_asks(functions, told, listed)
    in_form = experiment_answers.listed_asks([each for each in functions if each.name in listed], len(plain.asks))
    named = experiment_answers.probe_asks(functions, missing, len(plain.asks) + len(in_form.asks))
    conversation = ask({**plain.cases, **in_form.cases, **named.cases}, (*plain.asks, *in_form.asks, *named.asks))
    found = initial.experiments.with_scenarios(told)
    found = experiment_answers.with_further_answers(found, conversation.answers, {**plain.about, **in_form.about})
    for name, outcomes in experiment_answers.first_outcomes(conversation.answers, named.about).items():
        probes[name] = {**probes.get(name, {}), **outcomes}
    found = replace(found, probes=probes)
    others = [each for each in functions if each.name not in listed]
    separate = experiment_answers.separate_change_asks(
        experiment_answers.changed_by_combination(others, found, observations)
    )
    if not separate.asks:
        return found
    return experiment_answers.with_further_answers(found, ask(separate.cases, separate.asks).answers, separate.about)


def _refuses_unlisted(observation: Observation) -> bool:
    """Return True if a function refused the ordinary probe, and answers users whose relevant items are all listed."""
    ordinary = observation.probes.get(ORDINARY)
    return isinstance(ordinary, Errored | NotOffered | Unaskable) and needs_all_listed(observation)


def _telling(function: Function, trial: Trial) -> Definition | None:
    """Return the confirmed definition of a function that refuses nothing more than this definition says."""
    definition = trial.confirmed
    if definition is None or experiment_answers.refuses_more(
        definition, function, trial.diagnosis.observation, told_inputs(definition, trial)
    ):
        return None
    return definition


def told_inputs(definition: Definition, trial: Trial) -> experiment_answers.Tells:
    """Return which inputs a definition tells: none of their features was left out, and no unknown edge decides.

    Args:
        definition: The definition.
        trial: The trial that confirmed it.
    """
    fit = trial.diagnosis.fit
    assert isinstance(fit, Fitting)

    def tells(probes: Sequence[Probe]) -> NDArray[np.bool_]:
        told = trial.tells(probes)
        if not told.any() or not fit.unidentified_axes:
            return told
        asked = problem_of(probes)
        return told & independent_cases((definition,), asked, fit.unidentified_axes, per_user=fit.user_values_only)

    return tells
