"""Tells whether one library gives another's scores: by the definitions that an audit found, level by level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from recsys_metric_audit.reference.space.levels import LEVELS, Level, level_of
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.labels import joined, metric_title
from recsys_metric_audit.reports.wording.meanings import formula, meaning

_WORDS: dict[Level, str] = {
    "formula": "the formula",
    "who_counts": "who counts",
    "input": "the handling of unusual rows",
}


@dataclass(frozen=True)
class Pair:
    """Holds one function of a library and the function of the other that comes nearest to it.

    Attributes:
        own: The finding of the function.
        other: The other library's finding.
        differs: The axes on which both are known and differ, by level, each as ``axis:own/other``.
    """

    own: Finding
    other: Finding
    differs: dict[Level, tuple[str, ...]]

    @property
    def agrees_to(self) -> int:
        """Count the levels, from the first, on which nothing differs."""
        return next((place for place, level in enumerate(LEVELS) if self.differs[level]), len(LEVELS))


def nearest_pair(own: Finding, others: Sequence[Finding]) -> Pair | None:
    """Return the pair of ``own`` with the function of its metric that differs latest and least; None without one."""
    pairs = [Pair(own, other, _differences(own, other)) for other in others if other.metric == own.metric]
    return max(pairs, key=lambda pair: (pair.agrees_to, -sum(map(len, pair.differs.values()))), default=None)


def _differences(own: Finding, other: Finding) -> dict[Level, tuple[str, ...]]:
    both = {axis: (value, other.definition[axis]) for axis, value in own.definition.items() if axis in other.definition}
    differs = {axis: pair for axis, pair in both.items() if pair[0] != pair[1]}
    found = {level: _of_level(differs, level) for level in LEVELS}
    if formula(own) == formula(other):
        found["formula"] = ()  # axes can differ where another value makes them idle
    return found


def _of_level(differs: dict[str, tuple[str, str]], level: Level) -> tuple[str, ...]:
    return tuple(f"{axis}:{own}/{other}" for axis, (own, other) in differs.items() if level_of(axis) == level)


class LibraryAgreement(ClaimExperiment):
    """Holds every function of one library against the nearest of another; the claim is that it gives its scores.

    All functions with a counterpart agree on every level: "yes"; in every formula, but not with unusual users or rows:
    "yes, but"; in some formulas: "in part". Of each library the version that the run names first counts.
    """

    kind: Literal["library_agreement"]
    first: str
    second: str

    def needs(self, result: Result) -> Iterable[Finding]:
        """Yield the findings of both libraries."""
        for library in (self.first, self.second):
            yield from _identified(library, result)

    def _measure(self, bench: Bench) -> Outcome:
        findings = {library: _identified(library, bench.result) for library in (self.first, self.second)}
        if missing := [library for library, found in findings.items() if not found]:
            verb = "is" if len(missing) == 1 else "are"
            return Outcome(Answer.unknown, f"{joined(missing)} {verb} not in this audit")
        made = (nearest_pair(each, findings[self.second]) for each in findings[self.first])
        pairs = [pair for pair in made if pair is not None]
        if not pairs:
            return Outcome(Answer.unknown, f"{self.first} and {self.second} have no metric in common")
        same = [pair for pair in pairs if pair.agrees_to > 0]
        whole = [pair for pair in pairs if pair.agrees_to == len(LEVELS)]
        reason = f"{len(same)} of {len(pairs)} formulas are the same{_others(pairs, 'formula')}"
        for level in LEVELS[1:]:
            reason += f"; {_WORDS[level]} is the same in {sum(not pair.differs[level] for pair in same)} of these"
            reason += _axes(same, level)
        answer = Answer.no if not same else Answer.in_part if len(same) < len(pairs) else Answer.yes_but
        return Outcome(Answer.yes if len(whole) == len(pairs) else answer, reason, tuple(map(_line, pairs)))


def _identified(library: str, result: Result) -> list[Finding]:
    version = next((e.version for e in result.libraries if (e.library, e.status) == (library, "audited")), None)
    return [each for each in result.findings if (each.library, each.version) == (library, version) and meaning(each)]


def _others(pairs: Sequence[Pair], level: Level) -> str:
    names = dict.fromkeys(metric_title(pair.own.metric) for pair in pairs if pair.differs[level])
    return f" (not {joined(list(names))})" if names else ""


def _axes(pairs: Sequence[Pair], level: Level) -> str:
    axes = dict.fromkeys(each for pair in pairs for each in pair.differs[level])
    return f" ({', '.join(axes)})" if axes else ""


def _line(pair: Pair) -> str:
    differs = [f"{_WORDS[level]} {', '.join(axes)}" for level, axes in pair.differs.items() if axes]
    outcome = f"differs on {'; '.join(differs)}" if differs else "the same on every level"
    return f"{one_line(pair.own.function)} and {one_line(pair.other.function)}: {outcome}"
