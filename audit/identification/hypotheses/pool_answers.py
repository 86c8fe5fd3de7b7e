"""The probes that may refute a hypothesis: what definitions give on them, and what a function answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import compress
from typing import NamedTuple

import numpy as np

from recsys_metric_audit.audit.identification.given_answers import infer_search_tolerance, needs_all_listed
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations import user_states
from recsys_metric_audit.audit.observations.evidence import (
    Evidence,
    are_one_number,
    cases_at_edges,
    contradictions,
    count_numbers_of_items,
    evaluate_cached,
    gather_evidence,
    nobody_is_read_apart,
)
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.observations.rescale import rescale
from recsys_metric_audit.audit.process.protocol import Errored, Measured
from recsys_metric_audit.audit.questions.case_features import has_all_listed
from recsys_metric_audit.audit.questions.contract_probes import is_asked
from recsys_metric_audit.audit.questions.generated_cases import features_of
from recsys_metric_audit.audit.questions.initial import ALL_LISTED, INITIAL_PROBES
from recsys_metric_audit.audit.questions.item_cases import asked_of, reads_items
from recsys_metric_audit.audit.questions.value_comparison import GAP
from recsys_metric_audit.reference.cases import DEGENERATE, EXHAUSTIVE, PROBES, Probe, Role
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Bools, Floats


@cache
def pool(*, items_of: str, all_listed: bool, k: int | None) -> tuple[tuple[Probe, ...], Problem]:
    """Return the probes that may refute a hypothesis before inputs are chosen for it alone, and their cases.

    Args:
        items_of: Name of the metric beyond accuracy for whose functions they are; empty for those of accuracy.
        all_listed: Return those with all relevant items listed, for a function that refuses others.
        k: Rescale them to this cut-off, for a function that is asked at a single one.
    """
    if items_of:
        return asked_of(items_of)
    usual = (*INITIAL_PROBES, *DEGENERATE)
    probes = tuple(filter(has_all_listed, (*usual, *ALL_LISTED))) if all_listed else usual
    probes = probes if k is None else rescale(probes, k)
    return probes, problem_of(probes)


@dataclass(frozen=True, eq=False)
class Expected:
    """Holds what a definition gives on each probe of the pool.

    Attributes:
        mean: The mean; NaN where it has none.
        refused: Mask of probes on which it raises an error.
        silent: Mask of probes of which nobody is left to be averaged: what comes out there is a rule of its own.
        at_edge: Mask of probes with a user whose value an edge policy decides, or may decide.
        undescribed: Mask of probes of which the definition says nothing.
    """

    mean: Floats
    refused: Bools
    silent: Bools
    at_edge: Bools
    undescribed: Bools

    def differs(self, other: Expected, width: float) -> Bools:
        """Return a mask of the probes on which another definition gives something else, or this one nothing."""
        one, two = np.nan_to_num(self.mean, nan=_NAN), np.nan_to_num(other.mean, nan=_NAN)
        apart: Bools = np.where(self.refused | other.refused, self.refused != other.refused, np.abs(one - two) > width)
        return (apart | self.undescribed) & ~self.silent & ~other.silent & ~other.undescribed

    def contradicted(self, evidence: Evidence, tolerance: Tolerance) -> Bools:
        """Return a mask of the probes whose number is another one; a refusal contradicts nothing."""
        silent = self.silent & (np.isnan(evidence.value) | (evidence.value == 0))
        wrong: Bools = ~tolerance.close(self.mean, evidence.value) | self.refused
        wrong &= evidence.measured & ~silent & ~self.undescribed
        return wrong


MAY_FOLLOW_NO_RULE = frozenset({"ties", "tied_scores", "duplicates", "truth_duplicates"})
"""The axes on which a function may follow no rule that is known."""
_FEATURE_OF_ROLE: Mapping[Role, str] = {"seen": "seen in training"}
"""The feature of generated cases whose answers are left out with those to the probes of a role."""
_NAN = -7.0
"""Stands for NaN where numbers are compared; no metric has this value on a probe."""
_LEAST_ANSWERED = 8
"""A function that answers fewer of the first probes shows too little for a hypothesis."""


@lru_cache(maxsize=50_000)
def expected_values(definition: Definition, asked: Problem) -> Expected:
    """Evaluate a definition on a pool; cached without the users' values, which take most of the memory."""
    made = evaluate(definition, asked)
    silent = made.nobody & ~made.refused & nobody_is_read_apart(definition)
    undescribed = user_states.undescribed_cases(user_states.undescribed_axes(definition), asked)
    at_edge = cases_at_edges(made, asked)
    return Expected(made.mean, made.refused, np.broadcast_to(silent, made.mean.shape), at_edge, undescribed)


