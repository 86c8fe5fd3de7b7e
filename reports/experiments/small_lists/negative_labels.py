"""Finds what metrics make of an item that does harm: a row of the truth with a negative gain, shown first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from recsys_metric_audit.reference.catalogue import variants_of
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome
from recsys_metric_audit.reports.wording.formatting import rounded

_CLOSE = 1e-9
_ROWS = 3
"""The list: an item in question first, an irrelevant one, then the one relevant item, of gain 1."""


@dataclass(frozen=True)
class Change:
    """Holds the value of a formula with the first item unlabelled, and with a negative label."""

    definition: Definition
    before: float
    after: float

    @property
    def words(self) -> str:
        """Return the formula and both values."""
        return f"{self.definition.signature()} {rounded(self.before)} to {rounded(self.after)}"


def change(definition: Definition, label: float) -> Change:
    """Return what the label ``label`` of the first of three rows does to the value of one user."""
    return Change(definition, _value(definition, None), _value(definition, label))


def _value(definition: Definition, label: float | None) -> float:
    items, gains = ([_ROWS], [1.0]) if label is None else ([_ROWS, 1], [1.0, label])
    ranks = np.arange(1, _ROWS + 1)
    case = Case(
        name="harm first",
        predictions=Predictions(np.zeros(_ROWS, dtype=np.int64), ranks, -ranks.astype(np.float64)),
        truth=Truth(np.zeros(len(items), dtype=np.int64), np.array(items), np.array(gains)),
    )
    return float(evaluate(definition, Problem.of([case], _ROWS)).value[0])


class NegativeLabels(ClaimExperiment):
    """Labels the first item negatively under every documented formula; the claim is that none takes the harm off.

    Each formula is tried where only positive gains are relevant, and where every labelled row is, which is canonical.
    If a formula falls, the answer is "yes, but"; if a canonical one does, "no".
    """

    kind: Literal["negative_labels"]
    metrics: Annotated[tuple[str, ...], Field(min_length=1)]
    label: Annotated[float, Field(lt=0)] = -1.0

    @model_validator(mode="after")
    def _metrics_are_known(self) -> NegativeLabels:
        if unknown := set(self.metrics) - set(METRICS):
            raise ValueError(f"{sorted(unknown)[0]} is no metric")
        return self

    def _measure(self, bench: Bench) -> Outcome:
        formulas = [entry.definition.with_(k=_ROWS) for metric in self.metrics for entry in variants_of(metric)]
        positive = [change(each.with_(relevance="positive"), self.label) for each in formulas]
        every = [change(each.with_(relevance="every_row"), self.label) for each in formulas]
        fall = [each for each in (*positive, *every) if each.after < each.before - _CLOSE]
        rise = [each for each in every if each.after > each.before + _CLOSE]
        moved = sum(abs(each.after - each.before) > _CLOSE for each in positive)
        lines = tuple(each.words for each in (*positive, *every))
        reason = (
            f"with positive gains alone relevant {moved} of {len(positive)} documented formulas move; where every "
            f"labelled row is relevant, {len(rise)} of {len(every)} rise, for the harm counts as a hit"
            f"{_listed([each for each in rise if _is_canonical(each)])}, and {len(fall)} fall{_listed(fall)}"
        )
        if any(_is_canonical(each) for each in fall):
            return Outcome(Answer.no, reason, lines)
        return Outcome(Answer.yes_but if fall else Answer.yes, reason, lines)


def _is_canonical(each: Change) -> bool:
    return not each.definition.differs_on


def _listed(changes: Sequence[Change]) -> str:
    return f" ({', '.join(each.words for each in changes)})" if changes else ""
