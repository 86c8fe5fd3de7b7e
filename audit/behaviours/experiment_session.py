"""The experiments of a run: what is asked beside the probes, and what every function did in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from audit.behaviours.behaviour import Subject, behaviours
from audit.behaviours.readings import Scenes, View
from audit.behaviours.scene_questions import Questions, sorted_out
from audit.behaviours.scenes import ORDINARY
from audit.behaviours.self_audit import SUSPECTED, suspicion
from audit.libraries.function import Function
from audit.observations.fit import Fit
from audit.observations.observation import Observation, tolerance
from audit.process.protocol import Answer, Declined, Errored, Measured, NotOffered, Outcome
from reports.model.result import Behaviour, Finding

_REPEATED = "called three times"


@dataclass(frozen=True, eq=False)
class Experimented:
    """What was heard in the experiments, by function; ``seeded`` in the process of another hash seed."""

    scenes: Mapping[str, Scenes] = field(default_factory=dict)
    seeded: Mapping[str, Mapping[str, Outcome]] = field(default_factory=dict)

    def with_repeats(self, heard: Mapping[str, Observation]) -> dict[str, Observation]:
        """Observations with every repeated answer to a probe: the calls in a row, and those of the other seed."""
        return {name: self._repeated(each) for name, each in heard.items()}

    def _repeated(self, heard: Observation) -> Observation:
        further = {name: (outcome,) for name, outcome in self.seeded.get(heard.function, {}).items()}
        for outcomes in self.scenes.get(heard.function, {}).get(_REPEATED, {}).values():
            further[ORDINARY] = (*further.get(ORDINARY, ()), *outcomes)
        told = {
            name: (*heard.again.get(name, ()), *(each for each in outcomes if isinstance(each, Measured | Errored)))
            for name, outcomes in further.items()
            if name in heard.probes
        }
        return replace(heard, again={**heard.again, **told})


def merged(told: Experimented, answers: Sequence[Answer], about: Mapping[int, str]) -> Experimented:
    """With the scenes of a further conversation."""
    further = sorted_out(answers, about)
    return replace(told, scenes={name: {**own, **further.get(name, {})} for name, own in told.scenes.items()})


def heard_in(asked: Questions, answers: Sequence[Answer], seed: Questions, other: Sequence[Answer]) -> Experimented:
    """Both conversations sorted by function and scene."""
    seeded = {
        function: {probe: next(iter(ks.values()))[0] for probe, ks in probes.items()}
        for function, probes in sorted_out(other, seed.about).items()
    }
    return Experimented(sorted_out(answers, asked.about), seeded)


def moved(functions: Sequence[Function], told: Experimented, heard: Mapping[str, Observation]) -> tuple[Function, ...]:
    """The functions that many changes together moved: which of them did is asked one by one."""
    own = {each.name: heard[each.name] for each in functions if each.name in heard}
    views = {
        name: View(each.probes, told.scenes.get(name, {}), tolerance(each.probes.values()))
        for name, each in own.items()
    }
    return tuple(each for each in functions if each.name in views and views[each.name].moved_together)


def worth_seeding(functions: Sequence[Function], heard: Mapping[str, Observation]) -> tuple[Function, ...]:
    """The functions that gave an answer to an ordinary crowd: only those can give another one elsewhere."""
    return tuple(
        each for each in functions if each.name in heard and isinstance(heard[each.name].probes.get(ORDINARY), Measured)
    )


def subjects(
    functions: Sequence[Function], told: Experimented, found: Mapping[str, tuple[Observation, Fit | None]]
) -> dict[str, Subject]:
    """The functions that the library offers, as experiments look at them."""
    made = {}
    for function in functions:
        own, fit = found.get(function.name, (None, None))
        if own is None or isinstance(own.failure(), Declined) or not_built(function, own):
            continue
        width = fit.tolerance if fit is not None else tolerance(own.probes.values())
        made[function.name] = Subject(
            function, own.probes, told.scenes.get(function.name, {}), width,
            fit.definitions if fit is not None else (), told.seeded.get(function.name, {}),
        )  # fmt: skip
    return made


def not_built(function: Function, heard: Observation) -> str:
    """Why a function that the user of a checkout has to compile cannot be imported; empty where it can."""
    match heard.failure() if function.built else None:
        case NotOffered(why):
            return why
        case Errored("ImportError" | "ModuleNotFoundError", message):
            return message
    return ""


class Judged:
    """What each function of a library did, judged once and told with all its findings."""

    def __init__(self, known: Mapping[str, Subject]) -> None:
        self._known = known
        self._made: dict[str, dict[str, Behaviour]] = {}

    def told_of(self, finding: Finding) -> Finding:
        """A finding with its behaviours and the classes that they add; one without a value as it is."""
        subject = self._known.get(finding.function)
        if subject is None or finding.status != "measured":
            return finding
        if finding.function not in self._made:
            self._made[finding.function] = behaviours(subject, list(self._known.values()))
        found = self._made[finding.function]
        slugs = [each.slug for each in found.values() if each.slug is not None]
        classes = tuple(dict.fromkeys((*finding.classes, *slugs)))
        return finding.model_copy(update={"behaviours": found, "classes": classes})


def refused(known: Mapping[str, Subject]) -> str | None:
    """Why nothing that was heard may be published, or None."""
    words = suspicion(list(known.values()))
    return SUSPECTED + words if words else None
