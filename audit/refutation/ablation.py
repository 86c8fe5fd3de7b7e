"""The ablation: which unusual features of a case are responsible for its being mispredicted or refused."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from audit.process.protocol import Outcome
from audit.refutation.draft import Draft
from audit.refutation.judgement import Answers
from audit.refutation.unusual_features import FEATURES, Setting, features_of, without
from reference.cases import Probe

Shows = Callable[[Draft, Outcome | None], bool]
"""Tells whether the outcome of a draft shows the fault under search: a wrong prediction, or a refusal."""


@dataclass(frozen=True)
class Ablated:
    """Holds the least features with which a case still shows the fault, and the case with no other feature.

    Attributes:
        features: The features; several if it takes them all together. None at all: the plain case shows it.
        draft: The case.
    """

    features: frozenset[str]
    draft: Draft


Asking = Generator[tuple[Probe, ...], Answers, Ablated]
"""Yields the probes to ask, is sent their answers, and returns the result."""


def ablate(draft: Draft, name: str, removable: frozenset[str], setting: Setting, shows: Shows) -> Asking:
    """Find the features of a draft that are responsible.

    The plain draft is asked, and each feature by itself; if none of these shows it, features are removed one after the
    other as long as the rest still shows it.

    Args:
        draft: A draft that shows it.
        name: The name of the case.
        removable: The features that may be removed.
        setting: What decides about users in unusual states.
        shows: Whether an outcome shows it.
    """
    present = [each for each in FEATURES if each in features_of(draft, setting) & removable]

    def keeping(kept: frozenset[str]) -> Draft:
        return without(draft, frozenset(present) - kept, setting)

    tried = [frozenset[str](), *(frozenset({each}) for each in present)]
    kept_only = {kept: keeping(kept) for kept in tried}
    probes = {kept: each.probe(_name(name, kept)) for kept, each in kept_only.items() if each.users}
    answers = yield tuple(probes.values())
    for kept, probe in probes.items():
        if shows(kept_only[kept], answers.get(probe.name)):
            return Ablated(kept, kept_only[kept])
    kept = frozenset(present)
    for feature in present:
        smaller = keeping(kept - {feature})
        if not smaller.users:
            continue
        probe = smaller.probe(_name(name, kept - {feature}))
        answers = yield (probe,)
        if shows(smaller, answers.get(probe.name)):
            kept -= {feature}
    return Ablated(kept, keeping(kept))


def _name(name: str, kept: frozenset[str]) -> str:
    return f"{name}, {' and '.join(sorted(kept))} only" if kept else f"{name}, plain"
