"""The last stages of the search: averaging and edge policies, from probes of several users."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from audit.identification.edge_choices import (
    STAGES,
    AxisChoices,
    averaged_users_choices,
    averaging_choices,
    one_ranking_choices,
    stage_choices,
)
from audit.identification.search_limits import MAX_FOLLOWED, MAX_FOLLOWED_WHEN_STUCK
from audit.observations.candidates import Choices, distinct, widen
from audit.observations.evidence import Evidence, survivors
from audit.observations.fit import Contradicted, Fit, Fitting, Suspended, contradicted
from audit.observations.observation import Tolerance
from audit.observations.user_states import shown_states
from reference.cases import KINDS, Kind
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import takes_one_ranking

MULTI_USER_KINDS = tuple(kind for kind in KINDS if kind.role == "multi_user")
"""All kinds of multi-user probes."""


@dataclass(frozen=True)
class MultiUserEvidence:
    """The evidence that the multi-user stages read.

    Attributes:
        multi_user: Answers to multi-user probes of one kind.
        degenerate: Answers to probes on which all users are in the same unusual state.
        tolerance: Deviations up to which numbers count as equal.
        asked: Number of probes that were asked in all.
    """

    multi_user: Evidence
    degenerate: Evidence
    tolerance: Tolerance
    asked: int

    @property
    def kind(self) -> Kind:
        """The kind of the multi-user probes."""
        return self.multi_user.probes[0].kind


def follow_stages(
    evidence: MultiUserEvidence, candidates: list[Definition], start: int = 0, many: int = MAX_FOLLOWED
) -> Fit:
    """Run the multi-user stages from ``start``; suspend if a stage would create more than ``many`` candidates.

    Args:
        evidence: The answers.
        candidates: The definitions that fit so far, canonical-most first; at least one.
        start: The number of the first stage that is run.
        many: The largest number of candidates that is followed.
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
    if not multi_user.refused[ordinary].any():
        return _follow(evidence, candidates, start, many)
    metric = candidates[0].metric
    if any(shown_states(metric, each.axes, evidence.kind, ordinary) for each in candidates):
        # To such a formula not all of these users are ordinary: it may be an edge that is refused.
        fit = _follow(evidence, candidates, start, many)
        if fit.definitions:
            return fit
    # Ordinary users are refused where there are several: a refusal says nothing of the unusual ones.
    return _follow(replace(evidence, multi_user=multi_user.without_refusals()), candidates, start, many)


def _follow(evidence: MultiUserEvidence, candidates: list[Definition], start: int, many: int) -> Fit:
    worst, suspended_at = 0.0, None
    unidentified = _axes_hidden_by_user_values(evidence.multi_user, candidates[0])
    user_values_only = bool(unidentified)
    average = averaged_users_choices if user_values_only else averaging_choices
    for number, (chosen, axes) in enumerate(STAGES[start:], start):
        step = evidence.multi_user.only(chosen)
        choices = stage_choices(number, candidates[0].metric, evidence.kind, average)
        if suspended_at is None and not step.is_empty and _are_too_many(candidates, choices, many):
            suspended_at = number
        if step.is_empty or suspended_at is not None:
            # Not asked, or left for later: the axes stay canonical, and are reported as unidentified.
            unidentified += tuple(axis for axis in axes if axis in candidates[0].axes and axis not in unidentified)
            continue
        tried = widen(candidates, choices)
        surviving, gap = survivors(tried, step, evidence.tolerance, edges_known=True)
        if not surviving:
            return contradicted("multi_user", step, tried, evidence.tolerance, evidence.asked)
        candidates, worst = surviving, max(worst, gap)
    if suspended_at is None and any(map(takes_one_ranking, candidates)):
        candidates, unknown = _follow_one_ranking(candidates, evidence)
        unidentified += tuple(axis for axis in unknown if axis not in unidentified)
    return Fitting(
        tuple(distinct(candidates, edges_known=suspended_at is None)), worst, evidence.tolerance, evidence.asked,
        unidentified_axes=unidentified, user_values_only=user_values_only,
        suspended=None if suspended_at is None else Suspended(evidence.kind, suspended_at),
    )  # fmt: skip


