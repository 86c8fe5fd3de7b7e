"""The evidence that answers to probes give, and the probes on which it contradicts a definition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, compress

import numpy as np

from recsys_metric_audit.audit.observations import probe_tables
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance, scalar
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.observations.user_states import undescribed_axes, undescribed_cases
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.cases.item_probes import SHOWN_ITEMS
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate, takes_one_ranking
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.input.case import Bools, Floats, Ints
from recsys_metric_audit.reference.space.edges import CONSTANTS, FINITE

_LEAST_ORDINARY = 5
"""A function beyond accuracy that has fewer numbers on ordinary rows shows too little for a formula."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Holds the answers of a function to some probes, as arrays.

    Attributes:
        probes: The n probes.
        problem: The probes' cases as one problem, with m users in all.
        value: The number of each probe, shape (n,): the mean, or its only user's value.
        measured: Mask of probes with such a number, shape (n,).
        refused: Mask of probes on which the function raised an error, shape (n,).
        by_user: Mask of probes of several users with values of users, but no mean, shape (n,).
        user_value: On the probes of ``by_user`` the value of each user of ``problem.placement``, shape (m,).
        user_given: On the probes of ``by_user`` whether the user has a value, shape (m,).
    """

    probes: tuple[Probe, ...]
    problem: Problem
    value: Floats
    measured: Bools
    refused: Bools
    by_user: Bools
    user_value: Floats
    user_given: Bools

    @property
    def has_no_number(self) -> bool:
        """True if no answer holds a finite number."""
        return not (np.isfinite(self.value[self.measured]).any() or self.by_user.any())

    @property
    def answered(self) -> int:
        """The number of probes that were answered; an error is an answer."""
        return int((self.measured | self.refused | self.by_user).sum())

    def only(self, chosen: slice | Bools) -> Evidence:
        """Return the evidence with the answers to all probes but the chosen ones removed."""
        keep = np.zeros(len(self.probes), dtype=bool)
        keep[chosen] = True
        return replace(self, measured=self.measured & keep, refused=self.refused & keep, by_user=self.by_user & keep)

    def without_refusals(self) -> Evidence:
        """Return the evidence with all refusals removed."""
        return replace(self, refused=np.zeros_like(self.refused))

    def expected_refusals(self, definitions: Sequence[Definition]) -> Evidence:
        """Return the evidence, without the refusals of probes on which no definition expects an error.

        Such a refusal does not tell the definitions apart.
        """
        if not self.refused.any():
            return self
        expected = np.any([evaluate_cached(each, self.problem).refused for each in definitions], axis=0)
        return replace(self, refused=self.refused & expected)


def gather_evidence(
    outcomes: Mapping[str, Outcome], probes: Sequence[Probe], problem: Problem | None = None
) -> Evidence:
    """Collect the outcomes of some probes into arrays.

    Args:
        outcomes: Outcomes by the probe's name; a missing one counts as not answered.
        probes: The probes to collect.
        problem: The cases of these probes, in their order; made from the probes if not given.
    """
    problem = problem or problem_of(probes)
    count = len(probes)
    value, measured, refused, by_user = np.full(count, np.nan), *(np.zeros(count, dtype=bool) for _ in range(3))
    users = problem.placement.users
    user_value, user_given = np.full(len(users), np.nan), np.zeros(len(users), dtype=bool)
    for column, probe in enumerate(probes):
        outcome = outcomes.get(probe.name)
        refused[column] = isinstance(outcome, Errored)
        if not isinstance(outcome, Measured):
            continue
        own = np.flatnonzero(problem.placement.case == column)
        # The value of the only user who has one among several is no mean of theirs.
        number = outcome.mean if len(own) > 1 and outcome.users is not None else scalar(outcome)
        if number is not None:
            value[column], measured[column] = number, True
        elif outcome.users is not None:
            user_value[own], user_given[own], by_user[column] = *values_of_users(outcome, users[own]), True
    return Evidence(tuple(probes), problem, value, measured, refused, by_user, user_value, user_given)


def evidence_on(observation: Observation, kind: Kind) -> Evidence:
    """Collect what a function answered to the probes of one kind."""
    k = observation.k
    return gather_evidence(observation.probes, probe_tables.probes(kind, k), probe_tables.problem(kind, k))


def values_of_users(outcome: Measured, users: Ints) -> tuple[Floats, Bools]:
    """Return the function's value of each of ``users`` (ascending ids), NaN without one, and a mask of values given."""
    value, given = np.full(len(users), np.nan), np.zeros(len(users), dtype=bool)
    if outcome.users is not None and outcome.values is not None and len(users):
        place = np.minimum(np.searchsorted(users, outcome.users), len(users) - 1)
        known = users[place] == outcome.users
        value[place[known]], given[place[known]] = outcome.values[known], True
    return value, given