def stands_beside(rival: Definition, hypothesis: Definition, answers: PoolAnswers) -> bool:
    """Return True if the answers tell a rival not from the hypothesis that they fit.

    A refusal that the hypothesis expects speaks against a rival that expects a number.
    """
    if not (beside := fits(rival, answers)) or not answers.refused.any():
        return beside
    explained, by_rival = (answers.refused & answers.expected_refusals(each) for each in (hypothesis, rival))
    return not bool((explained & ~by_rival).any())


def contradicted(definition: Definition, answers: PoolAnswers) -> Bools:
    """Return a mask of the answers that contradict a definition: of the pool, then the further ones.

    A refusal contradicts nothing, and neither does an answer that depends on an edge that is left open.
    """
    wrong = _contradicted_by_any(definition, answers)
    for edge in answers.open_edges if wrong.any() else ():
        if edge in definition.axes:
            for policy in definition.family.axis(edge).names:
                other = definition.with_(**{edge: policy})
                if other.family.refusal(other.axes) is None:
                    wrong = wrong & ~_differing_answers(definition, other, answers)
    return wrong


def _differing_answers(one: Definition, other: Definition, answers: PoolAnswers) -> Bools:
    """Return a mask of the answers on which two definitions expect something else."""
    problems = [part.problem for part in answers.parts]
    return np.concatenate([expected_values(one, each).differs(expected_values(other, each), GAP) for each in problems])


def _contradicted_on_pool(definition: Definition, answers: PoolAnswers) -> Bools:
    if answers.initial.by_user.any():
        return _contradicted(definition, answers.initial, answers.tolerance)
    return expected_values(definition, answers.initial.problem).contradicted(answers.initial, answers.tolerance)


def _contradicted_by_any(definition: Definition, answers: PoolAnswers) -> Bools:
    of_pool = _contradicted_on_pool(definition, answers)
    if answers.further is None:
        return of_pool
    return np.concatenate([of_pool, _contradicted(definition, answers.further, answers.tolerance)])


def contradicting_roles(definition: Definition, answers: PoolAnswers) -> frozenset[Role]:
    """Return the roles of the probes whose answers contradict a definition."""
    probes = (*answers.initial.probes, *(answers.further.probes if answers.further is not None else ()))
    return frozenset(probe.kind.role for probe in compress(probes, contradicted(definition, answers)))


def fits(definition: Definition, answers: PoolAnswers) -> bool:
    """Return True if no answer contradicts a definition; a refusal says nothing of it."""
    # All functions are asked the pool, of which values are kept: most definitions need not be evaluated on the rest.
    if not answers.open_edges and _contradicted_on_pool(definition, answers).any():
        return False
    return not contradicted(definition, answers).any()


def _contradicted(definition: Definition, part: Evidence, tolerance: Tolerance) -> Bools:
    heard = part.expected_refusals([definition])
    return contradictions(definition, heard, tolerance)


