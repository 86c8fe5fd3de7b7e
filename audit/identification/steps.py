"""Leads the diagnosis of one function from its first answers to the next question, and from each answer on.

A step is pure work on one function, so that processes can share it: it reads answers and returns the next question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis, explain_ambiguity
from recsys_metric_audit.audit.identification.given_answers import evidence_on_all
from recsys_metric_audit.audit.identification.hypotheses.nothing_fits import contradiction, sharpened, single_lists
from recsys_metric_audit.audit.identification.hypotheses.proposal import (
    EDGE_NAMES,
    NOTHING,
    Proposal,
    propose,
    propose_from_few,
    still_fitting,
)
from recsys_metric_audit.audit.identification.hypotheses.readings import EVERYTHING
from recsys_metric_audit.audit.identification.hypotheses.refuting import fit_of, refuting_probes
from recsys_metric_audit.audit.identification.last_questions import questions_of_threshold, smaller_witness
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations import probe_tables
from recsys_metric_audit.audit.observations.evidence import evidence_on, gather_evidence
from recsys_metric_audit.audit.observations.fit import Contradicted, Fitting, narrowed
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Declined, Errored, Measured, NotAnswered, Unaskable
from recsys_metric_audit.audit.questions import initial
from recsys_metric_audit.audit.questions.contract_probes import allows_gains_of, is_asked
from recsys_metric_audit.audit.questions.distinguishing import confirming_inputs, one_of_equals
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.audit.questions.own_data import data_for
from recsys_metric_audit.audit.questions.threshold_cases import with_told_threshold
from recsys_metric_audit.audit.questions.whole_gains import in_words_of_whole_gains
from recsys_metric_audit.reference.cases import PROBES, Kind, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem

Purpose = Literal["opening", "initial", "variants", "refuting", "single_list", "threshold", "witness"]
"""Says what a function is asked further probes for:

- ``opening``: few of the first probes were answered; some with all relevant items listed.
- ``initial``: nothing known fits, nor anything near it; the initial probes that are left.
- ``variants``: nothing fits; variants of the probes may show why.
- ``refuting``: a definition fits; probes that would refute it.
- ``single_list``: small lists contradict all definitions; each small list by itself, to find the smallest.
- ``threshold``: what fits has a threshold of relevance of its own; inputs that tell which number it is.
- ``witness``: what fits is not canonical; a small input that shows it, and others on which it has to be right.
"""
MAX_TESTS = 12
"""A function is asked so many times what would refute a definition; what still stands then is told."""

_LEAST_PLAIN = 6
"""A function that has a number on fewer of the initial probes of one user is asked variants of them, too."""


class Question(NamedTuple):
    """Holds probes to be put to a function, and their purpose."""

    purpose: Purpose
    probes: tuple[Probe, ...]


@dataclass(frozen=True, eq=False)
class Step:
    """Holds the state of one function's diagnosis after a step.

    Attributes:
        diagnosis: The diagnosis so far.
        question: The next question; None at the end.
        known: Known definitions in groups, the likeliest group first; others are looked for near them.
        proposal: What may be what the function computes.
        tests: How many questions have tested it.
    """

    diagnosis: Diagnosis
    question: Question | None
    known: tuple[tuple[Definition, ...], ...] = ()
    proposal: Proposal = NOTHING
    tests: int = 0


def first_step(
    function: Function, observation: Observation, known: Sequence[Sequence[Definition]], data: Problem
) -> Step:
    """Begin the diagnosis of a function: known definitions are tried on few answers, if there are any."""
    step = Step(Diagnosis(function, observation, None), None, tuple(map(tuple, known)))
    if known and (probes := opening_probes(function, observation)):
        return replace(step, question=Question("opening", probes))
    return _test(step, data_for(function, data))


def next_step(step: Step, answers: Observation | None, data: Problem) -> Step:
    """Learn from the answers to the question of a step; without any, all definitions stay."""
    assert step.question is not None
    purpose, probes = step.question
    function, own = step.diagnosis.function, data_for(step.diagnosis.function, data)
    observation = add_answers(step.diagnosis.observation, probes, answers)
    after = replace(
        step, diagnosis=replace(step.diagnosis, observation=observation), question=None,
        tests=step.tests + (purpose == "refuting"),
    )  # fmt: skip
    match purpose:
        case "single_list":
            fit = step.diagnosis.fit
            assert isinstance(fit, Contradicted)
            return replace(after, diagnosis=Diagnosis(function, observation, sharpened(fit, observation, probes)))
        case "threshold" | "witness":
            return _recheck(after, probes, own, with_threshold=purpose == "threshold")
        case _:
            return _test(after, own)


def last_step(step: Step, data: Problem) -> Diagnosis:
    """Return the diagnosis with one of all definitions that are equal on every input, and why several are left."""
    diagnosis = step.diagnosis
    fit = diagnosis.fit
    if not isinstance(fit, Fitting):
        return diagnosis
    if diagnosis.function.takes.whole_gains_only:
        told = dict.fromkeys(map(in_words_of_whole_gains, fit.definitions))
        fit = replace(fit, definitions=tuple(told))
        diagnosis = replace(diagnosis, fit=fit)
    if not reads_items(diagnosis.function):
        fit = replace(fit, definitions=one_of_equals(fit.definitions, per_user=fit.user_values_only))
        diagnosis = replace(diagnosis, fit=fit)
    if len(fit.definitions) < 2:
        return diagnosis
    return replace(diagnosis, fit=replace(fit, ambiguity=explain_ambiguity(diagnosis)))


def identify(function: Function, observation: Observation, data: Problem) -> Diagnosis:
    """Identify a function from the answers that there are, asking nothing more."""
    proposal = propose((), function, observation, data, every_metric=True)
    if not proposal.definitions:
        return Diagnosis(function, observation, contradiction(proposal.nearest, function, observation))
    left = refuting_probes(proposal, function, observation, can_be_asked=False)
    fit = fit_of(proposal, left, function, observation, data)
    return last_step(Step(Diagnosis(function, observation, fit, proposal.misses_data), None), data)


def _test(step: Step, data: Problem) -> Step:
    """Ask what would refute the likeliest definition that fits all answers; ask more where none does."""
    function, observation = step.diagnosis.function, step.diagnosis.observation
    if _has_no_row(observation):
        # Where the whole library refuses the data, it may refuse the few first probes for the same reason.
        unasked = initial.unasked_initial_probes(function, observation.probes) if _refused_so_far(observation) else ()
        return replace(step, question=Question("initial", unasked) if unasked else None)
    proposal = still_fitting(step.proposal, function, observation, data)
    left_to_ask = _more_probes(function, observation)
    few = left_to_ask is not None and left_to_ask.purpose == "initial"
    if not few and left_to_ask is not None and _says_little(observation):
        return replace(step, question=left_to_ask, proposal=NOTHING)
    if not proposal.definitions:
        proposal = (
            propose_from_few(step.known, function, observation, data)
            if few
            else propose(
                chain(*step.known), function, observation, data,
                every_metric=left_to_ask is None, before=step.proposal.nearest,
            )
        )  # fmt: skip
    if left_to_ask is not None and (not proposal.definitions or proposal.misses_data):
        nearest = None if proposal.definitions else proposal.nearest
        return replace(step, question=left_to_ask, proposal=NOTHING._replace(nearest=nearest))
    if not proposal.definitions:
        refuted = contradiction(proposal.nearest, function, observation)
        lists = single_lists(refuted, function, observation)
        return Step(Diagnosis(function, observation, refuted), Question("single_list", lists) if lists else None)
    can_be_asked = observation.k is None  # at one cut-off, all that there is was asked
    left = refuting_probes(proposal, function, observation, can_be_asked=can_be_asked)
    if left.better is not None:
        others = tuple(each for each in proposal.definitions if each != left.better)
        proposal = proposal._replace(definitions=(left.better, *others))
        left = refuting_probes(proposal, function, observation, can_be_asked=can_be_asked)
    if left.probes and step.tests < MAX_TESTS:
        return replace(step, question=Question("refuting", left.probes), proposal=proposal)
    if left.probes:  # it was asked often enough: what the rest would tell is not known
        left = refuting_probes(proposal, function, observation, last=True)
    if few and not EDGE_NAMES.issuperset(left.unknown):
        return replace(step, question=left_to_ask, proposal=NOTHING)  # another definition may leave less open
    fit = fit_of(proposal, left, function, observation, data)
    diagnosis = Diagnosis(function, observation, fit, proposal.misses_data, from_few=few)
    question = _last_question(diagnosis, proposal) if isinstance(fit, Fitting) else None
    return replace(step, diagnosis=diagnosis, question=question, proposal=proposal)


def _has_no_row(observation: Observation) -> bool:
    """Return True if nothing was measured, or nothing on the data: there is no row to be explained."""
    data = observation.data.values()
    return observation.failure() is not None or (bool(data) and not any(isinstance(each, Measured) for each in data))


def _refused_so_far(observation: Observation) -> bool:
    """Return True if all functions of the library refuse the data, and this one what it was asked besides."""
    return bool(observation.refusal) and isinstance(observation.failure(), Errored | Unaskable)


def _says_little(observation: Observation) -> bool:
    """Return True if few of the probes have a number: nearly everything fits them."""
    one_user = (evidence_on(observation, Kind(role)) for role in ("single_user", "order", "relevance"))
    several = (evidence_on(observation, Kind("multi_user", each)) for each in ("usual", "all_listed"))
    finite = sum(int(np.isfinite(each.value).sum()) for each in one_user)
    return finite < _LEAST_PLAIN or all(each.has_no_number for each in several)


def _recheck(step: Step, asked: tuple[Probe, ...], data: Problem, *, with_threshold: bool) -> Step:
    """Recheck what was found on a last answer; if that contradicts it, look for something else."""
    diagnosis, fit = step.diagnosis, step.diagnosis.fit
    assert isinstance(fit, Fitting)
    if with_threshold:
        # The answers contradict it below where no threshold gives them.
        fit = with_told_threshold(fit, evidence_on_all(diagnosis.function, diagnosis.observation))
    left = narrowed(fit, gather_evidence(diagnosis.observation.probes, asked))
    if isinstance(left, Contradicted):
        # What is right is near it: a threshold of its own, which was asked for, is found from nowhere else.
        near = (fit.definitions[:1], *step.known)
        return _test(replace(step, diagnosis=replace(diagnosis, fit=None), tests=step.tests + 1, known=near), data)
    after = replace(diagnosis, fit=replace(left, cases=diagnosis.observation.answered))
    return replace(step, diagnosis=after, question=_last_question(after, step.proposal) if with_threshold else None)


def _last_question(diagnosis: Diagnosis, proposal: Proposal) -> Question | None:
    """Return what a function is asked last: from which gain on an item is relevant, then a small witness.

    A definition that was not known before is asked more inputs, on which it has to be right.
    """
    assert isinstance(diagnosis.fit, Fitting)
    if beside := questions_of_threshold(diagnosis):
        return Question("threshold", beside)
    if len(diagnosis.fit.definitions) > 1 or diagnosis.observation.k is not None:
        return None
    found, asked = diagnosis.fit.definitions[0], frozenset(diagnosis.observation.probes)
    new = not proposal.known and not reads_items(diagnosis.function)
    confirming = confirming_inputs(found, asked, diagnosis.function.ruled_out) if new else ()
    last = {probe.name: probe for probe in (*confirming, *smaller_witness(diagnosis, found))}
    allowed = tuple(probe for probe in last.values() if allows_gains_of(diagnosis.function, probe))
    return Question("witness", allowed) if allowed else None


def opening_probes(function: Function, observation: Observation) -> tuple[Probe, ...]:
    """Return the probes that a function is asked at first in place of those that it left without an answer."""
    declined = isinstance(observation.failure(), Declined)
    if declined or not EVERYTHING.of(function, observation).are_few:
        return ()
    return initial.opening_with_all_listed(function, observation.probes)


def _more_probes(function: Function, observation: Observation) -> Question | None:
    """Return what a function can be asked where too little is known to propose anything; None if nothing is left."""
    if isinstance(observation.failure(), Declined) or observation.k is not None:
        return None
    if left := initial.unasked_initial_probes(function, observation.probes):
        return Question("initial", left)
    if reads_items(function):
        return None
    # It may refuse users with relevant items that are not in their lists.
    few = evidence_on(observation, Kind("multi_user")).answered < len(probe_tables.probes(Kind("multi_user"))) / 2
    listed = [each for each in initial.ALL_LISTED if each.name not in observation.probes and is_asked(function, each)]
    if few and listed and evidence_on(observation, Kind("single_user")).measured.any():
        return Question("variants", tuple(listed))
    # What a contract left unasked may still tell which formula it is.
    variants = (probe for probe in (*PROBES, *initial.INITIAL_PROBES) if probe.name not in observation.probes)
    allowed = {probe.name: probe for probe in variants if allows_gains_of(function, probe)}
    return Question("variants", tuple(allowed.values())) if allowed else None


def add_answers(observation: Observation, probes: tuple[Probe, ...], answers: Observation | None) -> Observation:
    """Return an observation with the answers to further probes; a probe without an answer is marked so."""
    answered = dict(answers.probes) if answers is not None else {}
    missing = {probe.name: NotAnswered("not answered") for probe in probes if probe.name not in answered}
    further = (*observation.further_probes, *probes)
    return replace(observation, probes={**observation.probes, **answered, **missing}, further_probes=further)
