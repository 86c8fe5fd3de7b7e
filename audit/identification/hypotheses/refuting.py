"""Chooses the probes that would refute a hypothesis, and tells what is left where nothing refuted it.

They tell it from its rivals: definitions with another value on one axis. A hypothesis is never believed: where a probe
contradicts it, others are proposed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations, compress
from typing import NamedTuple

import numpy as np

from recsys_metric_audit.audit.identification.data_recheck import keep_what_fits_data
from recsys_metric_audit.audit.identification.diagnosis import refused_features
from recsys_metric_audit.audit.identification.given_answers import needs_all_listed
from recsys_metric_audit.audit.identification.hypotheses.pool_answers import (
    Expected,
    PoolAnswers,
    expected_values,
    fits,
    has_several_users,
    stands_beside,
)
from recsys_metric_audit.audit.identification.hypotheses.proposal import Proposal, cuts_gains
from recsys_metric_audit.audit.identification.hypotheses.rivals import (
    canonical_where_unknown,
    differing_axes,
    inseparable,
    rivals,
)
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.candidates import distinct
from recsys_metric_audit.audit.observations.evidence import evidence_on, largest_deviation
from recsys_metric_audit.audit.observations.fit import Contradicted, Fit, Fitting
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.observations.user_states import shown_states, undescribed_axes
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.audit.questions.case_features import has_all_listed
from recsys_metric_audit.audit.questions.contract_probes import allows_gains_of, is_asked
from recsys_metric_audit.audit.questions.distinguishing import allowed_cases, distinguishing_inputs
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.audit.questions.threshold_cases import with_reached_threshold
from recsys_metric_audit.audit.questions.value_comparison import GAP, differing_cases
from recsys_metric_audit.reference.cases import DEGENERATE, Kind, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.evaluation.evaluate import Problem, takes_one_ranking
from recsys_metric_audit.reference.input.case import Bools
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE


class Refuting(NamedTuple):
    """Holds what is left to be asked about a hypothesis.

    Attributes:
        probes: The probes that would refute it, not asked yet.
        unknown: The axes that no input can be asked about, most of them edges: whatever their value, the answers fit.
        beside: Other formulas that no input which can be asked tells from the hypothesis.
        better: A rival that fits as well and says something of inputs of which the hypothesis says nothing; or one that
            is equal to it on all that can be asked, and plainer.
    """

    probes: tuple[Probe, ...]
    unknown: tuple[str, ...] = ()
    beside: tuple[Definition, ...] = ()
    better: Definition | None = None


class _Test(NamedTuple):
    """Holds a hypothesis under test.

    Attributes:
        hypothesis: The hypothesis.
        function: The function.
        observation: Its answers so far, all of which the hypothesis fits.
        answers: The answers, as they are read.
        hidden: Axes that no answer shows, nor any that the function can give.
        decided: Axes that the contract or the adapter decides, or that are left open: nothing is asked of them.
        can_be_asked: Whether the function can be asked anything more.
    """

    hypothesis: Definition
    function: Function
    observation: Observation
    answers: PoolAnswers
    hidden: tuple[str, ...]
    decided: frozenset[str]
    can_be_asked: bool

    @staticmethod
    def of(proposal: Proposal, function: Function, observation: Observation, *, can_be_asked: bool) -> _Test:
        """Begin the test of the first definition of a proposal."""
        answers = proposal.reading.of(function, observation)
        hidden = answers.hidden_axes(proposal.definitions[0])
        decided = frozenset({*function.ruled_out, *proposal.reading.open_axes})
        test = _Test(proposal.definitions[0], function, observation, answers, hidden, decided, can_be_asked)
        several = test.can_be_put() & has_several_users(answers.initial.problem)
        # Where users' values came without a mean, averaging stays hidden; else several users were not asked so far.
        return test._replace(hidden=()) if several.any() and not answers.initial.by_user.any() else test

    def can_be_put(self) -> Bools:
        """Return a mask of the probes of the pool that the function can be asked and was not asked so far."""
        probes = self.answers.initial.probes
        return np.array([self.can_be_asked and _can_be_asked(each, self.function, self.observation) for each in probes])

    def differing(self, one: Definition, other: Definition) -> Bools:
        """Return a mask of the generated cases on which two definitions differ."""
        if one.axes.get("relevance") == other.axes.get("relevance"):
            # A threshold that no gain reaches would hide that they differ.
            one, other = with_reached_threshold(one), with_reached_threshold(other)
        whole = self.function.takes.whole_gains_only
        return differing_cases((one, other), per_user=bool(self.hidden), whole_gains=whole)

    def equal(self, one: Definition, other: Definition) -> bool:
        """Return True if two definitions are equal on all generated cases; beyond accuracy, on all inputs."""
        if reads_items(self.function):
            return are_equal(one, other)
        return not self.differing(one, other).any()

    def is_shown(self, rival: Definition) -> bool:
        """Return False for a rival that differs through what the contract or the adapter decides.

        One that is the same formula is told only if it differs on an input that the contract allows. Where nothing
        more is asked, a rival is told only if it differs where a single thing is unusual.
        """
        hypothesis, ruled_out = self.hypothesis, self.function.ruled_out
        axes = differing_axes(rival, hypothesis)
        if moved := ruled_out.keys() & axes:
            beside = rival.with_(**{axis: hypothesis.axes[axis] for axis in moved})
            return not self.equal(hypothesis, beside) and fits(beside, self.answers)
        if reads_items(self.function):
            return True
        of_formula = {axis.name for axis in hypothesis.family.all_axes if axis.part == "formula"}
        barred: Collection[str] = ()
        if not axes & of_formula and rival.metric == hypothesis.metric:
            barred = ruled_out.keys() - {"unlisted"}  # in any data a user may be without a list
        shown = self.differing(hypothesis, rival) & allowed_cases(barred)
        return bool(shown.any() if self.can_be_asked else (shown & generated_cases.pool().with_one_feature).any())


def refuting_probes(
    proposal: Proposal, function: Function, observation: Observation, *, can_be_asked: bool = True, last: bool = False
) -> Refuting:
    """Choose the probes that would refute a hypothesis: each rival gives another value on one of them at least.

    Args:
        proposal: The hypothesis, which fits all answers so far, before other definitions that do.
        function: The function.
        observation: Its answers so far.
        can_be_asked: Whether the function can be asked anything more.
        last: Nothing more is asked, though it could be: what it would tell is not known.
    """
    test = _Test.of(proposal, function, observation, can_be_asked=can_be_asked)
    every = _rivals_left(test, proposal)
    probes, left = ((), every) if last else _probes_of_pool(test, every)
    if not last and (better := _better(test, left)):
        return Refuting(probes, better=better)
    left = [each for each in left if not test.equal(test.hypothesis, each) and test.is_shown(each)]
    if not left:
        return Refuting(probes)
    if not last and (further := _generated_probes(test, left)):
        return Refuting((*probes, *further))
    return Refuting(probes, *inseparable(test.hypothesis, left, function.ruled_out, test.equal))


def _rivals_left(test: _Test, proposal: Proposal) -> list[Definition]:
    """Return the rivals that the answers do not tell from the hypothesis: others that are proposed, and those near it.

    One that says less can never be refuted, and is none.
    """
    silent, hypothesis = undescribed_axes(test.hypothesis), test.hypothesis
    proposed = (
        each
        for each in proposal.definitions[1:]
        if undescribed_axes(each) <= silent and not test.decided & differing_axes(each, hypothesis)
    )
    near = rivals(hypothesis, test.function, {*test.hidden, *proposal.reading.open_axes})
    return [each for each in (*proposed, *near) if stands_beside(each, hypothesis, test.answers)]


def _probes_of_pool(test: _Test, rivals_left: list[Definition]) -> tuple[tuple[Probe, ...], list[Definition]]:
    """Return the fewest probes of the pool that tell rivals from the hypothesis, and the rivals that none of it tells.

    Rivals that say something where the hypothesis says nothing are told from each other, too: one of them at most is
    left. A long run of ties is among the probes; of one ranking of all rows, also probes of which all users are in one
    unusual state.
    """
    asked, problem = test.answers.initial.probes, test.answers.initial.problem
    allowed, width = test.can_be_put(), max(GAP, 4 * test.answers.tolerance.width)
    own, made = expected_values(test.hypothesis, problem), [expected_values(each, problem) for each in rivals_left]
    silent = undescribed_axes(test.hypothesis)
    more = [expected for each, expected in zip(rivals_left, made, strict=True) if silent - undescribed_axes(each)]

    def apart(pairs: Iterable[tuple[Expected, Expected]]) -> Bools:
        masks = [one.differs(other, width) & allowed for one, other in pairs]
        return np.array(masks, dtype=np.bool_).reshape(-1, len(allowed))

    differs = apart((own, each) for each in made)
    chosen = [asked[number] for number in cover(np.concatenate([differs, apart(combinations(more, 2))]))]
    if test.can_be_asked and not reads_items(test.function):
        chosen += _run_of_ties(test.hypothesis, test.function, test.observation)
    if test.can_be_asked and takes_one_ranking(test.hypothesis):
        chosen += (probe for probe in DEGENERATE if _can_be_asked(probe, test.function, test.observation))
    together = [each for each, row in zip(rivals_left, differs, strict=True) if not row.any()]
    return tuple({probe.name: probe for probe in chosen}.values()), together


def _better(test: _Test, rivals_left: list[Definition]) -> Definition | None:
    """Return a rival that says something where the hypothesis says nothing, or an equal one that changes fewer axes."""
    hypothesis, silent = test.hypothesis, undescribed_axes(test.hypothesis)
    if says_more := next((each for each in rivals_left if silent - undescribed_axes(each)), None):
        return says_more
    # Of two values on the same axes neither is plainer: what was found first is told.
    moved_otherwise = (each for each in rivals_left if each.differs_on != hypothesis.differs_on)
    plainer = (each for each in moved_otherwise if each.remoteness < hypothesis.remoteness)
    # What is equal on every input is the hypothesis in other words, which are chosen when it is told.
    equal = (each for each in plainer if test.equal(hypothesis, each) and not are_equal(hypothesis, each))
    plainest = min(equal, key=lambda each: each.remoteness, default=hypothesis)
    moved = test.decided & differing_axes(plainest, hypothesis)
    return plainest if plainest != hypothesis and not moved else None


def _generated_probes(test: _Test, rivals_left: list[Definition]) -> tuple[Probe, ...]:
    """Return generated inputs that tell rivals from the hypothesis, without features that the function refused."""
    if not test.can_be_asked or reads_items(test.function):
        return ()
    observation, refused = test.observation, refused_features(test.observation)
    listed = needs_all_listed(observation)
    # One that refuses only some lists with a relevant item outside may answer the input that tells most.
    some = evidence_on(observation, Kind("multi_user", "usual")).answered > 0
    for all_listed in (True, False) if listed and some else (listed,):
        chosen = distinguishing_inputs(
            (test.hypothesis, *rivals_left), frozenset(observation.probes), per_user=bool(test.hidden),
            all_listed=all_listed, ruled_out=test.function.ruled_out,
            whole_gains=test.function.takes.whole_gains_only, refused=refused,
        )  # fmt: skip
        if allowed := tuple(probe for probe in chosen if refused.isdisjoint(generated_cases.features_of(probe))):
            return allowed
    return ()


def _run_of_ties(hypothesis: Definition, function: Function, observation: Observation) -> tuple[Probe, ...]:
    """Return an input with a long run of ties, if none was asked: some sorts keep a rule for short runs only."""
    ties = hypothesis.axes.get("ties", "other")
    if ties in (*WITHOUT_RULE, "average") or {"ties", "order"} & function.ruled_out.keys():
        return ()
    listed, pool = needs_all_listed(observation), generated_cases.pool()
    runs = [
        probe
        for probe, features in zip(pool.probes, pool.features, strict=True)
        if features == {"long lists", "ties"} and (has_all_listed(probe) or not listed)
    ]
    allowed = [each for each in runs if allows_gains_of(function, each)][:1]
    return tuple(each for each in allowed if each.name not in observation.probes)


def fit_of(proposal: Proposal, left: Refuting, function: Function, observation: Observation, data: Problem) -> Fit:
    """Return the fit of a function whose hypothesis nothing refuted; no rival is left but those in `left`.

    Where all answers are one number, which many definitions give, none is told.
    """
    answers = proposal.reading.of(function, observation)
    if answers.are_one_number:
        return Contradicted("formula", answers.tolerance, observation.answered)
    unknown = (*left.unknown, *proposal.reading.open_axes)
    made = (_canonical_where_it_fits(each, unknown, answers) for each in (proposal.definitions[0], *left.beside))
    definitions = tuple(distinct(sorted(made, key=cuts_gains)))
    gaps = [largest_deviation(definitions[0], each, answers.tolerance) for each in answers.parts]
    hidden = answers.hidden_axes(definitions[0])
    possible = definitions[0].axes.keys() - function.ruled_out.keys()
    acting = [axis for axis in proposal.reading.open_axes if axis in possible]
    acting += _edges_refused(definitions[0], answers)
    unknown = tuple(dict.fromkeys((*hidden, *left.unknown, *acting)))
    fit = Fitting(
        definitions, max(gaps), answers.tolerance, observation.answered,
        unidentified_axes=unknown, user_values_only=bool(hidden), hypothesis=proposal.definitions[0],
    )  # fmt: skip
    return keep_what_fits_data(fit, observation, data)


def _canonical_where_it_fits(definition: Definition, unknown: Collection[str], answers: PoolAnswers) -> Definition:
    """Return a definition that is canonical on each unknown axis whose canonical value no answer refutes."""
    whole = canonical_where_unknown(definition, unknown)
    if fits(whole, answers):
        return whole
    return canonical_where_unknown(
        definition, [axis for axis in unknown if fits(canonical_where_unknown(definition, [axis]), answers)]
    )


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


def cover(differs: Bools) -> list[int]:
    """Return columns such that each row which is true anywhere is true in one of them; earlier columns first."""
    left, chosen = differs[differs.any(axis=1)], list[int]()
    while len(left):
        chosen.append(int(left.sum(axis=0).argmax()))
        left = left[~left[:, chosen[-1]]]
    return chosen