def nobody_is_read_apart(definition: Definition) -> bool:
    """Return True if what comes out where nobody is left to be averaged is read when all else is known.

    Of items that are shown, and where all rows are one ranking, it is known with the rest.
    """
    return definition.family.reads == "relevance" and not takes_one_ranking(definition)


@lru_cache(maxsize=3_000)
def evaluate_cached(definition: Definition, problem: Problem) -> Evaluated:
    """Evaluate a definition on probes; cached, since most functions of a run meet the same definitions."""
    return evaluate(definition, problem)


def contradicting_users(made: Evaluated, value: Floats, given: Bools, tolerance: Tolerance) -> Bools:
    """Return a mask of users who have another value than the definition gives, or a value where it gives none."""
    both = made.counted & given
    wrong: Bools = (made.counted != given) | (both & ~tolerance.close(made.value, value))
    return wrong


def contradictions(definition: Definition, evidence: Evidence, tolerance: Tolerance) -> Bools:
    """Return a mask of the n probes that contradict a definition; none does of which it says nothing.

    Args:
        definition: The definition.
        evidence: Answers to n probes.
        tolerance: How far predicted and observed numbers may lie apart.
    """
    wrong, _ = _misfits(definition, evidence, tolerance)
    if axes := undescribed_axes(definition):
        wrong &= ~undescribed_cases(axes, evidence.problem)
    return wrong


def largest_deviation(definition: Definition, evidence: Evidence, tolerance: Tolerance) -> float:
    """Return the largest deviation from a definition on the probes that it gives; see :func:`contradictions`."""
    made = evaluate_cached(definition, evidence.problem)
    wrong, seen = _misfits(definition, evidence, tolerance)
    with np.errstate(invalid="ignore"):  # between two infinite values there is no gap
        gap = np.abs(made.mean - evidence.value)[seen & ~wrong]
    return float(np.nan_to_num([*gap, largest_user_deviation(made, evidence, ~wrong)]).max())


def _misfits(definition: Definition, evidence: Evidence, tolerance: Tolerance) -> tuple[Bools, Bools]:
    """Return masks of the probes that a definition does not give, and of those whose number it is compared with."""
    made = evaluate_cached(definition, evidence.problem)
    read_apart = nobody_is_read_apart(definition)
    silent = made.nobody & ~made.refused & read_apart & (np.isnan(evidence.value) | (evidence.value == 0))
    seen = evidence.measured & ~silent
    wrong = seen & (~tolerance.close(made.mean, evidence.value) | made.refused)
    if evidence.by_user.any():
        wrong |= evidence.by_user & (made.refused | _users_contradict(made, evidence, tolerance))
    # A ratio of sums that is 0/0 may be answered with NaN or with an error. Neither shows an edge policy, unless the
    # definition has errors, all rows are one ranking, or it says what comes out of 0/0 (items that are shown).
    raises = {"error", "previous"} & set(definition.axes.values())
    sums = definition.axes.get("pooling") == "pooled" and read_apart and not raises
    wrong |= evidence.refused & ~made.refused & ~(np.isnan(made.mean) & sums)
    return wrong, seen


