"""Chooses the probes that would refute a hypothesis, and tells what is left where nothing refuted it.

They tell it from its rivals: definitions with another value on one axis. A hypothesis is never believed: where a probe
contradicts it, others are proposed.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.identification.data_recheck import keep_what_fits_data
from audit.identification.diagnosis import refused_features
from audit.identification.given_answers import needs_all_listed
from audit.identification.hypotheses.pool_answers import (
    PoolAnswers,
    expected_values,
    fits,
    has_several_users,
    stands_beside,
)
from audit.identification.hypotheses.proposal import Proposal, cuts_gains
from audit.identification.hypotheses.rivals import (
    canonical_where_unknown,
    differing_axes,
    inseparable,
    rivals,
)
from audit.libraries.function import Function
from audit.observations.candidates import distinct
from audit.observations.evidence import contradictions
from audit.observations.fit import Fitting
from audit.observations.observation import Observation
from audit.observations.user_states import shown_states, undescribed_axes
from audit.questions import generated_cases
from audit.questions.case_features import has_all_listed
from audit.questions.contract_probes import allows_gains_of, is_asked
from audit.questions.distinguishing import allowed_cases, distinguishing_inputs
from audit.questions.value_comparison import GAP, differing_cases
from reference.cases import DEGENERATE, Kind, Probe
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, takes_one_ranking
from reference.space.input_axes import WITHOUT_RULE

Bools = NDArray[np.bool_]


class Refuting(NamedTuple):
    """Holds what is left to be asked about a hypothesis.

    Attributes:
        probes: The probes that would refute it, not asked yet.
        unknown: The axes that no input can be asked about, most of them edges: whatever their value, the answers fit.
        beside: Other formulas that no input which can be asked tells from the hypothesis.
        better: A rival that fits as well and says something of inputs of which the hypothesis says nothing; or one that
            is equal to it on all inputs and plainer.
    """

    probes: tuple[Probe, ...]
    unknown: tuple[str, ...] = ()
    beside: tuple[Definition, ...] = ()
    better: Definition | None = None


def refuting_probes(
    proposal: Proposal, function: Function, observation: Observation, *, can_be_asked: bool = True
) -> Refuting:  # fmt: skip
    """Choose the probes that would refute a hypothesis: each rival gives another value on one of them at least.

    Args:
        proposal: The hypothesis, which fits all answers so far, before other definitions that do.
        function: The function.
        observation: Its answers so far.
        can_be_asked: Whether the function can be asked anything more.
    """
    (hypothesis, *others), reading = proposal.definitions, proposal.reading
    answers = reading.of(function, observation)
    hidden = answers.hidden_axes(hypothesis)
    asked, problem = answers.initial.probes, answers.initial.problem
    allowed = np.array([can_be_asked and _can_be_asked(probe, function, observation) for probe in asked])
    if bool((allowed & has_several_users(problem)).any()) and not answers.initial.by_user.any():
        hidden = ()  # they were not asked so far
    silent = undescribed_axes(hypothesis)
    decided = {*function.ruled_out, *reading.open_axes}
    told = (  # what says less can never be refuted, and what is decided or left open is not asked
        each for each in others if undescribed_axes(each) <= silent and not decided & differing_axes(each, hypothesis)
    )
    fixed = {*hidden, *reading.open_axes}
    rivals_left = [
        each for each in (*told, *rivals(hypothesis, function, fixed)) if stands_beside(each, hypothesis, answers)
    ]
    width, own = max(GAP, 4 * answers.tolerance.width), expected_values(hypothesis, problem)
    differs = np.array([own.differs(expected_values(each, problem), width) & allowed for each in rivals_left])
    differs = differs.reshape(-1, len(allowed))
    unusual = _run_of_ties(hypothesis, function, observation) if can_be_asked else ()
    if can_be_asked and takes_one_ranking(hypothesis):  # of all rows: in an unusual state only if all users are
        unusual += tuple(probe for probe in DEGENERATE if _can_be_asked(probe, function, observation))
    by_name = {probe.name: probe for probe in (*(asked[number] for number in _cover(differs)), *unusual)}
    probes = tuple(by_name.values())
    together = [each for each, row in zip(rivals_left, differs, strict=True) if not row.any()]
    whole = function.takes.whole_gains_only
    if says_more := next((each for each in together if silent - undescribed_axes(each)), None):
        return Refuting(probes, better=says_more)
    per_user = bool(hidden)

    def equal(one: Definition, other: Definition) -> bool:
        return not differing_cases((one, other), per_user=per_user, whole_gains=whole).any()

    def is_shown(each: Definition) -> bool:
        """Return False for a rival that differs through what the contract or the adapter decides.

        One that is the same formula is told only if it differs on an input that the contract allows. Where nothing
        more is asked, a rival is told only if it differs where a single thing is unusual.
        """
        axes = differing_axes(each, hypothesis)
        if moved := function.ruled_out.keys() & axes:
            beside = each.with_(**{axis: hypothesis.axes[axis] for axis in moved})
            return not equal(hypothesis, beside) and fits(beside, answers)
        ruled_out: Collection[str] = ()
        if not axes & of_formula and each.metric == hypothesis.metric:
            ruled_out = function.ruled_out.keys() - {"unlisted"}  # in any data a user may be without a list
        shown = differing_cases((hypothesis, each), per_user=per_user, whole_gains=whole) & allowed_cases(ruled_out)
        return bool(shown.any() if can_be_asked else (shown & generated_cases.with_one_feature()).any())

    of_formula = {axis.name for axis in hypothesis.family.all_axes if axis.part == "formula"}
    same = [each for each in together if equal(hypothesis, each)]
    plainer = min((hypothesis, *same), key=_plain)
    if plainer != hypothesis and not decided & differing_axes(plainer, hypothesis):
        return Refuting(probes, better=plainer)
    together = [each for each in together if each not in same and is_shown(each)]
    if not together:
        return Refuting(probes)
    if can_be_asked:
        refused = refused_features(observation)
        chosen = distinguishing_inputs(
            (hypothesis, *together), frozenset(observation.probes), per_user=per_user,
            all_listed=needs_all_listed(observation), ruled_out=function.ruled_out, whole_gains=whole, refused=refused,
        )  # fmt: skip
        further = tuple(probe for probe in chosen if refused.isdisjoint(generated_cases.features_of(probe)))
        if further:
            return Refuting((*probes, *further))
    return Refuting(probes, *inseparable(hypothesis, together, function.ruled_out, equal))


def _plain(definition: Definition) -> tuple[int, bool, tuple[int, ...]]:
    """Order equal definitions: those of fewest axes that are not canonical first.

    Of these, another truth than the whole comes last, and what changes later in the calculation first.
    """
    moved = {*definition.differs_on}
    places = (-place for place, axis in enumerate(definition.family.all_axes) if axis.name in moved)
    return len(moved), "truth" in moved, tuple(places)


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


def fit_of(
    proposal: Proposal, left: Refuting, function: Function, observation: Observation, data: Problem
) -> Fitting:  # fmt: skip
    """Return the fit of a function whose hypothesis nothing refuted; no rival is left but those in `left`."""
    answers = proposal.reading.of(function, observation)
    unknown = (*left.unknown, *proposal.reading.open_axes)
    made = (canonical_where_unknown(each, unknown) for each in (proposal.definitions[0], *left.beside))
    definitions = tuple(distinct(sorted(made, key=cuts_gains), edges_known=True))
    parts = filter(None, (answers.initial, answers.further))
    gaps = [contradictions(definitions[0], each, answers.tolerance, edges_known=True)[1] for each in parts]
    hidden = answers.hidden_axes(definitions[0])
    acting = [axis for axis in proposal.reading.open_axes if axis in definitions[0].axes]
    acting += _edges_refused(definitions[0], answers)
    unknown = tuple(dict.fromkeys((*hidden, *left.unknown, *acting)))
    fit = Fitting(
        definitions, max(gaps), answers.tolerance, observation.answered,
        unidentified_axes=unknown, user_values_only=bool(hidden), hypothesis=proposal.definitions[0],
    )  # fmt: skip
    return keep_what_fits_data(fit, observation, data)


def _edges_refused(definition: Definition, answers: PoolAnswers) -> list[str]:
    """Return the edges of one ranking of all rows whose state was refused where the definition expects a number."""
    if not takes_one_ranking(definition):
        return []
    refused = answers.initial.refused & ~expected_values(definition, answers.initial.problem).refused
    names = {probe.name for probe in compress(answers.initial.probes, refused)}
    numbers = [number for number, probe in enumerate(DEGENERATE) if probe.name in names]
    shown = (
        shown_states(definition.metric, definition.axes, Kind("degenerate"), slice(number, number + 1))
        for number in numbers
    )
    return sorted(frozenset[str]().union(*shown))


def _can_be_asked(probe: Probe, function: Function, observation: Observation) -> bool:
    """Return True if a function can be asked a probe of the pool that it was not asked so far."""
    again = not function.cutoff and probe.kind.role == "exhaustive" and probe.k > 1  # equal at every k
    return probe.name not in observation.probes and is_asked(function, probe) and not again


def _cover(differs: Bools) -> list[int]:
    """Return columns such that each row which is true anywhere is true in one of them; earlier columns first."""
    left, chosen = differs[differs.any(axis=1)], list[int]()
    while len(left):
        chosen.append(int(left.sum(axis=0).argmax()))
        left = left[~left[:, chosen[-1]]]
    return chosen
