"""Proposes what a function may compute: known definitions that fit its answers, or what is found near them.

A definition that fits is a hypothesis. A local search finds others near the known ones, and near the formulas that give
most answers. Where nothing fits all answers, some are left out, or other metrics are tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from recsys_metric_audit.audit.identification.data_recheck import fitting_data
from recsys_metric_audit.audit.identification.given_answers import has_high_threshold
from recsys_metric_audit.audit.identification.hypotheses.local_search import PATIENCE_WITH_FEW, search_near
from recsys_metric_audit.audit.identification.hypotheses.numbers_in_formulas import formulas_with_numbers
from recsys_metric_audit.audit.identification.hypotheses.pool_answers import (
    PoolAnswers,
    contradicted,
    contradicting_roles,
    fits,
)
from recsys_metric_audit.audit.identification.hypotheses.readings import (
    EVERYTHING,
    Reading,
    coarser_readings,
    lenient_readings,
)
from recsys_metric_audit.audit.identification.hypotheses.rivals import (
    one_axis_away,
    reads_whole_list,
    rivals,
    with_other_edges,
)
from recsys_metric_audit.audit.identification.hypotheses.starting_formulas import Nearest, nearest_formulas
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.candidates import one_of_each
from recsys_metric_audit.audit.observations.evidence import shows_a_formula
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.observations.user_states import undescribed_axes
from recsys_metric_audit.audit.questions.item_cases import reads_items
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.metrics import FAMILIES, ITEM_METRICS, METRICS
from recsys_metric_audit.reference.metrics.ndcg import CUT_GAINS
from recsys_metric_audit.reference.space.averaging import NOBODY
from recsys_metric_audit.reference.space.edges import AXES as EDGES

EDGE_NAMES = frozenset(axis.name for axis in EDGES)
"""The axes that say what becomes of a user in an unusual state."""
_MOST_UNEXPLAINED = 0.25
"""Where no definition explains this share of the answers, the formula is not found: none is left out."""
_HIGH_THRESHOLDS = ("3", "4", "5", "6", "2.5", "3.5", "4.5")
"""The gains of the probes above 2, which most of their relevant items have; whole numbers are tried first."""
_LEAST_SHARE_OF_OTHERS = 0.5
"""A metric that a function does not bear the name of is tried if a formula of it gives this share of the numbers, and
no fewer than the nearest formula of the metric whose name it bears."""
_MOST_OTHERS = 4
"""So many of those that do not give all numbers are tried: where nearly all are alike, every metric is near."""


class Proposal(NamedTuple):
    """Holds the definitions that may be what a function computes, the likeliest first.

    Attributes:
        definitions: The definitions; none contradicts an answer.
        reading: How the answers were read.
        misses_data: None of them fits the data.
        nearest: Without definitions, the one that the fewest answers contradict.
        known: They were known before.
    """

    definitions: tuple[Definition, ...] = ()
    reading: Reading = EVERYTHING
    misses_data: bool = False
    nearest: Definition | None = None
    known: bool = False


NOTHING = Proposal()
"""Proposes nothing."""


def propose_from_few(
    known: Sequence[Sequence[Definition]], function: Function, observation: Observation, data: Problem
) -> Proposal:
    """Propose known definitions that fit the first answers, or else what a local search finds near them.

    Args:
        known: The known definitions in groups: those of the first group of which one fits are proposed.
        function: The function.
        observation: Its answers.
        data: The data.
    """
    answers = EVERYTHING.of(function, observation)
    if answers.are_few:
        return NOTHING
    groups = [_under_contract(group, function) for group in known]
    for group in groups:
        if fitting := _fitting_data(known_that_fit(group, answers), answers, observation, data):
            return Proposal(_ordered(fitting, function, answers), known=True)
    if not shows_a_formula(answers.initial, answers.tolerance):
        return NOTHING  # of a function that gives 0 and 1 nearly everything fits a few answers
    near = search_near(chain(*groups), function, answers, PATIENCE_WITH_FEW).definitions
    return Proposal(_ordered(_fitting_data(near, answers, observation, data), function, answers))


def propose(
    known: Iterable[Definition], function: Function, observation: Observation, data: Problem, *, every_metric: bool,
    before: Definition | None = None,
) -> Proposal:  # fmt: skip
    """Propose what a local search finds near known definitions and near the formulas that give the most answers.

    Where nothing of the metric fits whose name the function bears, answers to some probes are left out, numbers are
    compared to single precision, and other metrics are tried.

    Args:
        known: The known definitions.
        function: The function.
        observation: Its answers to all initial probes.
        data: The data.
        every_metric: Try other metrics.
        before: The nearest definition where nothing fitted fewer answers: what these contradict fits none of more.
    """
    items = reads_items(function)

    def searched(starts: Iterable[Definition], reading: Reading = EVERYTHING) -> Proposal:
        answers = reading.of(function, observation)
        if answers.are_few:
            return NOTHING
        found = search_near(_under_contract(starts, function), function, answers)
        fitting = _fitting_data(found.definitions, answers, observation, data)
        ordered = _ordered(fitting or found.definitions, function, answers)
        return Proposal(ordered, reading, bool(ordered) and not fitting, found.nearest)

    def nearest(metric: str, reading: Reading = EVERYTHING, *, changed: bool = False) -> Nearest:
        tolerance = reading.of(function, observation).tolerance
        return nearest_formulas(metric, function, observation, tolerance, changed=changed)

    def starts(first: Iterable[Definition]) -> Iterator[Definition]:
        formulas, changed = (nearest(function.metric, changed=each).definitions for each in (False, not items))
        yield from (*first, *formulas, *changed)
        # Under another rule of relevance most users may be without relevant items: what they count as hides the rule.
        yield from (each for one in changed for each, edge in with_other_edges(one) if edge == "undefined")

    def wrong_answers(definition: Definition, reading: Reading) -> int:
        return int(contradicted(definition, reading.of(function, observation)).sum())

    def attempts() -> Iterator[Proposal]:
        uncut = {} if function.cutoff or "cutoff" not in FAMILIES[function.metric].canonical else {"cutoff": "none"}
        canonical = Definition.of(function.metric, uncut, "k" if function.cutoff else None)
        # A formula that reads no cut-off is often nearer than the right one under another cut-off.
        near = one_axis_away(canonical, frozenset(function.takes.fixed_values))
        high = _with_high_thresholds(canonical) if has_high_threshold(observation) else ()
        start = (canonical, *near, *high, *known)
        every = EVERYTHING.of(function, observation)
        # Where one of these explains all, the formulas that give most answers need not be looked for.
        fitting = known_that_fit(_under_contract(start, function), every)
        if explaining := [each for each in fitting if not every.unexpected_refusals(each)]:
            yield searched(explaining)
        has_all = (nearest(function.metric, changed=each).share == 1 for each in (False, True))
        settled = before is not None or items or any(has_all)
        if not settled and (solved := formulas_with_numbers(function.metric, function, observation, every.tolerance)):
            yield searched(solved)
        first = searched(starts(start) if before is None else (before,))
        yield first
        if first.nearest is not None and wrong_answers(first.nearest, EVERYTHING) < _MOST_UNEXPLAINED * every.answered:
            wrong = contradicting_roles(first.nearest, every)
            for reading in lenient_readings(function, first.nearest):
                # Around an edge that no policy describes nothing is searched: it has to explain what is left.
                explains = wrong & reading.left_out or (
                    reading.open_edges and fits(first.nearest, reading.of(function, observation))
                )
                if not explains:
                    continue
                lenient = searched([first.nearest], reading)
                if reading.open_edges:
                    yield searched(_closing_edges(lenient, function, observation))
                yield lenient
        for reading in coarser_readings(function, observation):
            if first.nearest and wrong_answers(first.nearest, reading) < wrong_answers(first.nearest, EVERYTHING):
                yield searched((*start, *nearest(function.metric, reading).definitions), reading)
        metrics = ITEM_METRICS if items else METRICS
        others = (nearest(metric) for metric in metrics if every_metric and metric != function.metric)
        least = max(_LEAST_SHARE_OF_OTHERS, nearest(function.metric).share)
        near_others = (searched(each.definitions) for each in _likeliest(others, least))
        # Metrics overlap (hits over k are a hit rate too): the one that differs least from its canonical one is told.
        found = _until_canonical(near_others)
        yield from sorted(found, key=lambda each: len(each.definitions[0].differs_on) if each.definitions else 99)

    made: list[Proposal] = []
    for each in attempts():
        if each.definitions and not each.misses_data:
            return each
        made.append(each)
    return next((each for each in made if each.definitions), made[0])


def _likeliest(every: Iterable[Nearest], least: float) -> Iterator[Nearest]:
    """Yield those that give all numbers as they come, then some that give a share of them, the nearest first."""
    near: list[Nearest] = []
    for each in every:
        if each.share == 1:
            yield each
        elif each.share >= least:
            near.append(each)
    yield from sorted(near, key=lambda each: -each.share)[:_MOST_OTHERS]


def _until_canonical(proposals: Iterable[Proposal]) -> Iterator[Proposal]:
    """Yield proposals up to the first canonical definition that fits everything: none differs less."""
    for each in proposals:
        yield each
        if each.definitions and not each.definitions[0].differs_on and not each.misses_data:
            return


def _with_high_thresholds(canonical: Definition) -> Iterator[Definition]:
    """Yield a definition with constant thresholds of relevance that are above most gains, if it can have any.

    Most users are without relevant items then: each comes with everything that these may count as, too.
    """
    if "relevance" in canonical.axes and canonical.family.axis("relevance").numeric is not None:
        for threshold in _HIGH_THRESHOLDS:
            yield (one := canonical.with_(relevance=threshold))
            yield from (each for each, edge in with_other_edges(one) if edge == "undefined")


def still_fitting(proposal: Proposal, function: Function, observation: Observation, data: Problem) -> Proposal:
    """Return what is left of a proposal after further answers."""
    answers = proposal.reading.of(function, observation)
    left = known_that_fit(proposal.definitions, answers)
    kept = left if proposal.misses_data else _fitting_data(left, answers, observation, data)
    return proposal._replace(definitions=_ordered(kept, function, answers))


def known_that_fit(known: Iterable[Definition], answers: PoolAnswers) -> tuple[Definition, ...]:
    """Return the known definitions that no answer contradicts."""
    return tuple(each for each in known if fits(each, answers))


def _fitting_data(
    definitions: Sequence[Definition], answers: PoolAnswers, observation: Observation, data: Problem
) -> tuple[Definition, ...]:
    """Return the definitions that fit the data as well, be it with ties in no order that can be told."""
    if not definitions:
        return ()
    fit = Fitting(tuple(definitions), 0.0, answers.tolerance, observation.answered)
    if found := fitting_data(fit, observation, data, with_unspecified_ties=False):
        return found
    return fit.definitions if fitting_data(fit, observation, data, with_unspecified_ties=True) else ()


def _ordered(definitions: Iterable[Definition], function: Function, answers: PoolAnswers) -> tuple[Definition, ...]:
    """Return definitions that fit in the order of how likely they are, the likeliest one written shortest.

    Those that expect the refusals come first, then those that say something of every input, then the canonical-most;
    another policy of an edge is less than another value of an axis that acts on every user.
    An order of rows that the adapter decides explains ties only where nothing else does.
    """
    adapters_order = "order" in function.ruled_out and "order" not in function.takes.fixed_values

    def unlikely(each: Definition) -> tuple[int, bool, int, int, bool, tuple[int, ...]]:
        unexpected, by_rows = answers.unexpected_refusals(each), adapters_order and "order" in each.differs_on
        moved = len({*each.differs_on} - EDGE_NAMES)
        return unexpected, by_rows, len(undescribed_axes(each)), moved, cuts_gains(each), each.remoteness

    ordered = one_of_each(sorted(definitions, key=unlikely), function.ruled_out)
    if not ordered or not unlikely(ordered[0])[0]:
        return (*map(shortest, ordered[:1]), *ordered[1:])
    near = rivals(ordered[0], function)
    expecting = [each for each in near if unlikely(each) < unlikely(ordered[0]) and fits(each, answers)]
    return (*sorted(expecting, key=unlikely)[:1], *ordered)


def cuts_gains(definition: Definition) -> bool:
    """Return True if a definition cuts gains to whole numbers: on whole gains it is equal to one that does not."""
    return definition.axes.get("gain") in CUT_GAINS


def _closing_edges(found: Proposal, function: Function, observation: Observation) -> list[Definition]:
    """Return what fits under a reading with an open edge, with each policy of the edge and each choice of users.

    Definitions one axis from the first are among them: an axis may act together with a policy of the edge only.
    """
    answers = found.reading.of(function, observation)
    near = {other: None for each in found.definitions[:1] for other in (each, *one_axis_away(each, frozenset()))}
    return [
        each.with_(**{"users": users, edge: policy})
        for each in known_that_fit(near, answers)
        for edge in found.reading.open_edges
        if {"users", edge} <= each.axes.keys()
        for users in each.family.axis("users").names
        for policy in each.family.axis(edge).names
    ]


def _can_be_tested(definition: Definition, function: Function) -> bool:
    has_cutoff = definition.k is not None or not reads_whole_list(definition)
    if has_cutoff > function.cutoff or "unspecified" in definition.axes.values():
        return False
    return definition.family.refusal(definition.axes) is None


def _under_contract(definitions: Iterable[Definition], function: Function) -> tuple[Definition, ...]:
    """Return definitions that can be tested with the values that the contract fixes, and the canonical rule for nobody.

    That rule is read from the answers when all else is known, but of items that are shown.
    """
    made: dict[Definition, None] = {}
    for each in definitions:
        if not _can_be_tested(each, function):
            continue
        values = {axis: value for axis, value in function.takes.fixed_values.items() if axis in each.axes}
        if each.family.reads == "relevance":
            values[NOBODY.name] = NOBODY.canonical
        made[each.with_(**values)] = None
    return tuple(made)
