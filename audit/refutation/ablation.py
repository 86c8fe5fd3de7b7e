"""The ablation: which unusual features of a case are responsible for its being mispredicted or refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from recsys_metric_audit.audit.process.protocol import NotAnswered, Outcome
from recsys_metric_audit.audit.refutation.draft import Draft
from recsys_metric_audit.audit.refutation.judgement import Answers
from recsys_metric_audit.audit.refutation.unusual_features import FEATURES, Setting, features_of, without
from recsys_metric_audit.reference.cases import Probe

Result = TypeVar("Result")

Shows = Callable[[Draft, Outcome | None], bool]
"""Tells whether the outcome of a draft shows the fault under search: a wrong prediction, or a refusal."""

_PLAIN = ""
"""Stands for no feature."""


class UnansweredError(Exception):
    """Reports that a case with fewer features has no answer, as in a recording that was not asked it."""


@dataclass(frozen=True)
class Ablated:
    """Holds the least features with which a case still shows the fault, and the case with no other feature.

    Attributes:
        name: The name of the case from which features were removed.
        features: The features; several if it takes them all together. None at all: the plain case shows it.
        draft: The case.
    """

    name: str
    features: frozenset[str]
    draft: Draft


@dataclass(frozen=True)
class Alone:
    """Holds what became of a case with each of its features alone.

    Attributes:
        present: The features that the case has and that may be removed.
        shown: Of the features, those that show the fault by themselves, each with the case that has no other.
        plain: The case without any of the features, if it shows the fault.
    """

    present: tuple[str, ...]
    shown: Mapping[str, Draft]
    plain: Draft | None


Asking = Generator[tuple[Probe, ...], Answers, Result]
"""Yields the probes to ask, is sent their answers, and returns the result."""


def each_alone(draft: Draft, name: str, removable: frozenset[str], setting: Setting, shows: Shows) -> Asking[Alone]:
    """Find the features of a draft that show a fault by themselves; the plain draft is asked as well.

    A feature that needs others is asked with these, after all that need none.

    Args:
        draft: A draft that shows it.
        name: The name of the case.
        removable: The features that may be removed.
        setting: What decides about users in unusual states.
        shows: Whether an outcome shows it.

    Raises:
        UnansweredError: if a case has no answer: another feature than those that show it may be responsible.
    """
    present = tuple(each for each in FEATURES if each in features_of(draft, setting) & removable)
    kept_only = {_PLAIN: without(draft, {*present}, setting)}
    for kept in sorted(present, key=lambda each: len(FEATURES[each].needs)):
        kept_only[kept] = without(draft, {*present} - {kept, *FEATURES[kept].needs}, setting)
    probes = {kept: each.probe(_name(name, {kept} - {_PLAIN})) for kept, each in kept_only.items() if each.users}
    answers = _all_answered(tuple(probes.values()), (yield tuple(probes.values())))
    shown = {kept: kept_only[kept] for kept, asked in probes.items() if shows(kept_only[kept], answers.get(asked.name))}
    plain = shown.pop(_PLAIN, None)
    return Alone(present, shown, plain)


def ablate(draft: Draft, name: str, removable: frozenset[str], setting: Setting, shows: Shows) -> Asking[Ablated]:
    """Find the features of a draft that are responsible.

    The plain draft is asked, and each feature by itself; if none of these shows it, features are removed one after the
    other as long as the rest still shows it. The arguments are those of :func:`each_alone`.
    """
    alone = yield from each_alone(draft, name, removable, setting, shows)
    if alone.plain is not None:
        return Ablated(name, frozenset(), alone.plain)
    if alone.shown:
        feature, found = next(iter(alone.shown.items()))
        return Ablated(name, frozenset({feature}), found)
    return (yield from _together(draft, name, alone.present, setting, shows))


def all_responsible(
    draft: Draft, name: str, removable: frozenset[str], setting: Setting, shows: Shows
) -> Asking[frozenset[str]]:  # fmt: skip
    """Return all features that show a fault by themselves, or else those that do together.

    There is none if the plain draft shows it. The arguments are those of :func:`each_alone`.
    """
    alone = yield from each_alone(draft, name, removable, setting, shows)
    if alone.plain is not None:
        return frozenset()
    if alone.shown:
        return frozenset(alone.shown)
    found = yield from _together(draft, name, alone.present, setting, shows)
    return found.features


def _together(
    draft: Draft, name: str, present: Sequence[str], setting: Setting, shows: Shows
) -> Asking[Ablated]:  # fmt: skip
    """Remove features one after the other as long as the rest still shows the fault."""
    kept = frozenset(present)
    for feature in present:
        smaller = without(draft, {*present} - (kept - {feature}), setting)
        if not smaller.users:
            continue
        probe = smaller.probe(_name(name, kept - {feature}))
        answers = _all_answered((probe,), (yield (probe,)))
        if shows(smaller, answers.get(probe.name)):
            kept -= {feature}
    return Ablated(name, kept, without(draft, {*present} - kept, setting))


def _all_answered(asked: tuple[Probe, ...], answers: Answers) -> Answers:
    """Return the answers if none is missing."""
    if any(isinstance(answers.get(probe.name), NotAnswered | None) for probe in asked):
        raise UnansweredError
    return answers


def _name(name: str, kept: Collection[str]) -> str:
    return f"{name}, {' and '.join(sorted(kept))} only" if kept else f"{name}, plain"
