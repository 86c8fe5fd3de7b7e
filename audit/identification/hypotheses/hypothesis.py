"""Tests known definitions before anything is searched: most functions compute what some function is known to compute.

A known definition that fits the first answers is a hypothesis. It is asked the probes that would refute it: those that
tell it from every definition with another value on one axis. A hypothesis is never believed: where a probe contradicts
it, or leaves a rival standing, the search among all definitions begins, as for a function of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.identification.data_recheck import fitting_data
from audit.identification.diagnosis import Diagnosis, refused_features
from audit.identification.hypotheses.nearby import nearby_definitions
from audit.identification.hypotheses.pool_answers import PoolAnswers, expected_values, fits, stands_beside
from audit.identification.hypotheses.rivals import canonical_where_unknown, differ_in_edges, inseparable, rivals
from audit.identification.recheck import needs_all_listed
from audit.libraries.function import Function
from audit.observations.candidates import distinct, one_of_each
from audit.observations.evidence import contradictions
from audit.observations.fit import Fitting
from audit.observations.observation import Observation
from audit.observations.user_states import undescribed_axes
from audit.process.protocol import Declined
from audit.questions import generated_cases
from audit.questions.case_features import has_all_listed
from audit.questions.contract_probes import allows_gains_of, is_asked
from audit.questions.distinguishing import distinguishing_inputs
from audit.questions.initial import opening_with_all_listed
from audit.questions.value_comparison import GAP, differ
from reference.cases import Probe
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, takes_one_ranking
from reference.metrics.ndcg import CUT_GAINS
from reference.space.averaging import NOBODY
from reference.space.input_axes import WITHOUT_RULE

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_LEAST_ANSWERED = 8
"""A function that answers fewer of the first probes shows too little for a hypothesis."""


def fitting_hypotheses(
    known: Iterable[Definition], function: Function, observation: Observation, data: Problem, *, nearby: bool = False
) -> list[Definition]:  # fmt: skip
    """Return the known definitions that fit all answers so far, the data included.

    Those that expect the refusals come first, then those that say something of every input, then the canonical-most.

    Args:
        known: The known definitions.
        function: The function.
        observation: Its answers.
        data: The data.
        nearby: Where none fits, return definitions near one that do.
    """
    answers = PoolAnswers.of(function, observation)
    if answers.answered < _LEAST_ANSWERED:
        return []
    own = dict.fromkeys(_under_contract(each, function) for each in known if _can_be_tested(each, function))
    found = tuple(each for each in own if fits(each, answers))
    if nearby and not found:
        found = tuple(nearby_definitions(own, function, answers))
    fit = Fitting(found, 0.0, answers.tolerance, len(observation.probes))
    fitting = fitting_data(fit, observation, data, with_unspecified_ties=False)

    def unlikely(each: Definition) -> tuple[int, int, int, bool]:
        unexpected = int((answers.refused & ~answers.expected_refusals(each)).sum())
        return unexpected, len(undescribed_axes(each)), len(each.differs_on), _cuts_gains(each)

    ordered = one_of_each(sorted(fitting, key=unlikely), function.ruled_out)
    if not ordered or not unlikely(ordered[0])[0]:
        return ordered
    by_edges = (each for each in rivals(ordered[0], function) if differ_in_edges(each, ordered[0]))
    expecting = [each for each in by_edges if unlikely(each) < unlikely(ordered[0]) and fits(each, answers)]
    return [*sorted(expecting, key=unlikely)[:1], *ordered]


def opening_probes(function: Function, observation: Observation) -> tuple[Probe, ...]:
    """Return the probes that a function is asked at first in place of those that it left without an answer."""
    declined = isinstance(observation.failure(), Declined)
    if declined or PoolAnswers.of(function, observation).answered >= _LEAST_ANSWERED:
        return ()
    return opening_with_all_listed(function, observation.probes)


class Refuting(NamedTuple):
    """Holds what is left to be asked about a hypothesis.

    Attributes:
        probes: The probes that would refute it, not asked yet.
        decisive: True if the answers given and these probes tell the hypothesis from all rivals, but for those below.
        unknown: The axes that no input can be asked about, most of them edges: whatever their value, the answers fit.
        beside: Other formulas that no input which can be asked tells from the hypothesis.
    """

    probes: tuple[Probe, ...]
    decisive: bool
    unknown: tuple[str, ...] = ()
    beside: tuple[Definition, ...] = ()


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
    answers = PoolAnswers.of(function, observation)
    hidden = answers.hidden_axes(hypothesis)
    silent = undescribed_axes(hypothesis)
    told = (each for each in others if undescribed_axes(each) <= silent)  # what says less can never be refuted
    rivals_left = [
        each for each in (*told, *rivals(hypothesis, function, hidden)) if stands_beside(each, hypothesis, answers)
    ]
    asked, problem = answers.initial.probes, answers.initial.problem
    allowed = np.array([_can_be_asked(probe, function, observation) for probe in asked])
    width, own = max(GAP, 4 * answers.tolerance.width), expected_values(hypothesis, problem)
    differs = np.array([own.differs(expected_values(each, problem), width) & allowed for each in rivals_left])
    differs = differs.reshape(-1, len(allowed))
    probes = (*(asked[number] for number in _cover(differs)), *_run_of_ties(hypothesis, function, observation))
    together = [each for each, row in zip(rivals_left, differs, strict=True) if not row.any()]
    whole = function.takes.whole_gains_only
    if any(silent - undescribed_axes(each) for each in together):
        return Refuting(probes, decisive=False)  # it says more than the hypothesis does, and fits as well
    per_user = bool(hidden)

    def equal(one: Definition, other: Definition) -> bool:
        return not differ((one, other), per_user=per_user, whole_gains=whole)

    together = [each for each in together if not equal(hypothesis, each)]
    if not together:
        return Refuting(probes, decisive=True)
    refused = refused_features(observation)
    chosen = distinguishing_inputs(
        (hypothesis, *together), frozenset(observation.probes), per_user=per_user,
        all_listed=needs_all_listed(observation), ruled_out=function.ruled_out, whole_gains=whole, refused=refused,
    )  # fmt: skip
    further = tuple(probe for probe in chosen if refused.isdisjoint(generated_cases.features_of(probe)))
    if further:
        return Refuting((*probes, *further), decisive=True)
    if answers.refused.any() or takes_one_ranking(hypothesis):
        return Refuting(probes, decisive=False)  # what an error hides, or all rows together, the search tells better
    found = inseparable(hypothesis, together, function.ruled_out, equal)
    return Refuting(probes, decisive=False) if found is None else Refuting(probes, True, *found)


def _run_of_ties(hypothesis: Definition, function: Function, observation: Observation) -> tuple[Probe, ...]:
    """Return an input with a long run of ties, if none was asked: some sorts keep a rule for short runs only."""
    ties = hypothesis.axes.get("ties", "other")
    if ties in (*WITHOUT_RULE, "average") or {"ties", "order"} & function.ruled_out.keys():
        return ()
    listed = needs_all_listed(observation)
    runs = [
        probe
        for probe, features in zip(*generated_cases.pool(), strict=True)
        if features == {"long lists", "ties"} and (has_all_listed(probe) or not listed)
    ]
    allowed = [each for each in runs if allows_gains_of(function, each)][:1]
    return tuple(each for each in allowed if each.name not in observation.probes)


def confirmed(
    hypothesis: Definition, left: Refuting, function: Function, observation: Observation
) -> Diagnosis:  # fmt: skip
    """Return the diagnosis of a function whose hypothesis nothing refuted; no rival is left but those in `left`."""
    answers = PoolAnswers.of(function, observation)
    made = (canonical_where_unknown(each, left.unknown) for each in (hypothesis, *left.beside))
    definitions = tuple(distinct(sorted(made, key=_cuts_gains), edges_known=True))
    parts = filter(None, (answers.initial, answers.further))
    gaps = [contradictions(definitions[0], each, answers.tolerance, edges_known=True)[1] for each in parts]
    hidden = answers.hidden_axes(definitions[0])
    fit = Fitting(
        definitions, max(gaps), answers.tolerance, len(observation.probes),
        unidentified_axes=(*hidden, *left.unknown), user_values_only=bool(hidden),
    )  # fmt: skip
    return Diagnosis(function, observation, fit, from_hypothesis=True)


def _cuts_gains(definition: Definition) -> bool:
    return definition.axes.get("gain") in CUT_GAINS


def _can_be_tested(definition: Definition, function: Function) -> bool:
    return (definition.k is not None) <= function.cutoff and "unspecified" not in definition.axes.values()


def _can_be_asked(probe: Probe, function: Function, observation: Observation) -> bool:
    """Return True if a function can be asked a probe of the pool that it was not asked so far."""
    again = not function.cutoff and probe.kind.role == "exhaustive" and probe.k > 1  # equal at every k
    return probe.name not in observation.probes and is_asked(function, probe) and not again


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
