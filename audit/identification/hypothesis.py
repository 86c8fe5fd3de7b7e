"""Tests known definitions before anything is searched: most functions compute what some function is known to compute.

A known definition that fits the first answers is a hypothesis. It is asked the probes that would refute it: those that
tell it from every definition with another value on one axis. A hypothesis is never believed: where a probe contradicts
it, or leaves a rival standing, the search among all definitions begins, as for a function of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.identification.data_recheck import fitting_data
from audit.identification.diagnosis import Diagnosis, refused_features
from audit.identification.edge_choices import MULTI_USER_KINDS, STAGES
from audit.identification.input_stages import CONSTANT_THRESHOLDS
from audit.identification.multi_user_stages import axes_hidden_by_user_values
from audit.identification.recheck import needs_all_listed
from audit.identification.search import infer_search_tolerance
from audit.libraries.function import Function
from audit.observations.candidates import one_of_each
from audit.observations.evidence import Evidence, contradictions, evaluate_cached, gather_evidence
from audit.observations.fit import Fitting
from audit.observations.observation import Observation, Tolerance
from audit.observations.user_states import undescribed_axes, undescribed_cases
from audit.process.protocol import Declined
from audit.questions.case_features import has_all_listed
from audit.questions.contract_probes import is_asked
from audit.questions.distinguishing import GAP, differ, distinguishing_inputs
from audit.questions.generated_cases import features_of
from audit.questions.initial import ALL_LISTED, INITIAL_PROBES, opening_with_all_listed
from reference.cases import Probe, of_kind
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate, takes_one_ranking
from reference.space.averaging import NOBODY
from reference.space.axis import Axis
from reference.space.edges import AXES as EDGES
from reference.space.input_axes import WITHOUT_RULE

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_POOL = (*INITIAL_PROBES, *ALL_LISTED)
"""The probes that may refute a hypothesis, before inputs are chosen for it alone."""
_LEAST_ANSWERED = 8
"""A function that answers fewer of the first probes shows too little for a hypothesis."""


def fitting_hypotheses(
    known: Iterable[Definition], function: Function, observation: Observation, data: Problem
) -> list[Definition]:  # fmt: skip
    """Return the known definitions that fit all answers so far, the data included.

    Those that expect the refusals come first, then those that say something of every input, then the canonical-most.
    """
    answers = _Answers.of(function, observation)
    if answers.initial.answered < _LEAST_ANSWERED:
        return []
    own = dict.fromkeys(_under_contract(each, function) for each in known if _can_be_tested(each, function))
    found = tuple(each for each in own if _fits(each, answers))
    fit = Fitting(found, 0.0, answers.tolerance, len(observation.probes))
    fitting = fitting_data(fit, observation, data, with_unspecified_ties=False)

    def unlikely(each: Definition) -> tuple[int, int, int]:
        unexpected = int((answers.refused & ~answers.expected_refusals(each)).sum())
        return unexpected, len(undescribed_axes(each)), len(each.differs_on)

    ordered = one_of_each(sorted(fitting, key=unlikely), function.ruled_out)
    beside = rivals(ordered[0], function) if ordered and unlikely(ordered[0])[0] else ()
    expecting = [each for each in beside if unlikely(each) < unlikely(ordered[0]) and _fits(each, answers)]
    return [*sorted(expecting, key=unlikely)[:1], *ordered]


def opening_probes(function: Function, observation: Observation) -> tuple[Probe, ...]:
    """Return the probes that a function is asked at first in place of those that it left without an answer."""
    declined = isinstance(observation.failure(), Declined)
    if declined or _Answers.of(function, observation).initial.answered >= _LEAST_ANSWERED:
        return ()
    return opening_with_all_listed(function, observation.probes)


class Refuting(NamedTuple):
    """Holds what is left to be asked about a hypothesis.

    Attributes:
        probes: The probes that would refute it, not asked yet.
        unknown: The edges that no input can be asked about: whatever their policy is, the answers fit.
        decisive: True if the answers given and these probes tell all rivals apart, but for those of unknown edges.
    """

    probes: tuple[Probe, ...]
    unknown: tuple[str, ...]
    decisive: bool


def refuting_probes(
    hypothesis: Definition, others: Sequence[Definition], function: Function, observation: Observation
) -> Refuting:
    """Choose the probes that would refute a hypothesis: each rival gives another value on one of them at least.

    Args:
        hypothesis: The definition; it fits all answers so far.
        others: Further known definitions that fit.
        function: The function.
        observation: Its answers so far.
    """
    answers = _Answers.of(function, observation)
    hidden = answers.hidden_axes(hypothesis)
    rivals_left = [
        each for each in (*others, *rivals(hypothesis, function, hidden)) if _stands_beside(each, hypothesis, answers)
    ]
    all_listed = needs_all_listed(observation)
    allowed = np.array([_can_be_asked(probe, function, observation, all_listed=all_listed) for probe in _POOL])
    width, own = max(GAP, 4 * answers.tolerance.width), _expected(hypothesis)
    differs = np.array([own.differs(_expected(each), width) & allowed for each in rivals_left])
    differs = differs.reshape(-1, len(allowed))
    probes = tuple(_POOL[number] for number in _cover(differs))
    together = [each for each, row in zip(rivals_left, differs, strict=True) if not row.any()]
    whole = function.takes.whole_gains_only
    if any(undescribed_axes(hypothesis) - undescribed_axes(each) for each in together):
        return Refuting(probes, (), decisive=False)  # it says more than the hypothesis does, and fits as well
    per_user = bool(hidden)
    together = [each for each in together if differ((hypothesis, each), per_user=per_user, whole_gains=whole)]
    if not together:
        return Refuting(probes, (), decisive=True)
    refused = refused_features(observation)
    chosen = distinguishing_inputs(
        (hypothesis, *together), frozenset(observation.probes), per_user=per_user, all_listed=all_listed,
        ruled_out=function.ruled_out, whole_gains=whole, refused=refused,
    )  # fmt: skip
    further = tuple(probe for probe in chosen if refused.isdisjoint(features_of(probe)))
    if further:
        return Refuting((*probes, *further), (), decisive=True)
    unknown = _unknown_edges(hypothesis, together)
    return Refuting(probes, unknown or (), decisive=unknown is not None)


def _unknown_edges(hypothesis: Definition, rivals_left: Sequence[Definition]) -> tuple[str, ...] | None:
    """Return the edges on which rivals that nothing tells apart differ; None if they differ in something else.

    Who is averaged differs with an edge where the rival is, in its normal form, one of another policy.
    """
    by_edge: dict[Definition, str] = {}
    for edge in (axis.name for axis in EDGES if axis.name in hypothesis.axes):
        for policy in hypothesis.family.axis(edge).names:
            by_edge.setdefault(hypothesis.with_(**{edge: policy}).simplified(), edge)
    unknown = {by_edge[each.simplified()] for each in rivals_left if each.simplified() in by_edge}
    for each in rivals_left:
        differing = {name for name, value in each.axes.items() if hypothesis.axes.get(name) != value}
        if each.metric != hypothesis.metric or not (differing & unknown or each.simplified() in by_edge):
            return None
    return tuple(axis.name for axis in EDGES if axis.name in unknown)


def confirmed(
    hypothesis: Definition, unknown: tuple[str, ...], function: Function, observation: Observation
) -> Diagnosis:  # fmt: skip
    """Return the diagnosis of a function whose hypothesis nothing refuted; rivals are left on unknown edges alone."""
    answers = _Answers.of(function, observation)
    parts = filter(None, (answers.initial, answers.further))
    gaps = [contradictions(hypothesis, each, answers.tolerance, edges_known=True)[1] for each in parts]
    hidden = answers.hidden_axes(hypothesis)
    fit = Fitting(
        (hypothesis,), max(gaps), answers.tolerance, len(observation.probes), unidentified_axes=(*hidden, *unknown),
        user_values_only=bool(hidden),
    )  # fmt: skip
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


def rivals(hypothesis: Definition, function: Function, hidden: Collection[str] = ()) -> tuple[Definition, ...]:
    """Return the definitions with another value on one axis that the contract of a function leaves open.

    Those that differ in who is averaged and in what becomes of the others belong to them, too. For a function without
    a cut-off, only those that need none are returned.
    """
    made = _rivals(hypothesis, frozenset({*function.ruled_out, *function.takes.fixed_values, *hidden}))
    return made if function.cutoff else tuple(each for each in made if each.k is None)


def _can_be_tested(definition: Definition, function: Function) -> bool:
    return (definition.k is not None) <= function.cutoff and "unspecified" not in definition.axes.values()


def _can_be_asked(probe: Probe, function: Function, observation: Observation, *, all_listed: bool) -> bool:
    """Return True if a function can be asked a probe of the pool that it was not asked so far."""
    if probe.name in observation.probes or not is_asked(function, probe):
        return False
    if not function.cutoff and probe.kind.role == "exhaustive" and probe.k > 1:
        return False  # small lists are the same at every k
    return has_all_listed(probe) if all_listed else probe.kind.variant == "usual"


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
    """Holds what a definition gives on each probe of the pool.

    Attributes:
        mean: The mean; NaN where it has none.
        refused: Mask of probes on which it raises an error.
        silent: Mask of probes of which nobody is left to be averaged: what comes out there is a rule of its own.
        undescribed: Mask of probes of which the definition says nothing.
    """

    mean: Floats
    refused: Bools
    silent: Bools
    undescribed: Bools

    def differs(self, other: _Expected, width: float) -> Bools:
        """Return a mask of the probes on which another definition gives something else, or this one nothing."""
        one, two = np.nan_to_num(self.mean, nan=_NAN), np.nan_to_num(other.mean, nan=_NAN)
        apart: Bools = (np.abs(one - two) > width) | (self.refused != other.refused)
        return (apart | self.undescribed) & ~self.silent & ~other.silent & ~other.undescribed

    def contradicted(self, evidence: Evidence, tolerance: Tolerance) -> Bools:
        """Return a mask of the probes whose number is another one; a refusal contradicts nothing."""
        silent = self.silent & (np.isnan(evidence.value) | (evidence.value == 0))
        wrong: Bools = ~tolerance.close(self.mean, evidence.value) | self.refused
        wrong &= evidence.measured & ~silent & ~self.undescribed
        return wrong


_NAN = -7.0
"""Stands for NaN where numbers are compared; no metric has this value on a probe."""


@lru_cache(maxsize=100_000)
def _expected(definition: Definition) -> _Expected:
    """Evaluate a definition on the pool; cached without the users' values, which take most of the memory."""
    made = evaluate(definition, _pool_problem())
    silent = made.nobody & ~made.refused & (not takes_one_ranking(definition))
    undescribed = undescribed_cases(undescribed_axes(definition), _pool_problem())
    return _Expected(made.mean, made.refused, np.broadcast_to(silent, made.mean.shape), undescribed)


