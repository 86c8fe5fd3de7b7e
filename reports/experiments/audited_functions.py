"""Experiments that read an audit: how far functions of one name differ, which libraries agree, what no text says."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Literal

from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.projection import up_to
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.space.levels import LEVELS, Level, level_of
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, DataMissingError, Outcome
from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_contrast, formula_words
from recsys_metric_audit.reports.wording.labels import joined, metric_title
from recsys_metric_audit.reports.wording.meanings import formula, meaning

_CLOSE = 1e-9
_LEVEL_WORDS: dict[Level, str] = {
    "formula": "by the formulas alone",
    "who_counts": "with who counts",
    "input": "with the handling of unusual rows",
}


class FunctionName(FrozenModel):
    """Names one function of one library version."""

    library: str
    version: str
    function: re.Pattern[str]
    """Regular expression; the first function that it finds is meant."""

    def find(self, result: Result) -> Finding:
        """Return the finding; raise :class:`DataMissingError` if the audit identified no definition of it."""
        for finding in result.findings:
            named = (finding.library, finding.version) == (self.library, self.version)
            if named and meaning(finding) and self.function.search(finding.function):
                return finding
        raise DataMissingError(f"{self.library} {self.version} is not identified in this audit")


@dataclass(frozen=True)
class Gap:
    """Holds the values of two definitions on one case at one cut-off, up to each level.

    Attributes:
        where: The data, the recommender and the cut-off, in words.
        values: For each level the first and the second value.
    """

    where: str
    values: dict[Level, tuple[float, float]]

    def percent(self, level: Level) -> float:
        """Return by how many percent the first value is above the second, up to ``level``."""
        first, second = self.values[level]
        return 100 * (first / second - 1)


def gap_on(first: Definition, second: Definition, problem: Problem, k: int, where: str) -> Gap:
    """Return the gap between two definitions on a problem."""

    def value(definition: Definition, level: Level) -> float:
        return float(evaluate(up_to(definition.with_(k=k), level), problem.at(k)).mean[0])

    return Gap(where, {level: (value(first, level), value(second, level)) for level in LEVELS})


class FunctionGap(ClaimExperiment):
    """Holds two functions of one name against each other on the same predictions; ``shows`` is what the claim says.

    ``differ``: they compute different formulas. ``explains``: the definitions make the quoted gap; where they make a
    part of it, the answer is "in part", and where they pull the other way, "no".
    """

    kind: Literal["function_gap"]
    shows: Literal["differ", "explains"]
    first: FunctionName
    second: FunctionName
    datasets: Annotated[tuple[str, ...], Field(min_length=1)]
    recommenders: Annotated[tuple[str, ...], Field(min_length=1)]
    cutoffs: Annotated[tuple[int, ...], Field(min_length=1)]
    percent: float = 0.0
    """By how many percent the first is above the second, as the paper says."""

    def needs(self, result: Result) -> Iterable[Finding]:
        """Yield the findings of both functions, if the audit has them."""
        for name in (self.first, self.second):
            with suppress(DataMissingError):
                yield name.find(result)

    def _measure(self, bench: Bench) -> Outcome:
        found = self.first.find(bench.result), self.second.find(bench.result)
        first, second = (parse(meaning(each)) for each in found)
        gaps = []
        for dataset, name in product(self.datasets, self.recommenders):
            problem = Problem.of([bench.data(dataset, name)], self.cutoffs[0])
            gaps += [gap_on(first, second, problem, k, f"{name} on {dataset} at k = {k}") for k in self.cutoffs]
        names = [f"{one_line(each.library)} {each.version}" for each in found]
        lines = (
            *(f"{name}: {one_line(each.function)} is {meaning(each)}" for name, each in zip(names, found, strict=True)),
            *(_gap_line(each, names) for each in gaps),
        )
        return self._differ(found, names, gaps, lines) if self.shows == "differ" else self._explains(gaps, lines)

    def _differ(
        self, found: tuple[Finding, Finding], names: list[str], gaps: list[Gap], lines: tuple[str, ...]
    ) -> Outcome:
        if formula(found[0]) == formula(found[1]):
            return Outcome(Answer.no, f"both compute {formula(found[0])}", lines)
        words = [formula_contrast(each.metric, formula(each)) or "the canonical formula" for each in found]
        reason = "; ".join(f"{name}: {each}" for name, each in zip(names, words, strict=True))
        moved = any(abs(first - second) > _CLOSE for gap in gaps for first, second in [gap.values["formula"]])
        return Outcome(
            Answer.yes if moved else Answer.yes_but, reason + ("" if moved else "; equal on this data"), lines
        )

    def _explains(self, gaps: list[Gap], lines: tuple[str, ...]) -> Outcome:
        percents = [gap.percent("formula") for gap in gaps]
        low, high = min(percents), max(percents)
        span = f"{low:+.1f} %" if f"{low:+.1f}" == f"{high:+.1f}" else f"{low:+.1f} to {high:+.1f} %"
        reason = f"on the same predictions the definitions alone make {span} of the quoted {self.percent:+g} %"
        if high <= 0:
            return Outcome(Answer.no, reason, lines)
        return Outcome(Answer.yes if low >= self.percent else Answer.in_part, reason, lines)


def _gap_line(gap: Gap, names: list[str]) -> str:
    """Return the values of both up to each level; a level that changes none is not told."""
    told: dict[tuple[float, float], str] = {}
    for level in LEVELS:
        told.setdefault(gap.values[level], f"{_LEVEL_WORDS[level]} ({gap.percent(level):+.1f} %)")
    parts = [f"{first:.4f} and {second:.4f} {words}" for (first, second), words in told.items()]
    return f"{' and '.join(names)} for {gap.where}: {'; '.join(parts)}"


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
        others = dict.fromkeys(metric_title(pair.own.metric) for pair in pairs if pair.differs["formula"])
        reason = f"{len(same)} of {len(pairs)} formulas are the same"
        reason += f" (not {joined(list(others))})" if others else ""
        for level in LEVELS[1:]:
            reason += f"; {_WORDS[level]} is the same in {sum(not pair.differs[level] for pair in same)} of these"
            reason += _bracketed(dict.fromkeys(each for pair in same for each in pair.differs[level]))
        answer = Answer.no if not same else Answer.in_part if len(same) < len(pairs) else Answer.yes_but
        return Outcome(Answer.yes if len(whole) == len(pairs) else answer, reason, tuple(map(_pair_line, pairs)))


def _audited(library: str, result: Result) -> Library | None:
    return next((each for each in result.libraries if (each.library, each.status) == (library, "audited")), None)


def _identified(library: str, result: Result) -> list[Finding]:
    own = [each for each in result.findings if each.library == library and meaning(each)]
    entry = _audited(library, result)
    return [each for each in own if entry and each.version == entry.version]


def _bracketed(names: Collection[str]) -> str:
    return f" ({', '.join(names)})" if names else ""


def _pair_line(pair: Pair) -> str:
    differs = [f"{_WORDS[level]} {', '.join(axes)}" for level, axes in pair.differs.items() if axes]
    outcome = f"differs on {'; '.join(differs)}" if differs else "the same on every level"
    return f"{one_line(pair.own.function)} and {one_line(pair.other.function)}: {outcome}"


class UndocumentedMeanings(ClaimExperiment):
    """Counts in each library what no documentation states; the claim is that there is some in every one of them.

    Counted are functions with a formula that neither the library's documentation nor a cited source states, or that
    contradicts the library's own documentation. Functions that treat unusual users or rows otherwise than the
    canonical definition are told beside them and decide nothing: whether that is documented was not asked. Of each
    library the version that the run names first counts.
    """

    kind: Literal["undocumented_meanings"]
    libraries: Annotated[tuple[str, ...], Field(min_length=1)]

    def needs(self, result: Result) -> Iterable[Finding]:
        """Return the findings of the libraries."""
        return [each for each in result.findings if each.library in self.libraries]

    def _measure(self, bench: Bench) -> Outcome:
        lines, words, held, missing = [], [], [], []
        for library in self.libraries:
            entry = _audited(library, bench.result)
            if entry is None:
                missing.append(library)
                continue
            findings = _identified(library, bench.result)
            stated = [each for each in findings if not _is_undocumented(each)]
            undocumented = [each for each in findings if _is_undocumented(each)]
            name = f"{one_line(entry.title)} {one_line(entry.version)}"
            held.append(bool(undocumented))
            metrics = dict.fromkeys(metric_title(each.metric) for each in undocumented)
            edges = sum(bool(each.levels.get("who_counts") or each.levels.get("input")) for each in findings)
            words.append(
                f"{name}: {len(undocumented)} of {len(findings)} formulas{_bracketed(metrics)}, and {edges} "
                "functions that treat unusual users or rows in a way of their own"
            )
            lines += [f"{name} {_meaning_line(each)}" for each in (*undocumented, *stated)]
        reason = "; ".join([*words, *(f"{each} is not in this audit" for each in missing)])
        if not held:
            return Outcome(Answer.unknown, reason, ())
        if not any(held):
            return Outcome(Answer.no, reason, tuple(lines))
        return Outcome(Answer.yes if all(held) and not missing else Answer.in_part, reason, tuple(lines))


def _is_undocumented(finding: Finding) -> bool:
    return finding.verdict == "undocumented" or finding.matches_claim is False


def _meaning_line(finding: Finding) -> str:
    words = formula_words(finding.metric, formula(finding)) or "the canonical formula"
    contradicts = ", which contradicts its documentation" if finding.matches_claim is False else ""
    stated = "stated nowhere" if finding.verdict == "undocumented" else "documented"
    axes = [*finding.levels.get("who_counts", ()), *finding.levels.get("input", ())]
    more = f"; differs besides on {', '.join(axes)}" if axes else ""
    return f"{one_line(finding.function)}: {words} ({stated}{contradicts}){more}"
