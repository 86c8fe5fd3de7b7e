"""Experiments on a claimed cause: does moving the named axes alone produce what the library computes?

If it does not, the axes that do are searched on the identified definition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reports.paper.claims import ClaimSubject, Setting
from recsys_metric_audit.reports.paper.published import PAPER_K
from recsys_metric_audit.reports.paper.sample_data import equal_on, mean_on


@dataclass(frozen=True)
class Trial:
    """One change of a definition.

    Attributes:
        change: Each axis that is moved, from which value to which.
        before: Mean before the change.
        after: Mean after the change.
        matters: Whether the two differ.
        suffices: Whether the change leads to the definition that was to be reached.
    """

    change: str
    before: float
    after: float
    matters: bool
    suffices: bool


@dataclass(frozen=True)
class CauseExperiment:
    """The trials on one explanation of the paper.

    Attributes:
        baseline: Signature of the claimed definition without the cause that the paper names.
        computed: Signature of the identified definition; empty without one.
        named: Trials on the baseline: each axis that the paper names alone, then all of them together.
        found: Trials on the identified definition: each axis back to the baseline, where that changes the value.
        confirmed: Whether the named axes together make a difference and give what the library computes; None if
            nothing was identified.
    """

    baseline: str
    computed: str
    named: tuple[Trial, ...]
    found: tuple[Trial, ...]
    confirmed: bool | None


def try_cause(
    subject: ClaimSubject, baseline: dict[str, str], fitting: Sequence[Definition], settings: Sequence[Setting]
) -> CauseExperiment:
    """Return the trials on the cause that the paper names for ``subject``.

    Args:
        subject: The library and metric with the claimed definition.
        baseline: Values of the named axes without the cause.
        fitting: Every definition that fits the library; empty if none was identified.
        settings: The settings in which the claim is judged.
    """
    # A claim about users without a value shows on such users only.
    setting: Setting = "undefined" if "undefined" in settings else "full"
    claimed = subject.claimed
    start = _moved(claimed, baseline)
    axes = {axis: claimed.axes[axis] for axis in baseline}
    together = [axes] if len(axes) > 1 else []
    named = tuple(_trial(start, each, claimed, setting) for each in [*({a: v} for a, v in axes.items()), *together])
    real = fitting[0] if fitting and fitting[0].metric == subject.metric else None
    moves = [] if real is None else [(real, axis) for axis, value in real.values if value != start.axes[axis]]
    found = [_trial(each, {axis: start.axes[axis]}, start, setting) for each, axis in moves]
    confirmed = None
    if fitting:
        computes = all(each.metric == subject.metric and equal_on(each, claimed, setting) for each in fitting)
        confirmed = computes and not equal_on(start, claimed, setting)
    moving = tuple(trial for trial in found if trial.matters)
    return CauseExperiment(start.signature(), real.signature() if real else "", named, moving, confirmed)


def _moved(definition: Definition, to: Mapping[str, str]) -> Definition:
    """Return ``definition`` with axes moved; it gets the paper's cut-off if it has none, since a moved axis may cut."""
    return Definition.of(definition.metric, {**definition.axes, **to}, definition.k or PAPER_K)


def _trial(definition: Definition, to: Mapping[str, str], goal: Definition, setting: Setting) -> Trial:
    moved = _moved(definition, to)
    return Trial(
        change=", ".join(f"{axis} from {definition.axes[axis]} to {becomes}" for axis, becomes in to.items()),
        before=mean_on(definition, setting),
        after=mean_on(moved, setting),
        matters=not equal_on(definition, moved, setting),
        suffices=equal_on(moved, goal, setting),
    )