@cache
def _pool_problem() -> Problem:
    """Return the cases of the pool as one problem, made once."""
    return Problem.of([probe.case for probe in _POOL], [probe.k for probe in _POOL])


@cache
def _ordinary() -> Bools:
    """Return a mask of the probes of the pool whose users are several and ordinary."""
    ordinary = {probe.name for kind in MULTI_USER_KINDS for probe in of_kind(kind)[STAGES[0].chosen]}
    return np.array([probe.name in ordinary for probe in _POOL])


def _stands_beside(rival: Definition, hypothesis: Definition, answers: _Answers) -> bool:
    """Return True if the answers tell a rival not from the hypothesis that they fit.

    A refusal that the hypothesis expects speaks against a rival that expects a number.
    """
    explained, by_rival = (answers.refused & answers.expected_refusals(each) for each in (hypothesis, rival))
    return not (explained & ~by_rival).any() and _fits(rival, answers)


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
    """Holds the answers to the probes of the pool, those to further probes, and the tolerance."""

    initial: Evidence
    further: Evidence | None
    tolerance: Tolerance

    @property
    def refused(self) -> Bools:
        """Return a mask of the probes that were refused: those of the pool, then the further ones."""
        further = self.further.refused if self.further is not None else ()
        return np.concatenate([self.initial.refused, further]).astype(np.bool_)

    def expected_refusals(self, definition: Definition) -> Bools:
        """Return a mask of the same probes on which a definition raises an error."""
        further = evaluate_cached(definition, self.further.problem).refused if self.further is not None else ()
        return np.concatenate([_expected(definition).refused, further]).astype(np.bool_)

    def hidden_axes(self, definition: Definition) -> tuple[str, ...]:
        """Return the axes of averaging of a definition if there are users' values and no mean."""
        several = np.array([probe.kind.role == "multi_user" for probe in _POOL])
        return axes_hidden_by_user_values(self.initial.only(several), definition)

    @classmethod
    def of(cls, function: Function, observation: Observation) -> _Answers:
        """Collect the answers of an observation, without those to probes that the function's contract rules out."""
        names = {probe.name for probe in _POOL}
        open_ = np.array([is_asked(function, probe) for probe in _POOL])
        further = tuple(probe for probe in observation.further_probes if probe.name not in names)
        of_pool = gather_evidence(observation.probes, _POOL, _pool_problem()).only(open_)
        chosen = gather_evidence(observation.probes, further) if further else None
        if (of_pool.refused & _ordinary()).any():
            # Ordinary users are refused where there are several: a refusal says nothing of the unusual ones.
            of_pool, chosen = of_pool.without_refusals(), chosen and chosen.without_refusals()
        return cls(of_pool, chosen, infer_search_tolerance(observation))
