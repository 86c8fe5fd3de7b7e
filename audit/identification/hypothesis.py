"""Tests known definitions before anything is searched: most functions compute what some function is known to compute.

A known definition that fits the first answers is a hypothesis. It is asked the probes that would refute it: those that
tell it from every definition with another value on one axis. A hypothesis is never believed: where a probe contradicts
it, or leaves a rival standing, the search among all definitions begins, as for a function of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.identification.data_recheck import fitting_data
from audit.identification.diagnosis import Diagnosis
from audit.identification.input_stages import CONSTANT_THRESHOLDS
from audit.identification.search import infer_search_tolerance
from audit.libraries.function import Function
from audit.observations.evidence import Evidence, contradictions, gather_evidence
from audit.observations.fit import Fitting
from audit.observations.observation import Observation, Tolerance
from audit.questions.contract_probes import is_asked
from audit.questions.distinguishing import GAP, differing_inputs, distinguishing_inputs
from audit.questions.initial import INITIAL_PROBES, initial_problem, unasked_initial_probes
from reference.cases import Probe
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate, takes_one_ranking
from reference.space.averaging import NOBODY
from reference.space.axis import Axis
from reference.space.input_axes import WITHOUT_RULE

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_LEAST_ANSWERED = 8
"""A function that answers fewer of the first probes shows too little for a hypothesis."""


def fitting_hypotheses(
    known: Iterable[Definition], function: Function, observation: Observation, data: Problem
) -> list[Definition]:  # fmt: skip
    """Return the known definitions that fit all answers so far, the data included; canonical-most first.

    A definition that says nothing of some input (``other``, ``unspecified``) is none that can be tested.
    """
    answers = _Answers.of(function, observation)
    if answers.initial.answered < _LEAST_ANSWERED:
        return []
    own = dict.fromkeys(_under_contract(each, function) for each in known if _can_be_tested(each, function))
    found = tuple(each for each in own if _fits(each, answers))
    fit = Fitting(found, 0.0, answers.tolerance, len(observation.probes))
    fitting = fitting_data(fit, observation, data, with_unspecified_ties=False)
    return sorted(fitting, key=lambda each: len(each.differs_on))


def refuting_probes(
    hypothesis: Definition, others: Sequence[Definition], function: Function, observation: Observation
) -> tuple[tuple[Probe, ...], bool]:
    """Choose the probes that would refute a hypothesis: each rival gives another value on one of them at least.

    Args:
        hypothesis: The definition; it fits all answers so far.
        others: Further known definitions that fit.
        function: The function.
        observation: Its answers so far.

    Returns:
        The probes not asked yet, and True if the answers given and these probes tell all rivals apart that any
        generated input tells apart whose gains the function takes.
    """
    answers = _Answers.of(function, observation)
    rivals_left = [
        each for each in (*others, *rivals(hypothesis, function)) if _stands_beside(each, hypothesis, answers)
    ]
    left = frozenset(probe.name for probe in unasked_initial_probes(function, observation.probes))
    allowed = np.array([probe.name in left for probe in INITIAL_PROBES])
    width, own = max(GAP, 4 * answers.tolerance.width), _expected(hypothesis)
    differs = np.array([own.differs(_expected(each), width) & allowed for each in rivals_left])
    differs = differs.reshape(-1, len(allowed))
    probes = tuple(INITIAL_PROBES[number] for number in _cover(differs))
    together = [each for each, row in zip(rivals_left, differs, strict=True) if not row.any()]
    whole = function.takes.whole_gains_only
    together = [each for each in together if differing_inputs((hypothesis, each), whole_gains=whole)]
    if not together:
        return probes, True
    further = distinguishing_inputs(
        (hypothesis, *together), frozenset(observation.probes), ruled_out=function.ruled_out, whole_gains=whole
    )  # fmt: skip
    return (*probes, *further), bool(further)


def confirmed(hypothesis: Definition, function: Function, observation: Observation) -> Diagnosis:
    """Return the diagnosis of a function whose hypothesis nothing refuted, and no rival is left."""
    answers = _Answers.of(function, observation)
    parts = filter(None, (answers.initial, answers.further))
    gaps = [contradictions(hypothesis, each, answers.tolerance, edges_known=True)[1] for each in parts]
    fit = Fitting((hypothesis,), max(gaps), answers.tolerance, len(observation.probes))
    return Diagnosis(function, observation, fit, from_hypothesis=True)


@cache
def _rivals(hypothesis: Definition, fixed: frozenset[str]) -> tuple[Definition, ...]:
    values = {axis.name: _values(axis) for axis in hypothesis.family.all_axes if axis.name in hypothesis.axes}
    free = [name for name in values if name not in fixed and name != NOBODY.name]
    moves = [{name: value} for name in free for value in values[name]]
    # Who is averaged and as what the others count are told by the same users: one can hide the other, also where the
    # adapter decides who is averaged.
    moves += [
        {"users": users, edge: policy}
        for edge in ("undefined", "no_list", "no_hit")
        if "users" in values and edge in free
        for users in values["users"]
        for policy in values[edge]
    ]
    made = (hypothesis.with_(**move) for move in moves)
    meant = dict.fromkeys(each for each in made if each.family.refusal(each.axes) is None)
    normal = hypothesis.simplified()
    return tuple(each for each in meant if each.simplified() != normal)


def _values(axis: Axis) -> tuple[str, ...]:
    """Return the values of an axis that a rival may have; of constant thresholds some stand for all."""
    constants = CONSTANT_THRESHOLDS if axis.name == "relevance" and axis.numeric is not None else ()
    return (*(value for value in axis.names if value not in WITHOUT_RULE), *constants)


def rivals(hypothesis: Definition, function: Function) -> tuple[Definition, ...]:
    """Return the definitions with another value on one axis that the function's contract leaves open.

    Those that differ in who is averaged and in what becomes of the others belong to them, too. For a function without
    a cut-off, only those that need none are returned.
    """
    made = _rivals(hypothesis, frozenset(function.ruled_out) | frozenset(function.takes.fixed_values))
    return made if function.cutoff else tuple(each for each in made if each.k is None)


def _can_be_tested(definition: Definition, function: Function) -> bool:
    return (definition.k is not None) <= function.cutoff and WITHOUT_RULE.isdisjoint(definition.axes.values())


def _under_contract(definition: Definition, function: Function) -> Definition:
    """Return the definition with the values that the function's contract fixes, and the canonical rule for nobody.

    That rule is read from the answers when all else is known.
    """
    fixed = {axis: value for axis, value in function.takes.fixed_values.items() if axis in definition.axes}
    fixed |= {NOBODY.name: NOBODY.canonical} if definition.axes[NOBODY.name] != NOBODY.canonical else {}
    return definition.with_(**fixed).simplified() if fixed else definition


def _cover(differs: Bools) -> list[int]:
    """Return columns such that each row which is true anywhere is true in one of them; earlier columns first."""
    left, chosen = differs[differs.any(axis=1)], list[int]()
    while len(left):
        chosen.append(int(left.sum(axis=0).argmax()))
        left = left[~left[:, chosen[-1]]]
    return chosen


@dataclass(frozen=True, eq=False)
class _Expected:
    """Holds what a definition gives on each initial probe.

    Attributes:
        mean: The mean; NaN where it has none.
        refused: Mask of probes on which it raises an error.
        silent: Mask of probes of which nobody is left to be averaged: what comes out there is a rule of its own.
    """

    mean: Floats
    refused: Bools
    silent: Bools

    def differs(self, other: _Expected, width: float) -> Bools:
        """Return a mask of the probes on which another definition gives something else."""
        one, two = np.nan_to_num(self.mean, nan=_NAN), np.nan_to_num(other.mean, nan=_NAN)
        apart: Bools = (np.abs(one - two) > width) | (self.refused != other.refused)
        return apart & ~self.silent & ~other.silent

    def contradicted(self, evidence: Evidence, tolerance: Tolerance) -> Bools:
        """Return a mask of the probes whose number is another one; a refusal contradicts nothing."""
        silent = self.silent & (np.isnan(evidence.value) | (evidence.value == 0))
        wrong: Bools = ~tolerance.close(self.mean, evidence.value) | self.refused
        wrong &= evidence.measured & ~silent
        return wrong


_NAN = -7.0
"""Stands for NaN where numbers are compared; no metric has this value on a probe."""


@lru_cache(maxsize=100_000)
def _expected(definition: Definition) -> _Expected:
    """Evaluate a definition on the initial probes; cached without the users' values, which take most of the memory."""
    made = evaluate(definition, initial_problem())
    silent = made.nobody & ~made.refused & (not takes_one_ranking(definition))
    return _Expected(made.mean, made.refused, np.broadcast_to(silent, made.mean.shape))


