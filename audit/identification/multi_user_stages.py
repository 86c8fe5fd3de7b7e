"""The last stages of the search: averaging and edge policies, from probes of several users."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from audit.identification.edge_choices import (
    STAGES,
    averaged_users_choices,
    averaging_choices,
    one_ranking_choices,
    stage_choices,
)
from audit.identification.recheck import fitting_beside_open_axes
from audit.identification.search_limits import MAX_FOLLOWED, MAX_FOLLOWED_WHEN_STUCK
from audit.observations.candidates import Choices, distinct, widen
from audit.observations.evidence import Evidence, survivors
from audit.observations.fit import Fit, Fitting, contradicted
from audit.observations.observation import Tolerance
from audit.observations.user_states import shown_states
from reference.cases import Kind
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import takes_one_ranking


@dataclass(frozen=True)
class MultiUserEvidence:
    """The evidence that the multi-user stages read.

    Attributes:
        multi_user: Answers to multi-user probes of one kind.
        degenerate: Answers to probes on which all users are in the same unusual state.
        further: Answers to inputs that were to leave fewer definitions; None if none was asked.
        tolerance: Deviations up to which numbers count as equal.
        asked: Number of probes that were asked in all.
    """

    multi_user: Evidence
    degenerate: Evidence
    further: Evidence | None
    tolerance: Tolerance
    asked: int

    @property
    def kind(self) -> Kind:
        """The kind of the multi-user probes."""
        return self.multi_user.probes[0].kind


def follow_stages(
    evidence: MultiUserEvidence, candidates: list[Definition], *, many: int = MAX_FOLLOWED, forced: bool = False
) -> Fit:
    """Run the multi-user stages on candidates.

    Args:
        evidence: The answers.
        candidates: The definitions that fit so far, canonical-most first; at least one.
        many: The largest number of definitions that a stage may create. Beyond that, the answers to further inputs
            leave fewer; where they do not leave few enough, the search is suspended until more was asked.
        forced: Do not suspend the search, since no further input would leave fewer: follow the canonical-most
            candidates, as many as can be. If none of them fits, all pass that stage as they are, and its axes are
            reported as unidentified.
    """
    multi_user = evidence.multi_user
    if multi_user.is_empty:
        axes = candidates[0].family.all_axes
        unseen = tuple(axis.name for axis in axes if axis.part in ("averaging", "edges"))
        definitions = tuple(distinct(candidates, edges_known=True))
        return Fitting(
            definitions, 0.0, evidence.tolerance, evidence.asked, unidentified_axes=unseen, user_values_only=True
        )
    ordinary = STAGES[0].chosen
    if multi_user.refused[ordinary].any():
        metric = candidates[0].metric
        if any(shown_states(metric, each.axes, evidence.kind, ordinary) for each in candidates):
            # To such a formula not all of these users are ordinary: it may be an edge that is refused.
            fit = _follow(evidence, candidates, many, forced)
            if fit.definitions:
                return fit
        # Ordinary users are refused where there are several: a refusal says nothing of the unusual ones.
        evidence = replace(evidence, multi_user=multi_user.without_refusals())
    return _follow(evidence, candidates, many, forced)


def _follow(evidence: MultiUserEvidence, candidates: list[Definition], many: int, forced: bool, start: int = 0) -> Fit:
    """Run the stages from the number ``start`` on."""
    worst, suspended, tolerance = 0.0, False, evidence.tolerance
    unidentified = axes_hidden_by_user_values(evidence.multi_user, candidates[0])
    user_values_only = bool(unidentified)
    average = averaged_users_choices if user_values_only else averaging_choices
    for number, (chosen, axes) in enumerate(STAGES[start:], start):
        own = tuple(axis for axis in axes if axis in candidates[0].axes and axis not in unidentified)
        step = evidence.multi_user.only(chosen)
        if suspended or step.is_empty:
            # Left for later, or not asked: the axes stay canonical, and are reported as unidentified.
            unidentified += own
            continue
        choices = stage_choices(number, candidates[0].metric, evidence.kind, average)
        if evidence.further is not None and _count(candidates, choices, many) > many:
            open_ = (*unidentified, *(axis for stage in STAGES[number:] for axis in stage.axes))
            fitting = fitting_beside_open_axes(
                candidates, evidence.further, open_, tolerance, per_user=user_values_only
            )
            if not fitting:
                return contradicted("distinguishing input", evidence.further, candidates, tolerance, evidence.asked)
            candidates = fitting
        if _count(candidates, choices, many) <= many:
            tried = widen(candidates, choices)
        elif forced:
            few = _as_many_as_can_be(candidates, choices)
            made = _follow(evidence, few, MAX_FOLLOWED_WHEN_STUCK, forced, number)
            if isinstance(made, Fitting):
                unknown = dict.fromkeys((*unidentified, *made.unidentified_axes, *_differing_axes(candidates)))
                return replace(made, deviation=max(worst, made.deviation), unidentified_axes=tuple(unknown))
            tried, step = candidates, step.refusals_if_any_expected(candidates)
            unidentified += own
        else:
            suspended = True
            unidentified += own
            continue
        surviving, gap = survivors(tried, step, tolerance, edges_known=True)
        if not surviving:
            return contradicted("multi_user", step, tried, tolerance, evidence.asked)
        candidates, worst = surviving, max(worst, gap)
    if not suspended and any(map(takes_one_ranking, candidates)):
        candidates, unknown_edges = _follow_one_ranking(candidates, evidence)
        unidentified += tuple(axis for axis in unknown_edges if axis not in unidentified)
    return Fitting(
        tuple(distinct(candidates, edges_known=not suspended)), worst, tolerance, evidence.asked,
        unidentified_axes=unidentified, user_values_only=user_values_only, suspended=suspended,
    )  # fmt: skip


def _count(candidates: list[Definition], choices: Choices, enough: int) -> int:
    """Count the definitions that the choices make of the candidates, until there are more than ``enough``."""
    count = 0
    for each in candidates:
        count += len(choices(each.axes))
        if count > enough:
            break
    return count


def _as_many_as_can_be(candidates: list[Definition], choices: Choices) -> list[Definition]:
    """Return the first candidates, as many as can be followed where the search is stuck; at least one."""
    count = np.cumsum([len(choices(each.axes)) for each in candidates])
    return candidates[: max(1, int((count <= MAX_FOLLOWED_WHEN_STUCK).sum()))]


def _differing_axes(candidates: list[Definition]) -> tuple[str, ...]:
    """Return the axes on which the candidates differ."""
    return tuple(axis for axis in candidates[0].axes if len({each.axes[axis] for each in candidates}) > 1)


def axes_hidden_by_user_values(multi_user: Evidence, definition: Definition) -> tuple[str, ...]:
    """Return the axes of averaging if users' values are all that was answered: they show only who has a value."""
    if multi_user.measured.any() or not multi_user.by_user.any():
        return ()
    return axes_of_averaging(definition)


