"""Finds the values that measures of the items shown can have, by going through all lists of a small world."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.projection import up_to
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Bools, Case, Floats, Predictions, Train, Truth
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome, share_answer
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.meanings import meaning

_CLOSE = 1e-9


def values_in(definition: Definition, users: int, items: int, k: int) -> Floats:
    """Return the value for all lists of ``k`` of ``items`` items that ``users`` users can be shown, in any order."""
    every = product(combinations(range(items), k), repeat=users)
    owner = np.repeat(np.arange(users), k)
    train = Train(np.zeros(items, dtype=np.int64), np.arange(items))
    cases = [
        Case(
            "shown",
            Predictions(owner, np.ravel(lists), np.zeros(len(owner))),
            Truth(),
            train=train,
            catalogue=np.arange(items),
        )
        for lists in every
    ]
    return evaluate(definition.with_(k=k), Problem.of(cases, k)).mean


class ReachableValues(ClaimExperiment):
    """Goes through all lists of small worlds; the claim is that measures of the items shown miss 0 or 1, or a value.

    Judged is every function of ``metrics`` that an audit identified, by its formula, in each of ``worlds`` (users,
    items, k). It falls short if in one of them it is undefined for some lists, or its values do not begin at 0 and end
    at 1. All do is "yes", some "in part".
    """

    kind: Literal["reachable_values"]
    metrics: Annotated[tuple[str, ...], Field(min_length=1)]
    worlds: Annotated[tuple[tuple[int, int, int], ...], Field(min_length=1)]

    def needs(self, result: Result) -> Iterable[Finding]:
        """Return the identified findings of the metrics."""
        return [each for each in result.findings if each.metric in self.metrics and meaning(each)]

    def _measure(self, bench: Bench) -> Outcome:
        lines: list[str] = []
        missed: list[Bools] = []
        for finding in self.needs(bench.result):
            definition = up_to(parse(meaning(finding)), "formula")
            found = {world: values_in(definition, *world) for world in self.worlds}
            missed.append(np.array([_missing(values) for values in found.values()]))
            told = "; ".join(
                f"{_words(values)} with {u} users, {n} items, k = {k}" for (u, n, k), values in found.items()
            )
            name = f"{one_line(finding.library)} {one_line(finding.version)} {one_line(finding.function)}"
            lines.append(f"{name}: {definition.signature()} is {told}")
        if not lines:
            return Outcome(Answer.unknown, f"no function of {', '.join(self.metrics)} is identified in this audit")
        every = np.array(missed)
        whole = int((~every.any(axis=2)).sum())
        low, high = every[:, :, :2].all(axis=1).sum(axis=0)
        gone = every[:, :, 2].any(axis=1).sum()
        reason = (
            f"{whole} of {every[:, :, 0].size} pairs of a function and a world go from 0 to 1; of {len(lines)} "
            f"functions {low} begin at 0 in no world, {high} end at 1 in none, and {gone} have no value for some lists"
        )
        return Outcome(share_answer([bool(each.any()) for each in missed]), reason, tuple(lines))


def _missing(values: Floats) -> tuple[bool, bool, bool]:
    """Return True where the least is not 0, where the most is not 1, and where a value is undefined."""
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if len(finite) else (np.nan, np.nan)
    return not abs(low) < _CLOSE, not abs(high - 1) < _CLOSE, len(finite) < len(values)


def _words(values: Floats) -> str:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return "undefined"
    gone = f" (undefined for {len(values) - len(finite)} of {len(values)} ways)" if len(finite) < len(values) else ""
    return f"{finite.min():.3f} to {finite.max():.3f}{gone}"