def _stands_beside(rival: Definition, hypothesis: Definition, answers: _Answers) -> bool:
    """Return True if the answers tell a rival not from the hypothesis that they fit.

    A refusal that the hypothesis expects speaks against a rival that expects a number.
    """
    expected = answers.initial.refused & _expected(hypothesis).refused & ~_expected(rival).refused
    return not expected.any() and _fits(rival, answers)


def _fits(definition: Definition, answers: _Answers) -> bool:
    """Return True if no answer contradicts a definition; a refusal says nothing of it."""
    if _expected(definition).contradicted(answers.initial, answers.tolerance).any():
        return False
    parts = (answers.further, answers.initial) if answers.initial.by_user.any() else (answers.further,)
    for part in filter(None, parts):
        heard = part.expected_refusals([definition])
        if contradictions(definition, heard, answers.tolerance, edges_known=True)[0].any():
            return False
    return True


class _Answers(NamedTuple):
    """Holds the answers to the initial probes, those to further probes, and the tolerance."""

    initial: Evidence
    further: Evidence | None
    tolerance: Tolerance

    @classmethod
    def of(cls, function: Function, observation: Observation) -> _Answers:
        """Collect the answers of an observation, without those to probes that the function's contract rules out."""
        names = {probe.name for probe in INITIAL_PROBES}
        open_ = np.array([is_asked(function, probe) for probe in INITIAL_PROBES])
        further = tuple(probe for probe in observation.further_probes if probe.name not in names)
        return cls(
            gather_evidence(observation.probes, INITIAL_PROBES, initial_problem()).only(open_),
            gather_evidence(observation.probes, further) if further else None,
            infer_search_tolerance(observation),
        )
