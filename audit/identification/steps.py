"""Leads the diagnosis of one function from its first answers to the next question, and from each answer on.

A step is pure work on one function, so that processes can share it: it reads answers and returns the next question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from audit.identification.data_recheck import identify_with_data
from audit.identification.diagnosis import Diagnosis, explain_ambiguity, inputs_between
from audit.identification.hypotheses.hypothesis import (
    confirmed,
    fitting_hypotheses,
    opening_probes,
    refuting_probes,
)
from audit.identification.items.item_formulas import identify_items
from audit.identification.items.item_probes_left import item_probes_left
from audit.identification.next_question import (
    Question,
    next_question,
    policy_alternatives,
    questions_of_threshold,
    smaller_witness,
)
from audit.identification.recheck import (
    evidence_on_all,
    narrowed,
    recheck_on_all,
)
from audit.identification.search_limits import MAX_TESTS
from audit.libraries.function import Function
from audit.observations import probe_tables
from audit.observations.evidence import (
    Evidence,
    contradictions,
    evidence_on,
    gather_evidence,
    smallest_probe,
)
from audit.observations.fit import Contradicted, Fitting, is_suspended
from audit.observations.observation import Observation
from audit.process.protocol import Declined, NotOffered
from audit.questions.contract_probes import is_asked
from audit.questions.distinguishing import one_of_equals
from audit.questions.initial import INITIAL_PROBES, unasked_initial_probes
from audit.questions.item_cases import reads_items
from audit.questions.own_data import data_for
from audit.questions.threshold_cases import with_told_threshold
from reference.cases import PROBES, Kind, Probe
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem


@dataclass(frozen=True, eq=False)
class Step:
    """Holds the state of one function's diagnosis after a step.

    Attributes:
        diagnosis: The diagnosis so far.
        question: The next question; None at the end.
        hypotheses: While hypotheses are tested: the known definitions that fit so far, the tested one first.
        tests: How many questions have tested them.
    """

    diagnosis: Diagnosis
    question: Question | None
    hypotheses: tuple[Definition, ...] = ()
    tests: int = 0


def first_step(function: Function, observation: Observation, known: Sequence[Definition], data: Problem) -> Step:
    """Begin the diagnosis of a function with the known definitions that fit its first answers, or with the search.

    A function of a metric beyond accuracy is asked what is left to tell the definitions apart that fit.
    """
    if reads_items(function):
        return _next_of_items(function, observation, data)
    start = Step(Diagnosis(function, observation, None), None, tuple(known))
    if known and (probes := opening_probes(function, observation)):
        return replace(start, question=Question("opening", probes))
    return _test(start, data_for(function, data))


def next_step(step: Step, answers: Observation | None, data: Problem) -> Step:
    """Learn from the answers to the question of a step; without any, all definitions stay."""
    assert step.question is not None
    function = step.diagnosis.function
    own = data_for(function, data)
    if reads_items(function):
        observation = add_answers(step.diagnosis.observation, step.question.probes, answers)
        return _next_of_items(function, observation, data)
    if step.question.purpose in ("opening", "refuting", "initial", "all_listed"):
        observation = add_answers(step.diagnosis.observation, step.question.probes, answers)
        tests = step.tests + (step.question.purpose == "refuting")
        return _test(replace(step, diagnosis=Diagnosis(function, observation, None), tests=tests), own)
    if step.diagnosis.from_hypothesis:
        return _recheck(step, answers, own)
    diagnosis = _learn(step.diagnosis, step.question, answers, own)
    return Step(diagnosis, next_question(diagnosis))


def last_step(step: Step, data: Problem) -> Diagnosis:
    """Return the diagnosis with one of all definitions that are equal on every input, and why several are left."""
    diagnosis = step.diagnosis
    fit = diagnosis.fit
    if not isinstance(fit, Fitting) or len(fit.definitions) < 2 or reads_items(diagnosis.function):
        return diagnosis
    fit = replace(fit, definitions=one_of_equals(fit.definitions, per_user=fit.user_values_only))
    diagnosis = replace(diagnosis, fit=fit)
    if len(fit.definitions) < 2:
        return diagnosis
    return replace(diagnosis, fit=replace(fit, ambiguity=explain_ambiguity(diagnosis)))


def _next_of_items(function: Function, observation: Observation, data: Problem) -> Step:
    """Ask a function of a metric beyond accuracy what still tells definitions apart; identify it if nothing does."""
    answered = observation.failure() is None
    if answered and (left := item_probes_left(function, observation)):
        return Step(Diagnosis(function, observation, None), Question("items", left))
    return Step(identify_items(function, observation, data_for(function, data)), None)


def _test(step: Step, data: Problem) -> Step:
    """Ask what would refute the first hypothesis that fits all answers; search if none fits, or rivals remain."""
    function, observation = step.diagnosis.function, step.diagnosis.observation
    fitting = fitting_hypotheses(step.hypotheses, function, observation, data, nearby=True)
    if not fitting:
        return _search(function, observation, data)
    left = refuting_probes(fitting[0], fitting[1:], function, observation)
    if not left.decisive or (left.probes and step.tests >= MAX_TESTS):
        return _search(function, observation, data)
    if left.probes:
        return replace(step, question=Question("refuting", left.probes), hypotheses=tuple(fitting))
    diagnosis = confirmed(fitting[0], left, function, observation)
    return Step(diagnosis, _last_question(diagnosis))


def _recheck(step: Step, answers: Observation | None, data: Problem) -> Step:
    """Recheck a confirmed hypothesis on a last answer; search if that contradicts it."""
    assert step.question is not None and isinstance(step.diagnosis.fit, Fitting)
    function, fit = step.diagnosis.function, step.diagnosis.fit
    observation = add_answers(step.diagnosis.observation, step.question.probes, answers)
    if not fitting_hypotheses(fit.definitions[:1], function, observation, data):
        return _search(function, observation, data)
    fitting = narrowed(fit, gather_evidence(observation.probes, step.question.probes))
    after = replace(step.diagnosis, observation=observation, fit=replace(fitting, cases=len(observation.probes)))
    return Step(after, _last_question(after) if step.question.purpose == "threshold" else None)


def _last_question(diagnosis: Diagnosis) -> Question | None:
    """Return what a hypothesis that nothing refuted is asked last: its own threshold, then a witness."""
    assert diagnosis.fit is not None
    if beside := questions_of_threshold(diagnosis):
        return Question("threshold", beside)
    witness = smaller_witness(diagnosis, diagnosis.fit.definitions[0])
    return Question("confirming", witness) if witness else None


def _search(function: Function, observation: Observation, data: Problem) -> Step:
    """Ask what is left of the initial probes; then identify the function among all definitions.

    Answers to inputs that were to refute a hypothesis are left out: the search asks its own questions in its own order,
    and finds what it finds where nothing is known.
    """
    observation = _without_chosen_inputs(observation)
    declined = isinstance(observation.failure(), Declined)
    if not declined and (left := unasked_initial_probes(function, observation.probes)):
        return Step(Diagnosis(function, observation, None), Question("initial", left))
    if listed := _all_listed_probes(function, observation):
        return Step(Diagnosis(function, observation, None), Question("all_listed", listed))
    diagnosis = identify_with_data(function, observation, data)
    return Step(diagnosis, next_question(diagnosis))


def _without_chosen_inputs(observation: Observation) -> Observation:
    listed = tuple(probe for probe in observation.further_probes if probe.kind.variant == "all_listed")
    names = {probe.name for probe in (*INITIAL_PROBES, *listed)}
    probes = {name: outcome for name, outcome in observation.probes.items() if name in names}
    return replace(observation, probes=probes, further_probes=listed)


def _all_listed_probes(function: Function, observation: Observation) -> tuple[Probe, ...]:
    """Return the probes with all relevant items listed, for a function that answers few others of several users.

    It may refuse users with relevant items that are not in their lists.
    """
    few = evidence_on(observation, Kind("multi_user")).answered < len(probe_tables.probes(Kind("multi_user"))) / 2
    if not few or not evidence_on(observation, Kind("single_user")).measured.any():
        return ()
    probes = (probe for probe in PROBES if probe.kind.variant == "all_listed")
    return tuple(each for each in probes if each.name not in observation.probes and is_asked(function, each))


def add_answers(observation: Observation, probes: tuple[Probe, ...], answers: Observation | None) -> Observation:
    """Return an observation with the answers to further probes; a probe without an answer is marked so."""
    answered = dict(answers.probes) if answers is not None else {}
    missing = {probe.name: NotOffered("not answered") for probe in probes if probe.name not in answered}
    further = (*observation.further_probes, *probes)
    return replace(observation, probes={**observation.probes, **answered, **missing}, further_probes=further)


def _learn(diagnosis: Diagnosis, question: Question, answers: Observation | None, data: Problem) -> Diagnosis:
    """Return the diagnosis after a question; if it was not answered, all definitions stay."""
    purpose, probes = question
    function, observation = diagnosis.function, add_answers(diagnosis.observation, probes, answers)
    before, evidence = diagnosis.fit, gather_evidence(observation.probes, probes)
    assert before is not None
    if purpose in ("variants", "degenerate") or is_suspended(before):
        return identify_with_data(function, observation, data)
    if isinstance(before, Contradicted):
        sharper = replace(_sharpen_counterexample(before, evidence), cases=len(observation.probes))
        return Diagnosis(function, observation, sharper)
    if purpose == "threshold":
        told = with_told_threshold(before, evidence_on_all(observation))
        assert isinstance(told, Fitting)
        before = told  # the answers contradict it below where no threshold gives them
    if purpose == "edges":
        before = replace(before, definitions=policy_alternatives(diagnosis))
    fit = narrowed(before, evidence)
    if isinstance(fit, Contradicted):
        # Another formula may fit what was asked since, or the same one with a policy for states not shown before.
        anew = identify_with_data(function, observation, data)
        if isinstance(anew.fit, Fitting):
            return anew
    after = Diagnosis(function, observation, replace(recheck_on_all(fit, observation), cases=len(observation.probes)))
    return _choose_policies(after) if purpose == "edges" else after


def _sharpen_counterexample(fit: Contradicted, evidence: Evidence) -> Contradicted:
    """Replace the counterexample by the smallest single list that contradicts the nearest definition, if one does."""
    assert fit.nearest is not None
    wrong, _ = contradictions(fit.nearest, evidence, fit.tolerance, edges_known=True)
    return replace(fit, counterexample=smallest_probe(evidence.probes, wrong) or fit.counterexample)


def _choose_policies(diagnosis: Diagnosis) -> Diagnosis:
    """Keep the canonical-most of definitions that differ only in policies for states not shown before.

    If an input exists that would tell them apart, it was not answered: the axes are reported as unidentified.
    """
    fit = diagnosis.fit
    if not isinstance(fit, Fitting) or len(fit.definitions) < 2:
        return diagnosis
    differing = [axis for axis in fit.definitions[0].axes if len({each.axes[axis] for each in fit.definitions}) > 1]
    unknown = differing if inputs_between(diagnosis, fit.definitions, also_asked=True) else []
    unidentified = (*fit.unidentified_axes, *unknown)
    return replace(diagnosis, fit=replace(fit, definitions=fit.definitions[:1], unidentified_axes=unidentified))