def axes_of_averaging(definition: Definition) -> tuple[str, ...]:
    """Return the axes of a definition that say how users' values, or their rows, become one number."""
    names = (*definition.family.across_users, "pooling", "weight", "mean")
    return tuple(axis.name for axis in definition.family.all_axes if axis.name in names)


def _follow_one_ranking(
    candidates: list[Definition], evidence: MultiUserEvidence
) -> tuple[list[Definition], tuple[str, ...]]:
    """Decide the edges of one ranking of all rows, which is in an unusual state only if all users are.

    Where no policy fits an answer (if only rated items count, the ranking may be in yet another state), the edges that
    decide it stay canonical.

    Returns:
        The candidates that fit, and the names of the edges that no policy explained.
    """
    metric, unknown = candidates[0].metric, set[str]()
    for number in range(len(evidence.degenerate.probes)):
        chosen = slice(number, number + 1)
        step = evidence.degenerate.only(chosen)
        if step.is_empty:
            continue
        tried = widen(candidates, one_ranking_choices(number, metric))
        surviving = survivors(tried, step, evidence.tolerance, edges_known=True)[0]
        if not surviving:
            for each in filter(takes_one_ranking, candidates):
                unknown |= shown_states(metric, each.axes, Kind("degenerate"), chosen)
        candidates = surviving or [_canonical_on(each, unknown) for each in candidates]
    return candidates, tuple(axis.name for axis in candidates[0].family.all_axes if axis.name in unknown)


def _canonical_on(definition: Definition, axes: Collection[str]) -> Definition:
    return definition.with_(**{axis: definition.family.canonical[axis] for axis in axes})
