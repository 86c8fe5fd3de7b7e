"""The loop of active learning: each function is asked further questions while they can decide what it computes.

The first round of questions is the same for every function. If several definitions fit, inputs are asked that tell
them apart; if small lists contradict all of them, each small list is asked by itself, to find the smallest; and if one
fits, held-out inputs confirm it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from audit.identification.data_recheck import fitting_data, keep_what_fits_data
from audit.identification.diagnosis import Diagnosis, explain_ambiguity, inputs_between
from audit.identification.next_question import Question, next_question, policy_alternatives
from audit.identification.process_pool import ProcessPool
from audit.identification.recheck import (
    DISTINGUISHING_STAGE,
    contradicted_again,
    force_and_recheck,
    resume_and_recheck,
)
from audit.identification.search import OnSuspension, identify, identify_other_metric
from audit.identification.search_limits import BUDGET, Purpose
from audit.libraries.function import Function
from audit.observations import probe_tables
from audit.observations.candidates import split_other
from audit.observations.evidence import (
    Evidence,
    contradictions,
    evidence_on,
    gather_evidence,
    smallest_probe,
    survivors,
)
from audit.observations.fit import Fit
from audit.observations.observation import Observation, observations_by_function
from audit.process.protocol import Ask, Conversation, Measured, NotOffered
from audit.questions.contract_probes import is_asked
from audit.questions.initial import ALL_LISTED_KINDS
from audit.questions.whole_gains import data_for
from reference.cases import Probe
from reference.evaluation.evaluate import Problem
from reference.input.case import Case

AskLibrary = Callable[[Mapping[str, Case], Sequence[Ask]], Conversation]
"""Puts asks to the library, given the cases they name."""
IdentifyProgress = Callable[[int, int], None]
"""Called with (identified functions, all functions); an identified function is asked nothing more."""


@dataclass(frozen=True, eq=False)
class _State:
    """The state of the loop for one function: its diagnosis so far, and the next question, None at the end."""

    diagnosis: Diagnosis
    question: Question | None


@dataclass
class _IdentifiedCount:
    """Counts the functions that are identified, and reports the number."""

    total: int
    progress: IdentifyProgress
    identified: int = 0

    def add(self, state: _State) -> None:
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
) -> dict[str, Diagnosis]:
    """Identify every function, asking further questions within the budget while they can decide something.

    Args:
        functions: The functions of one library.
        observations: Answers to the initial questions, by function name; functions without are not diagnosed.
        pool: The processes that identify; they hold the data.
        ask: Puts further questions to the library.
        progress: Called from the start on, and whenever a function is identified.

    Returns:
        The diagnoses by function name.
    """
    asked = {each.name: each for each in functions if each.name in observations}
    count = _IdentifiedCount(len(asked), progress)
    count.update(0)
    initial = _ask_all_listed(asked, observations, ask)
    started = pool(_start, asked.values(), (initial[name] for name in asked), on_result=count.add)
    states = dict(zip(asked, started, strict=True))
    spent: Counter[tuple[str, Purpose]] = Counter()
    while questions := _affordable(states, spent):
        count.update(len(states) - len(questions))
        spent.update((name, question.purpose) for name, question in questions.items())
        answers = _ask(asked, {name: question.probes for name, question in questions.items()}, ask)
        updated = pool(_update, (states[name] for name in questions), map(answers.get, questions), on_result=count.add)
        states |= dict(zip(questions, updated, strict=True))
    count.update(len(states))
    return dict(zip(states, pool(_finish, states.values()), strict=True))


def _affordable(states: Mapping[str, _State], spent: Counter[tuple[str, Purpose]]) -> dict[str, Question]:
    """Return the next questions, by function name, for which the budget is not spent."""
    questions = {name: state.question for name, state in states.items() if state.question}
    return {name: each for name, each in questions.items() if spent[name, each.purpose] < BUDGET[each.purpose]}


def _start(function: Function, observation: Observation, data: Problem) -> _State:
    diagnosis = identify_with_data(function, observation, data_for(function, data))
    return _State(diagnosis, next_question(diagnosis))


def _update(state: _State, answers: Observation | None, data: Problem) -> _State:
    assert state.question is not None
    own = data_for(state.diagnosis.function, data)
    diagnosis = _learn(state.diagnosis, state.question, answers, own)
    return _State(diagnosis, next_question(diagnosis))


def _finish(state: _State, data: Problem) -> Diagnosis:
    diagnosis = state.diagnosis
    if diagnosis.fit is None or len(diagnosis.fit.definitions) < 2:
        return diagnosis
    return replace(diagnosis, fit=replace(diagnosis.fit, ambiguity=explain_ambiguity(diagnosis)))


def _ask_all_listed(
    functions: Mapping[str, Function], observations: Mapping[str, Observation], ask: AskLibrary
) -> dict[str, Observation]:
    """Ask functions that answered few multi-user probes, though single users, the probes with all items listed.

    They may refuse users with relevant items that are not in their lists.
    """
    probes = tuple(probe for kind in ALL_LISTED_KINDS for probe in probe_tables.probes(kind))
    half = len(probe_tables.probes("crowd")) / 2
    few = (name for name in functions if evidence_on(observations[name], "crowd").answered < half)
    asked = (name for name in few if evidence_on(observations[name], "plain").measured.any())
    wanted = {name: tuple(each for each in probes if is_asked(functions[name], each)) for name in asked}
    answers = _ask(functions, wanted, ask) if wanted else {}
    return {name: _add(observations[name], wanted.get(name, ()), answers.get(name)) for name in functions}


def _add(observation: Observation, probes: tuple[Probe, ...], answers: Observation | None) -> Observation:
    """Return an observation with the answers to further probes; a probe without an answer is marked so."""
    answered = dict(answers.probes) if answers is not None else {}
    missing = {probe.name: NotOffered("not answered") for probe in probes if probe.name not in answered}
    further = (*observation.further_probes, *probes)
    return replace(observation, probes={**observation.probes, **answered, **missing}, further_probes=further)


def _ask(
    functions: Mapping[str, Function], wanted: Mapping[str, tuple[Probe, ...]], ask: AskLibrary
) -> dict[str, Observation]:
    """Put to each function the probes it is asked, all in one conversation; return the answers by function name."""
    probes = {probe.name: probe for own in wanted.values() for probe in own}
    cases = {f"s{number:03}": probe.case for number, probe in enumerate(probes.values())}
    asks: list[Ask] = []
    probe_of: dict[int, str] = {}
    for case_name, probe in zip(cases, probes.values(), strict=True):
        for cutoff, k in ((True, probe.k), (False, None)):
            asking = (name for name, own in wanted.items() if any(each.name == probe.name for each in own))
            names = tuple(name for name in asking if functions[name].cutoff is cutoff)
            if names:
                probe_of[len(asks)] = probe.name
                asks.append(Ask(len(asks), case_name, names, (k,)))
    return observations_by_function(ask(cases, asks).answers, probe_of, frozenset(), {})


def identify_with_data(function: Function, observation: Observation, data: Problem) -> Diagnosis:
    """Identify a function from all answers so far; one without a number on the data has no row to be explained."""
    on_data = observation.data.values()
    if observation.failure() is not None or (on_data and not any(isinstance(each, Measured) for each in on_data)):
        return Diagnosis(function, observation, None)

    def on_suspension(fit: Fit) -> Fit:
        return _complete_if_stuck(Diagnosis(function, observation, fit), fit)

    def on_suspension_by_data(fit: Fit) -> Fit:
        complete = on_suspension(fit)
        # Where ties or repeats follow no rule, users without them tell on the data which formula it is.
        if complete.suspended is not None or not split_other(complete.definitions)[0]:
            return complete
        fits = fitting_data(complete, observation, data, with_unspecified_ties=False)
        return complete if fits else replace(complete, definitions=())

    def search(with_suspension: OnSuspension) -> Fit:
        return identify(
            observation, function.metric, has_k=function.cutoff, on_suspension=with_suspension,
            fixed_values=function.takes.fixed_values, ruled_out=frozenset(function.ruled_out),
        )  # fmt: skip

    def only_with_data(fit: Fit) -> Fit:
        complete = on_suspension(fit)
        if complete.suspended is not None or fitting_data(complete, observation, data, with_unspecified_ties=True):
            return complete
        return replace(complete, definitions=())

    fit = search(on_suspension_by_data)
    if not fit.definitions:
        fit = search(on_suspension)
    kept = keep_what_fits_data(fit, observation, data)
    misses_data = kept is fit and fit.suspended is None and bool(fit.definitions)
    if misses_data:
        # The formula of another metric may fit the small inputs and the data.
        other = identify_other_metric(
            observation, function.metric, has_k=function.cutoff, on_suspension=only_with_data,
            fixed_values=function.takes.fixed_values, ruled_out=frozenset(function.ruled_out),
        )  # fmt: skip
        if other is not None:
            return Diagnosis(function, observation, keep_what_fits_data(other, observation, data))
    return Diagnosis(function, observation, kept, misses_data)


def _complete_if_stuck(diagnosis: Diagnosis, fit: Fit) -> Fit:
    """Complete a suspended fit if no input that can be asked would leave fewer definitions."""
    if fit.suspended is None or inputs_between(diagnosis, fit.definitions):
        return fit
    return force_and_recheck(fit, diagnosis.observation)


def _learn(diagnosis: Diagnosis, question: Question, answers: Observation | None, data: Problem) -> Diagnosis:
    """Return the diagnosis after a question; if it was not answered, all definitions stay."""
    purpose, probes = question
    function, observation = diagnosis.function, _add(diagnosis.observation, probes, answers)
    assert diagnosis.fit is not None
    if purpose in ("later", "sole"):
        return identify_with_data(function, observation, data)
    before = diagnosis.fit
    if purpose == "edges":
        before = replace(before, definitions=policy_alternatives(diagnosis))
    evidence = gather_evidence(observation.probes, probes)
    fit = _narrow(before, evidence) if before.definitions else _sharpen_counterexample(before, evidence)
    if before.definitions and not fit.definitions:
        # Another formula may fit what was asked since, or the same one with a policy for states not shown before.
        anew = identify_with_data(function, observation, data)
        if anew.fit is not None and anew.fit.definitions:
            return anew
    fit = resume_and_recheck(fit, observation) if fit.definitions else fit
    fit = replace(fit, cases=len(observation.probes))
    fit = _complete_if_stuck(Diagnosis(function, observation, fit), fit)
    if diagnosis.fit.suspended is not None:
        fit = keep_what_fits_data(fit, observation, data)
    after = Diagnosis(function, observation, fit)
    return _choose_policies(after) if purpose == "edges" else after


def _narrow(fit: Fit, evidence: Evidence) -> Fit:
    """Keep what fits the answers to a question."""
    evidence = evidence.expected_refusals(fit.definitions)
    surviving, gap = survivors(fit.definitions, evidence, fit.tolerance, edges_known=True)
    if surviving:
        return replace(fit, definitions=tuple(surviving), deviation=max(fit.deviation, gap))
    return contradicted_again(DISTINGUISHING_STAGE, fit, evidence)


def _sharpen_counterexample(fit: Fit, evidence: Evidence) -> Fit:
    """Replace the counterexample by the smallest single list that contradicts the nearest definition, if one does."""
    assert fit.nearest is not None
    wrong, _ = contradictions(fit.nearest, evidence, fit.tolerance, edges_known=True)
    return replace(fit, counterexample=smallest_probe(evidence.probes, wrong) or fit.counterexample)


def _choose_policies(diagnosis: Diagnosis) -> Diagnosis:
    """Keep the canonical-most of definitions that differ only in policies for states not shown before.

    If an input exists that would tell them apart, it was not answered: the axes are reported as unidentified.
    """
    fit = diagnosis.fit
    assert fit is not None
    if len(fit.definitions) < 2:
        return diagnosis
    differing = [axis for axis in fit.definitions[0].axes if len({each.axes[axis] for each in fit.definitions}) > 1]
    unknown = differing if inputs_between(diagnosis, fit.definitions, also_asked=True) else []
    unidentified = (*fit.unidentified_axes, *unknown)
    return replace(diagnosis, fit=replace(fit, definitions=fit.definitions[:1], unidentified_axes=unidentified))