class PoolAnswers(NamedTuple):
    """Holds the answers to the probes of the pool, those to further probes, the tolerance.

    ``answered`` counts all answers, errors too, but beyond accuracy finite numbers alone. What depends on
    ``open_edges`` contradicts nothing.
    """

    initial: Evidence
    further: Evidence | None
    tolerance: Tolerance
    answered: int
    open_edges: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[Evidence, ...]:
        """Return the answers to the probes of the pool, and those to further probes if there are any."""
        return (self.initial, self.further) if self.further is not None else (self.initial,)

    @property
    def are_few(self) -> bool:
        """Return True if fewer are answered than a hypothesis needs."""
        return self.answered < _LEAST_ANSWERED

    @property
    def are_one_number(self) -> bool:
        """Return True if all answers are one number: they tell no definition."""
        return are_one_number(self.parts)

    @property
    def refused(self) -> Bools:
        """Return a mask of the probes that were refused: those of the pool, then the further ones."""
        further = self.further.refused if self.further is not None else ()
        return np.concatenate([self.initial.refused, further]).astype(np.bool_)

    def expected_refusals(self, definition: Definition) -> Bools:
        """Return a mask of the same probes on which a definition raises an error."""
        further = evaluate_cached(definition, self.further.problem).refused if self.further is not None else ()
        of_pool = expected_values(definition, self.initial.problem).refused
        return np.concatenate([of_pool, further]).astype(np.bool_)

    def unexpected_refusals(self, definition: Definition) -> int:
        """Count the refused probes on which a definition expects a number."""
        refused = self.refused
        return int((refused & ~self.expected_refusals(definition)).sum()) if refused.any() else 0

    def hidden_axes(self, definition: Definition) -> tuple[str, ...]:
        """Return the axes of a definition that no answer shows.

        Users' values without a mean hide how they are averaged; where nothing was answered of several users, edges too.
        """
        of_several = [part.only(has_several_users(part.problem)) for part in self.parts]
        if any(part.measured.any() for part in of_several):
            return ()
        if any(part.by_user.any() for part in of_several):
            return axes_of_averaging(definition)
        own = definition.family.all_axes
        return tuple(axis.name for axis in own if axis.part in ("averaging", "edges") and axis.name in definition.axes)

    @property
    def unusual(self) -> Bools:
        """Return a mask of the same probes with ties or repeats, on which a function may follow no rule."""
        return np.concatenate([user_states.undescribed_cases(MAY_FOLLOW_NO_RULE, part.problem) for part in self.parts])

    def plain(self, definition: Definition) -> Bools:
        """Return a mask of the same probes that have no tie or repeat, nor a user whose value an edge may decide."""
        at_edge = [expected_values(definition, part.problem).at_edge for part in self.parts]
        return ~np.concatenate(at_edge) & ~self.unusual

    @staticmethod
    @lru_cache(maxsize=32)
    def of(
        function: Function, observation: Observation, left_out: frozenset[Role] = frozenset(),
        tolerance: Tolerance | None = None, open_edges: tuple[str, ...] = (),
    ) -> PoolAnswers:  # fmt: skip
        """Collect the answers of an observation, without those to probes that the function's contract rules out.

        They are kept for the next step, and so is what definitions give on the further probes.

        Args:
            function: The function.
            observation: Its answers.
            left_out: Roles of probes whose answers are left out.
            tolerance: Deviations up to which numbers count as equal; None to infer them.
            open_edges: Edges that no policy describes: answers that depend on one say nothing.
        """

        def is_read(probe: Probe) -> bool:
            return probe.kind.role not in left_out and is_asked(function, probe)

        barred = {_FEATURE_OF_ROLE[role] for role in left_out if role in _FEATURE_OF_ROLE}
        k, items = observation.k, reads_items(function)
        listed = needs_all_listed(observation)
        probes, problem = pool(items_of=function.metric if items else "", all_listed=listed, k=k)
        names = {probe.name for probe in probes}
        own = observation.further_probes
        left = observation.probes.keys() - names - {probe.name for probe in own}
        asked = [probe for probe in (*PROBES, *EXHAUSTIVE) if probe.name in left and is_read(probe)]
        asked = asked if k is None else list(rescale(asked, k))
        further = tuple(
            probe for probe in (*asked, *own)
            if not (barred and features_of(probe) & barred) and probe.name not in names
            and isinstance(observation.probes.get(probe.name), Measured | Errored)
        )  # fmt: skip
        of_pool = gather_evidence(observation.probes, probes, problem)
        of_pool = of_pool.only(np.array([is_read(probe) for probe in probes]))
        chosen = gather_evidence(observation.probes, further) if further else None
        answered = of_pool.answered + (chosen.answered if chosen is not None else 0)
        answered = count_numbers_of_items(of_pool) if items else answered
        # Where ordinary users are refused, a refusal says nothing of unusual ones.
        if not items and user_states.refuses_ordinary_users(function.metric, observation):
            of_pool, chosen = of_pool.without_refusals(), chosen and chosen.without_refusals()
        return PoolAnswers(of_pool, chosen, tolerance or infer_search_tolerance(observation), answered, open_edges)


def has_several_users(asked: Problem) -> Bools:
    """Return a mask of the cases with more than one user."""
    return np.asarray(np.bincount(asked.placement.case, minlength=len(asked.cases)) > 1)


def axes_of_averaging(definition: Definition) -> tuple[str, ...]:
    """Return the axes of a definition that say how users' values, or their rows, become one number."""
    names = (*definition.family.across_users, "pooling", "weight", "mean")
    return tuple(axis.name for axis in definition.family.all_axes if axis.name in names)
