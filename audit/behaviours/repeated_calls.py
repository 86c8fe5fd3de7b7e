"""The same question again: called several times, after others, in another process; and what came in which shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, isinf, isnan

from audit.behaviours.judges import Judge, lost, moved
from audit.behaviours.readings import Heard, Reading, View
from reports.model.result import Behaviour


def repeated(base: str, scene: str) -> Judge:
    """Whether every call on the same prepared data gives what one call gave; the spread where not."""

    def judge(view: View) -> Behaviour:
        return _all_alike(view, [view.at(base), *view.repeats(scene)])

    return judge


def seeded(probes: Sequence[str]) -> Judge:
    """Whether a process with another hash seed gives the same answers to some probes."""

    def judge(view: View) -> Behaviour:
        said = [_all_alike(view, [view.at(name), view.seeded(name)]) for name in probes]
        telling = [each for each in said if each.name not in ("unchanged", "not_askable")]
        return telling[0] if telling else min(said, key=lambda each: each.name != "unchanged")

    return judge


def _all_alike(view: View, heard: Sequence[Heard]) -> Behaviour:
    first, *others = heard
    for other in others:
        if said := lost(first, other):
            return said
        assert isinstance(first, Reading) and isinstance(other, Reading)
        if not view.same(first, other):
            return Behaviour(name="changes", text=f"{', '.join(map(str, heard))}{_spread(heard)}")
    return Behaviour(name="unchanged") if others else Behaviour(name="not_asked")


def _spread(heard: Sequence[Heard]) -> str:
    numbers = [each.number for each in heard if isinstance(each, Reading) and each.number is not None]
    finite = [number for number in numbers if isfinite(number)]
    return f": a spread of {max(finite) - min(finite):.6g}" if len(finite) > 1 else ""


def other_k(alone: str, after: str, ks: Sequence[int]) -> Judge:
    """Whether the answer at a cut-off is the same when others were asked before on the same prepared data."""

    def judge(view: View) -> Behaviour:
        if not view.has_k:
            return Behaviour(name="not_askable", text="it takes no cut-off")
        said = [_pair(view, view.at(alone, k), view.at(after, k), k) for k in ks]
        telling = [each for each in said if each.name not in ("unchanged", "not_askable")]
        return telling[0] if telling else min(said, key=lambda each: each.name != "unchanged")

    return judge


def _pair(view: View, before: Heard, after: Heard, k: int) -> Behaviour:
    if said := lost(before, after):
        return said
    assert isinstance(before, Reading) and isinstance(after, Reading)
    said = moved(view, before, after)
    return said.model_copy(update={"text": f"k = {k}: {said.text}"}) if said.text else said


def per_user(crowd: str, users: Sequence[int]) -> Judge:
    """Whether every user of a crowd has one value, and nobody else has any."""

    def judge(view: View) -> Behaviour:
        heard = view.at(crowd)
        if said := lost(Reading(0.0, None), heard):
            return said
        assert isinstance(heard, Reading)
        if heard.users is None:
            return Behaviour(name="mean_only")
        strangers, missing = sorted(set(heard.users) - set(users)), sorted(set(users) - set(heard.users))
        if strangers:
            return Behaviour(name="unknown", text=f"users {_listed(strangers)} are not in the input")
        if heard.rows > len(heard.users):
            return Behaviour(name="repeated", text=f"{heard.rows} values for {len(heard.users)} users")
        if missing:
            return Behaviour(name="skipped", text=f"no value for users {_listed(missing)} of {len(users)}")
        return Behaviour(name="complete")

    return judge


def _listed(users: Sequence[int]) -> str:
    return ", ".join(map(str, users))


Bounds = tuple[float, float]


def outlying(bounds: Bounds, answers: Mapping[str, Heard], slack: float) -> Behaviour:
    """Whether every value that was returned is finite and within ``bounds``, up to ``slack``."""
    worst: tuple[str, float] | None = None
    for name, heard in answers.items():
        for number in _numbers(heard):
            if isinf(number):
                return Behaviour(name="infinite", text=f"{number} on {name}")
            beyond = max(bounds[0] - number, number - bounds[1])
            if not isnan(number) and beyond > slack and (worst is None or beyond > _beyond(bounds, worst[1])):
                worst = name, number
    if worst is None:
        return Behaviour(name="within", text=f"{bounds[0]:g} to {bounds[1]:g}")
    return Behaviour(name="outside", text=f"{worst[1]:.6g} on {worst[0]}; it can be {bounds[0]:g} to {bounds[1]:g}")


def _beyond(bounds: Bounds, number: float) -> float:
    return max(bounds[0] - number, number - bounds[1])


def _numbers(heard: Heard) -> list[float]:
    if not isinstance(heard, Reading):
        return []
    return [*([] if heard.mean is None else [heard.mean]), *(heard.users or {}).values()]
