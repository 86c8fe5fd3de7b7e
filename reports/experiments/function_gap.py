"""Measures how far two functions of one name are apart on the same predictions, level by level, by their findings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.projection import up_to
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.space.levels import LEVELS, Level
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, DataMissingError, Outcome
from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_contrast
from recsys_metric_audit.reports.wording.meanings import formula, meaning

_CLOSE = 1e-9
_LEVEL_WORDS: dict[Level, str] = {
    "formula": "by the formulas alone",
    "who_counts": "with who counts",
    "input": "with the handling of unusual rows",
}


def _pattern(text: str) -> str:
    re.compile(text)
    return text


class FunctionName(FrozenModel):
    """Names one function of one library version."""

    library: str
    version: str
    function: Annotated[str, AfterValidator(_pattern)]
    """Regular expression; the first function that it finds is meant."""

    def find(self, result: Result) -> Finding:
        """Return the finding; raise :class:`DataMissingError` if the audit identified no definition of it."""
        for finding in result.findings:
            named = (finding.library, finding.version) == (self.library, self.version)
            if named and meaning(finding) and re.search(self.function, finding.function):
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
            *(_line(each, names) for each in gaps),
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


def _line(gap: Gap, names: list[str]) -> str:
    """Return the values of both up to each level; a level that changes none is not told."""
    told: dict[tuple[float, float], str] = {}
    for level in LEVELS:
        told.setdefault(gap.values[level], f"{_LEVEL_WORDS[level]} ({gap.percent(level):+.1f} %)")
    parts = [f"{first:.4f} and {second:.4f} {words}" for (first, second), words in told.items()]
    return f"{' and '.join(names)} for {gap.where}: {'; '.join(parts)}"
