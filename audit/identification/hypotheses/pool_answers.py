"""The probes that may refute a hypothesis: what definitions give on them, and what a function answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.identification.edge_choices import MULTI_USER_KINDS, STAGES
from audit.identification.multi_user_stages import axes_hidden_by_user_values
from audit.identification.recheck import needs_all_listed
from audit.identification.search import infer_search_tolerance
from audit.libraries.function import Function
from audit.observations.evidence import Evidence, contradictions, evaluate_cached, gather_evidence
from audit.observations.observation import Observation, Tolerance
from audit.observations.user_states import undescribed_axes, undescribed_cases
from audit.process.protocol import Errored
from audit.questions.case_features import has_all_listed
from audit.questions.contract_probes import is_asked
from audit.questions.initial import ALL_LISTED, INITIAL_PROBES
from reference.cases import Probe, of_kind
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate, takes_one_ranking

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@cache
def pool(*, all_listed: bool) -> tuple[tuple[Probe, ...], Problem]:
    """Return the probes that may refute a hypothesis before inputs are chosen for it alone, and their cases.

    Args:
        all_listed: Return those with all relevant items listed, for a function that refuses others.
    """
    probes = tuple(filter(has_all_listed, (*INITIAL_PROBES, *ALL_LISTED))) if all_listed else INITIAL_PROBES
    return probes, Problem.of([probe.case for probe in probes], [probe.k for probe in probes])


@dataclass(frozen=True, eq=False)
class Expected:
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

    def differs(self, other: Expected, width: float) -> Bools:
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
def expected_values(definition: Definition, asked: Problem) -> Expected:
    """Evaluate a definition on a pool; cached without the users' values, which take most of the memory."""
    made = evaluate(definition, asked)
    silent = made.nobody & ~made.refused & (not takes_one_ranking(definition))
    undescribed = undescribed_cases(undescribed_axes(definition), asked)
    return Expected(made.mean, made.refused, np.broadcast_to(silent, made.mean.shape), undescribed)


@cache
def _ordinary() -> frozenset[str]:
    """Return the names of the probes of several ordinary users."""
    return frozenset(probe.name for kind in MULTI_USER_KINDS for probe in of_kind(kind)[STAGES[0].chosen])


def stands_beside(rival: Definition, hypothesis: Definition, answers: PoolAnswers) -> bool:
    """Return True if the answers tell a rival not from the hypothesis that they fit.

    A refusal that the hypothesis expects speaks against a rival that expects a number.
    """
    if not fits(rival, answers):
        return False
    if not answers.refused.any():
        return True
    explained, by_rival = (answers.refused & answers.expected_refusals(each) for each in (hypothesis, rival))
    return not bool((explained & ~by_rival).any())


def contradicted_answers(definition: Definition, answers: PoolAnswers) -> int:
    """Count the answers that contradict a definition; a refusal does not."""
    of_pool = expected_values(definition, answers.initial.problem).contradicted(answers.initial, answers.tolerance)
    return int(of_pool.sum()) + sum(int(each.sum()) for each in _further_contradictions(definition, answers))


def fits(definition: Definition, answers: PoolAnswers) -> bool:
    """Return True if no answer contradicts a definition; a refusal says nothing of it."""
    if expected_values(definition, answers.initial.problem).contradicted(answers.initial, answers.tolerance).any():
        return False
    return not any(each.any() for each in _further_contradictions(definition, answers))


def _further_contradictions(definition: Definition, answers: PoolAnswers) -> Iterator[Bools]:
    """Yield masks of contradictions: of further probes, and of those of the pool if users' values were answered."""
    parts = (answers.further, answers.initial) if answers.initial.by_user.any() else (answers.further,)
    for part in filter(None, parts):
        heard = part.expected_refusals([definition])
        yield contradictions(definition, heard, answers.tolerance, edges_known=True)[0]


class PoolAnswers(NamedTuple):
    """Holds the answers to the probes of the pool, those to further probes, the tolerance.

    ``answered`` counts the answers to the pool; an error is one.
    """

    initial: Evidence
    further: Evidence | None
    tolerance: Tolerance
    answered: int

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

    def hidden_axes(self, definition: Definition) -> tuple[str, ...]:
        """Return the axes of averaging of a definition if there are users' values and no mean."""
        several = np.array([probe.kind.role == "multi_user" for probe in self.initial.probes])
        return axes_hidden_by_user_values(self.initial.only(several), definition)

    @staticmethod
    @lru_cache(maxsize=32)
    def of(function: Function, observation: Observation) -> PoolAnswers:
        """Collect the answers of an observation, without those to probes that the function's contract rules out.

        They are kept for the next step, and so is what definitions give on the further probes.
        """
        probes, problem = pool(all_listed=needs_all_listed(observation))
        names = {probe.name for probe in probes}
        asked = (probe for probe in INITIAL_PROBES if probe.name in observation.probes and is_asked(function, probe))
        further = tuple(probe for probe in (*asked, *observation.further_probes) if probe.name not in names)
        of_pool = gather_evidence(observation.probes, probes, problem)
        of_pool = of_pool.only(np.array([is_asked(function, probe) for probe in probes]))
        chosen = gather_evidence(observation.probes, further) if further else None
        answered = of_pool.answered
        if any(isinstance(observation.probes.get(name), Errored) for name in _ordinary()):
            # Ordinary users are refused where there are several: a refusal says nothing of the unusual ones.
            of_pool, chosen = of_pool.without_refusals(), chosen and chosen.without_refusals()
        return PoolAnswers(of_pool, chosen, infer_search_tolerance(observation), answered)
