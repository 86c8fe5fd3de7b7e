"""The behaviours of one function: every experiment judged, with its class where a failed invariance needs one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from audit.behaviours.experiments import RANGE, ROUTE, TRIALS, Trial
from audit.behaviours.predicted import REPEATING, bounds, canonical_stays, explained
from audit.behaviours.readings import Reading, Scenes, View, reading
from audit.behaviours.repeated_calls import outlying
from audit.libraries.function import Function
from audit.observations.observation import Tolerance
from audit.process.protocol import Measured, Outcome
from reference.definitions.definition import Definition
from reports.model.result import Behaviour

_FAILED = frozenset({"changes", "nan", "raises", "crashes", "times_out"})


@dataclass(frozen=True, eq=False)
class Subject:
    """A function with all that was heard of it, and what fits."""

    function: Function
    probes: Mapping[str, Outcome]
    scenes: Scenes
    tolerance: Tolerance
    definitions: Sequence[Definition] = ()
    other_seed: Mapping[str, Outcome] = field(default_factory=dict)

    @property
    def view(self) -> View:
        """Its answers as experiments read them."""
        return View(self.probes, self.scenes, self.tolerance, self.function.cutoff, self.other_seed)


def behaviours(subject: Subject, siblings: Sequence[Subject] = ()) -> dict[str, Behaviour]:
    """What the function did in every experiment; ``siblings`` are the library's other functions."""
    view = subject.view
    told = {trial.name: _judged(trial, subject, view) for trial in TRIALS}
    told[RANGE.name] = _range(subject)
    told[ROUTE.name] = second_route(subject, siblings)
    return told


def _judged(trial: Trial, subject: Subject, view: View) -> Behaviour:
    said = trial.judge(view)
    if trial.slug is None or said.name not in _FAILED or not _wrong(trial, subject, view):
        return said
    return said.model_copy(update={"slug": trial.slug})


def _wrong(trial: Trial, subject: Subject, view: View) -> bool:
    """Whether a right metric would have stayed, and no axis of what fits says this already."""
    if trial.pair is None:
        return True
    own = subject.function
    if not canonical_stays(own.metric, trial.pair, has_k=own.cutoff):
        return False
    return not explained(subject.definitions, trial.pair, view)


def _range(subject: Subject) -> Behaviour:
    heard = {name: reading(outcome) for name, outcome in subject.probes.items() if name not in REPEATING}
    heard |= {scene: subject.view.at(scene) for scene in subject.scenes}
    if not any(isinstance(each, Reading) for each in heard.values()):
        return Behaviour(name="not_asked")
    return outlying(bounds(subject.function.metric), heard, max(subject.tolerance.width, 1e-6))


def second_route(subject: Subject, siblings: Sequence[Subject]) -> Behaviour:
    """Whether another function of this metric gave the same answers wherever both gave a number."""
    own = subject.function
    routes = [
        each
        for each in siblings
        if each.function.metric == own.metric and each.function.cutoff == own.cutoff and each.function.name != own.name
    ]
    if not routes:
        return Behaviour(name="not_askable", text="there is none")
    names = tuple(subject.probes)
    mine = _numbers(subject.probes, names)
    best: tuple[int, int, str] | None = None
    for route in routes:
        other = _numbers(route.probes, names)
        both = np.isfinite(mine) & np.isfinite(other)
        wrong = int((both & ~subject.tolerance.close(mine, other)).sum())
        if both.any() and (best is None or wrong < best[0]):
            best = wrong, int(both.sum()), route.function.name
    if best is None:
        return Behaviour(name="not_askable", text="no other one answers the same cases")
    wrong, asked, name = best
    if not wrong:
        return Behaviour(name="agrees", text=f"{name}, on {asked} cases")
    return Behaviour(name="differs", text=f"nearest is {name}, other on {wrong} of {asked} cases")


def _numbers(probes: Mapping[str, Outcome], names: Sequence[str]) -> NDArray[np.float64]:
    out = np.full(len(names), np.nan)
    for column, name in enumerate(names):
        outcome = probes.get(name)
        heard = reading(outcome) if isinstance(outcome, Measured) else None
        if isinstance(heard, Reading) and heard.number is not None:
            out[column] = heard.number
    return out
