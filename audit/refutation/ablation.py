"""The ablation: which unusual features of a case are responsible for its being mispredicted or refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from recsys_metric_audit.audit.process.protocol import NotAnswered, Outcome
from recsys_metric_audit.audit.refutation.draft import Draft
from recsys_metric_audit.audit.refutation.judgement import Answers, Asking
from recsys_metric_audit.audit.refutation.unusual_features import FEATURES, Setting, features_of, without
from recsys_metric_audit.reference.cases import Probe

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


def ablate(draft: Draft, name: str, removable: frozenset[str], setting: Setting, shows: Shows) -> Asking[list[Ablated]]:
    """Find the features of a draft that are responsible for a fault: each that shows it by itself, or those together.

    The plain draft is asked, and each feature by itself, one that needs others with these, after all that need none.
    If none of these shows the fault, features are removed one after the other as long as the rest still shows it.

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
    if _PLAIN in shown:
        return [Ablated(name, frozenset(), shown[_PLAIN])]
    if shown:
        return [Ablated(name, frozenset({kept}), found) for kept, found in shown.items()]
    return [(yield from _together(draft, name, present, setting, shows))]


def _together(draft: Draft, name: str, present: Sequence[str], setting: Setting, shows: Shows) -> Asking[Ablated]:
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
