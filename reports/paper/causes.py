"""What makes the difference? The cause that the paper names, moved alone; and what does it where that does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reference.definitions.definition import Definition
from reports.paper.claims import About, Way
from reports.paper.sample_data import K, same, value


@dataclass(frozen=True)
class Trial:
    """One change: both values, whether they differ, and whether the result is what it is held against."""

    change: str
    """Each axis that is moved, from what to what."""
    before: float
    after: float
    matters: bool
    suffices: bool


@dataclass(frozen=True)
class Cause:
    """The experiments on one explanation.

    ``named`` moves each axis that the paper names, on the baseline, and all of them together; ``found`` moves back, on
    the identified definition, each axis on which that leaves the baseline, where it matters. ``stands``: the named
    axes together give what the library computes, and they matter; ``None`` where nothing was identified.
    """

    baseline: str
    claimed: str
    computed: str
    named: tuple[Trial, ...]
    found: tuple[Trial, ...]
    stands: bool | None


def causes(about: About, baseline: dict[str, str], fitting: Sequence[Definition], ways: Sequence[Way]) -> Cause:
    """Return the experiments on what the paper holds to be the cause; ``fitting`` is all that the library may compute.

    They are made on the paper's way of calling, or with users that are undefined where the claim is about those.
    """
    way: Way = "undefined" if "undefined" in ways else "full"
    claimed = about.claimed
    start = _moved(claimed, baseline)
    axes = {axis: claimed.axes[axis] for axis in baseline}
    together = [axes] if len(axes) > 1 else []
    named = tuple(_trial(start, each, claimed, way) for each in [*({a: v} for a, v in axes.items()), *together])
    real = fitting[0] if fitting and fitting[0].metric == about.metric else None
    back = [] if real is None else [{axis: start.axes[axis]} for axis, v in real.values if v != start.axes[axis]]
    found = () if real is None else tuple(_trial(real, each, start, way) for each in back)
    stands = None
    if fitting:
        computes = all(each.metric == about.metric and same(each, claimed, way) for each in fitting)
        stands = computes and not same(start, claimed, way)
    return Cause(
        start.signature(), claimed.signature(), real.signature() if real else "", named,
        tuple(trial for trial in found if trial.matters), stands,
    )  # fmt: skip


def _moved(definition: Definition, to: Mapping[str, str]) -> Definition:
    """``definition`` with axes moved; a cut-off stands ready for where one begins to act."""
    return Definition.of(definition.metric, {**definition.axes, **to}, definition.k or K)


def _trial(definition: Definition, to: Mapping[str, str], goal: Definition, way: Way) -> Trial:
    moved = _moved(definition, to)
    change = ", ".join(f"{axis} from {definition.axes[axis]} to {becomes}" for axis, becomes in to.items())
    return Trial(
        change, value(definition, way), value(moved, way), not same(definition, moved, way), same(moved, goal, way)
    )