def cases_at_edges(made: Evaluated, problem: Problem) -> Bools:
    """Return a mask of the cases with a user whose value an edge policy decides, or may decide."""
    return any_user(problem, ~made.regular | made.conventional | made.mixed)


def any_user(problem: Problem, users: Bools) -> Bools:
    """Return a mask of cases with a user in ``users``; if all rows are one ranking, a case is one user."""
    case = problem.placement.case
    if len(users) != len(case):
        return users
    hit: Bools = np.bincount(case, weights=users, minlength=len(problem.cases)) > 0
    return hit


def is_policy_value(value: Floats, k: Ints, tolerance: Tolerance) -> Bools:
    """Return a mask of values that a policy for users without a hit can give, 0 excluded: NaN, a constant, 1/k.

    A function that takes one row more or less than k gives the inverse of that.
    """
    cutoffs = [np.maximum(k + more, 1) for more in (-1, 0, 1)]
    numbers = [np.full(len(k), CONSTANTS[name]) for name in FINITE if name != "0"]
    numbers += [1.0 / each for each in cutoffs]
    out: Bools = np.isnan(value) | np.any([tolerance.close(each, value) for each in numbers], axis=0)
    return out


def are_one_number(parts: Iterable[Evidence]) -> bool:
    """Return True if several answers are one and the same number: where little is found, many definitions give it."""
    given = [(part.value[part.measured], part.user_value[part.user_given]) for part in parts]
    known = np.concatenate([*chain.from_iterable(given)])
    return len(known) > 1 and len(np.unique(np.round(known, 6))) == 1


def count_numbers_of_items(evidence: Evidence) -> int:
    """Count the finite numbers of a function beyond accuracy; 0 where those on ordinary rows are too few."""
    finite = np.isfinite(evidence.value)
    ordinary = [probe.kind == SHOWN_ITEMS for probe in evidence.probes]
    return int(finite.sum()) if (finite & ordinary).sum() >= _LEAST_ORDINARY else 0


def shows_a_formula(evidence: Evidence, tolerance: Tolerance) -> bool:
    """Return True if the answers have more than one value that no policy gives."""
    cutoffs = np.array([probe.k for probe in evidence.probes])
    known, k = evidence.value[evidence.measured], cutoffs[evidence.measured]
    return len(np.unique(np.round(known[~is_policy_value(known, k, tolerance) & (known != 0)], 6))) > 1


def _users_contradict(made: Evaluated, evidence: Evidence, tolerance: Tolerance) -> Bools:
    """Return a mask of probes whose users' values differ; all of them if one ranking of all rows has no such values."""
    if len(made.value) != len(evidence.user_given):
        return np.ones(len(evidence.probes), dtype=bool)
    wrong = contradicting_users(made, evidence.user_value, evidence.user_given, tolerance)
    return any_user(evidence.problem, wrong)


def largest_user_deviation(made: Evaluated, evidence: Evidence, probes: Bools) -> float:
    """Return the largest deviation of users' values on the probes of a mask; 0 if one ranking has no such values."""
    users = evidence.user_given & (evidence.by_user & probes)[evidence.problem.placement.case]
    if len(made.value) != len(users) or not users.any():
        return 0.0
    return float(np.nan_to_num(np.abs(made.value - evidence.user_value)[users & made.counted]).max(initial=0))


def survivors(
    candidates: Iterable[Definition], evidence: Evidence, tolerance: Tolerance
) -> tuple[list[Definition], float]:
    """Return the candidates that no probe contradicts, and their largest deviation."""
    surviving = [each for each in candidates if not contradictions(each, evidence, tolerance).any()]
    return surviving, max((largest_deviation(each, evidence, tolerance) for each in surviving), default=0.0)


def smallest_probe(probes: Sequence[Probe], chosen: Bools) -> Probe | None:
    """Return the probe with the fewest rows among the probes that a mask chooses; None if it chooses none."""
    return min(compress(probes, chosen), key=lambda probe: probe.size, default=None)