def _are_too_many(candidates: list[Definition], choices: Choices, many: int) -> bool:
    count = 0
    for each in candidates:
        count += len(choices(each.axes))
        if count > many:
            return True
    return False


def _axes_hidden_by_user_values(multi_user: Evidence, definition: Definition) -> tuple[str, ...]:
    """Return the axes of averaging if users' values are all that was answered: they show only who has a value."""
    if multi_user.measured.any() or not multi_user.by_user.any():
        return ()
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


def resume_stages(fit: Fitting, evidence: MultiUserEvidence) -> Fit:
    """Run the stages at which a fit was suspended, once fewer definitions are left."""
    assert fit.suspended is not None
    return _follow_from(fit, evidence, list(fit.definitions), fit.suspended.step, ())


def force_stages(fit: Fitting, evidence: MultiUserEvidence) -> Fit:
    """Run the stages at which a fit was suspended, although too many definitions are left to try every choice.

    The canonical-most definitions are followed, as many as can be. If none of them fits, all definitions pass the first
    stage as they are, and its axes are reported as unidentified.
    """
    assert fit.suspended is not None
    candidates, start = list(fit.definitions), fit.suspended.step
    few = _as_many_as_can_be(candidates, start, evidence.kind, fit.user_values_only)
    made = follow_stages(evidence, few, start, MAX_FOLLOWED_WHEN_STUCK)
    if isinstance(made, Fitting):
        unidentified = _with_differing_axes(made.unidentified_axes, candidates)
        return replace(made, deviation=max(fit.deviation, made.deviation), unidentified_axes=unidentified)
    chosen, unknown = STAGES[start]
    step = evidence.multi_user.only(chosen).refusals_if_any_expected(candidates)
    surviving, _ = survivors(candidates, step, fit.tolerance, edges_known=True)
    if not surviving:
        failed = contradicted("multi_user", step, candidates, fit.tolerance, fit.cases)
        return replace(failed, unidentified_axes=fit.unidentified_axes)
    return _follow_from(fit, evidence, surviving, start + 1, unknown)


def _follow_from(
    fit: Fitting, evidence: MultiUserEvidence, candidates: list[Definition], start: int, unknown: tuple[str, ...]
) -> Fit:
    """Run the stages from ``start``; add to the unidentified axes those that are ``unknown`` from earlier stages."""
    still_open = {axis for _, axes in STAGES[start:] for axis in axes}
    made = follow_stages(evidence, candidates, start)
    before = (axis for axis in fit.unidentified_axes if axis not in still_open)
    unidentified = dict.fromkeys((*before, *unknown, *made.unidentified_axes))
    acting = tuple(axis for axis in unidentified if axis in candidates[0].axes)
    if isinstance(made, Contradicted):
        return replace(made, unidentified_axes=acting)
    return replace(made, deviation=max(fit.deviation, made.deviation), unidentified_axes=acting)


def _as_many_as_can_be(
    candidates: list[Definition], stage: int, kind: Kind, user_values_only: bool
) -> list[Definition]:
    """Return the first candidates, as many as can be followed from a stage on; at least one."""
    average: AxisChoices = averaged_users_choices if user_values_only else averaging_choices
    choices = stage_choices(stage, candidates[0].metric, kind, average)
    count = np.cumsum([len(choices(each.axes)) for each in candidates])
    return candidates[: max(1, int((count <= MAX_FOLLOWED_WHEN_STUCK).sum()))]


def _with_differing_axes(unidentified: tuple[str, ...], candidates: list[Definition]) -> tuple[str, ...]:
    """Add the axes on which the candidates differ: not all of them were followed."""
    differing = (axis for axis in candidates[0].axes if len({each.axes[axis] for each in candidates}) > 1)
    return (*unidentified, *(axis for axis in differing if axis not in unidentified))
