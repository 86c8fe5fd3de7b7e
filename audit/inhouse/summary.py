"""What an in-house function computes, from what it answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from audit.findings.verdict import Subject, finding
from audit.identification.search import identify
from audit.inhouse.calling import Questions
from audit.libraries.function import Function
from audit.observations.fit import Fit, distinct
from audit.observations.observation import Observation
from audit.process.protocol import Errored, Outcome
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem
from reports.model.result import Finding
from reports.wording.variant_letters import open_cutoff

UNSEEN = (
    "users", "pooling", "weight", "mean", "of", "scope", "over", "undefined", "order", "ties", "tied_scores",
    "truth_duplicates", "counted_scores",
)  # fmt: skip
"""Axes that a call for one user, with a list and a dict, cannot show: they stand at their canonical value."""


@dataclass(frozen=True, eq=False)
class Identified:
    """The finding about a function, the axes it could not be asked about, and the calls it did not answer with a
    number: what was said to how many."""

    finding: Finding
    not_asked: tuple[str, ...]
    refusals: Mapping[str, int]
    one_k: bool = False

    @property
    def signature(self) -> str | None:
        """What it computes; ``@k`` stays open where several were asked."""
        return self._cut(self.finding.signature) if self.finding.signature else None

    @property
    def equivalent(self) -> tuple[str, ...]:
        """Other signatures that fit as well."""
        return tuple(self._cut(each) for each in self.finding.equivalent)

    def _cut(self, signature: str) -> str:
        opened = open_cutoff(signature)
        return opened.replace("@k", f"@{self.finding.k}", 1) if self.one_k else opened

    def as_json(self) -> dict[str, Any]:
        """What programs are told, as JSON values."""
        own = self.finding.model_dump(mode="json")
        kept = ("status", "reason", "verdict", "definition", "differs_on", "classes", "witness", "evidence")
        return {
            "function": self.finding.function, "metric": self.finding.metric, "signature": self.signature,
            **{name: own[name] for name in kept}, "equivalent": list(self.equivalent),
            "not_asked": list(self.not_asked), "refusals": dict(self.refusals),
        }  # fmt: skip


def identified(name: str, metric: str, observation: Observation, asked: Questions, *, frames: bool) -> Identified:
    """What the function of that name computes; ``metric`` is the one whose name it bears."""
    subject = Subject("in-house", "", Function.model_validate({"name": name, "metric": metric}))
    fit = identify(observation, metric)
    unseen = _unseen(fit, metric, frames=frames)
    made = finding(subject, asked.k, observation, _settled(fit, unseen), Problem.of([asked.data], asked.k))
    return Identified(made, unseen, _refusals(observation), asked.one_k)


def _unseen(fit: Fit, metric: str, *, frames: bool) -> tuple[str, ...]:
    """Axes that were not shown, in signature order: of the metric that was found, or else of the one named."""
    names = {*fit.blind, *(() if frames else UNSEEN)}
    family = fit.definitions[0].family if fit.definitions else Definition.of(metric).family
    return tuple(axis.name for axis in family.all_axes if axis.name in names)


def _settled(fit: Fit, unseen: tuple[str, ...]) -> Fit:
    """What fits, with the axes that nothing was heard of at their canonical value."""
    return replace(
        fit, definitions=tuple(distinct(canonical_on(each, unseen) for each in fit.definitions)), blind=unseen
    )


def canonical_on(definition: Definition, axes: tuple[str, ...]) -> Definition:
    """The definition with those axes at their canonical value."""
    canonical = definition.family.canonical
    return definition.with_(**{axis: canonical[axis] for axis in axes if axis in canonical})


def _refusals(observation: Observation) -> dict[str, int]:
    outcomes = (*observation.probes.values(), *observation.data.values())
    return dict(Counter(said for outcome in outcomes if (said := _said(outcome))))


def _said(outcome: Outcome) -> str:
    return f"{outcome.error}: {outcome.message}" if isinstance(outcome, Errored) else ""
