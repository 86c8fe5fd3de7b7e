"""The asks of the experiments: one a scene, after everything else; and a few probes for a process of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from audit.behaviours.scenes import APART, SCENES, SEEDED, Scene
from audit.libraries.function import Function
from audit.process.protocol import Answer, Ask, Outcome
from reference.cases import PROBES
from reference.input.case import Case

OTHER_SEED = 1
"""The hash seed of the second process; the first one's is 0."""


@dataclass(frozen=True, eq=False)
class Questions:
    """Asks in order, the cases they name, and the scene or probe behind each."""

    asks: tuple[Ask, ...]
    cases: Mapping[str, Case]
    about: Mapping[int, str]


def questions(functions: Sequence[Function], first: int) -> Questions:
    """Every scene, for every function; ids of asks begin at ``first``. Scenes at several k are for those with one."""
    return _scenes(SCENES, functions, first)


def alone(functions: Sequence[Function]) -> Questions:
    """Each change by itself, for functions that many changes together moved."""
    return _scenes(APART, functions, 0)


def _scenes(scenes: Sequence[Scene], functions: Sequence[Function], first: int) -> Questions:
    asks: list[Ask] = []
    cases: dict[str, Case] = {}
    about: dict[int, str] = {}
    names = {case: f"x{number:03}" for number, case in enumerate(dict.fromkeys(scene.case.name for scene in scenes))}
    for scene in scenes:
        place = names[scene.case.name]
        cases[place] = scene.case
        for chosen, ks in _groups(functions, scene.ks):
            about[first + len(asks)] = scene.name
            asks.append(Ask(first + len(asks), place, chosen, ks, scene.repeat, scene.fresh))
    return Questions(tuple(asks), cases, about)


def again(functions: Sequence[Function]) -> Questions:
    """The probes that are asked under another hash seed."""
    asks: list[Ask] = []
    cases: dict[str, Case] = {}
    about: dict[int, str] = {}
    for number, probe in enumerate(probe for probe in PROBES if probe.name in SEEDED):
        place = f"p{number:03}"
        cases[place] = probe.case
        for chosen, ks in _groups(functions, (probe.k,)):
            about[len(asks)] = probe.name
            asks.append(Ask(len(asks), place, chosen, ks))
    return Questions(tuple(asks), cases, about)


def _groups(functions: Sequence[Function], ks: tuple[int, ...]) -> list[tuple[tuple[str, ...], tuple[int | None, ...]]]:
    with_k = tuple(function.name for function in functions if function.cutoff)
    without = tuple(function.name for function in functions if not function.cutoff)
    groups: list[tuple[tuple[str, ...], tuple[int | None, ...]]] = [(with_k, ks)] if with_k else []
    return [*groups, (without, (None,))] if without and len(ks) == 1 else groups


def sorted_out(
    answers: Iterable[Answer], about: Mapping[int, str]
) -> dict[str, dict[str, dict[int | None, tuple[Outcome, ...]]]]:
    """Answers by function, scene and cut-off: one outcome a repetition."""
    made: dict[str, dict[str, dict[int | None, tuple[Outcome, ...]]]] = {}
    for answer in answers:
        if answer.ask in about:
            asked = made.setdefault(answer.function, {}).setdefault(about[answer.ask], {})
            asked[answer.k] = (*asked.get(answer.k, ()), answer.outcome)
    return made
