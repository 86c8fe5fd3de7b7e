"""Shows which values a definition can have: above a bound, and falling where a hit is added."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Literal

from pydantic import Field, model_validator

from recsys_metric_audit.reference.catalogue import variants_of
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome, Signature
from recsys_metric_audit.reports.experiments.small_lists.hit_lists import Hits, hit_values

_CLOSE = 1e-9


def formulas_of(metric: str) -> tuple[Definition, ...]:
    """Return the formulas of a metric: every documented one, and the canonical one with one axis moved."""
    canonical = Definition.of(metric)
    moved = [canonical.with_(**{axis.name: name}) for axis in METRICS[metric].axes for name in axis.names]
    return tuple(dict.fromkeys([canonical, *(each.definition.with_(k="k") for each in variants_of(metric)), *moved]))


class ValueAbove(ClaimExperiment):
    """Searches a metric's formulas for those whose value of one user can be above a bound; the claim is that one can.

    Lists of k rows that are all hits, of users with 1 to 2k relevant items. If the canonical formula can, the answer is
    "yes"; if others only, "yes, but".
    """

    kind: Literal["value_above"]
    metric: str
    bound: float
    k: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _metric_is_known(self) -> ValueAbove:
        if self.metric not in METRICS:
            raise ValueError(f"{self.metric} is no metric")
        return self

    def _measure(self, bench: Bench) -> Outcome:
        users = [(r, tuple(range(1, min(r, self.k) + 1))) for r in range(1, 2 * self.k + 1)]
        formulas = [definition.with_(k=self.k) for definition in formulas_of(self.metric)]
        highest = {definition: float(hit_values(definition, users, self.k).max()) for definition in formulas}
        above = {each: value for each, value in highest.items() if value > self.bound + _CLOSE}
        lines = tuple(f"{each.signature()}: up to {value:.3f}" for each, value in highest.items())
        if not above:
            return Outcome(Answer.no, f"none of {len(formulas)} formulas can be above {self.bound:g}", lines)
        words = ", ".join(f"{each.signature()} (up to {value:.3f})" for each, value in above.items())
        canonical = formulas[0] in above
        return Outcome(
            Answer.yes if canonical else Answer.yes_but,
            f"{len(above)} of {len(formulas)} formulas can be above {self.bound:g}: {words}"
            + ("" if canonical else f"; {formulas[0].signature()} cannot"),
            lines,
        )


class AddedHit(ClaimExperiment):
    """Searches hit lists for one whose value falls where a hit is added; the claim is that a definition has one.

    ``instead`` is the definition that is held beside: whether it has one too is told. With ``dataset``, the means of
    both on the predictions of ``recommenders`` are told as well.
    """

    kind: Literal["added_hit"]
    definition: Signature
    instead: Signature
    k: Annotated[int, Field(ge=1, le=8)]
    relevant: Annotated[int, Field(ge=1)]
    dataset: str = ""
    recommenders: tuple[str, ...] = ()
    cutoff: Annotated[int, Field(ge=1)] = 20

    def _measure(self, bench: Bench) -> Outcome:
        falls = self._falls(self.definition)
        lines = tuple(self._means(bench, name) for name in self.recommenders)
        if not falls:
            return Outcome(Answer.no, f"no added hit lowers {self._at_k(self.definition).signature()}", lines)
        other = len(self._falls(self.instead))
        before, after, high, low = falls[0]
        own, instead = self._at_k(self.definition).signature(), self._at_k(self.instead).signature()
        reason = (
            f"{own} falls from {high:.3f} to {low:.3f} where hits at {_ranks(before)} become hits at {_ranks(after)} "
            f"({len(falls)} such lists of {self.relevant} relevant items, {other} with {instead})"
        )
        return Outcome(Answer.yes, "; ".join([reason, *lines]), lines)

    def _at_k(self, signature: str) -> Definition:
        return parse(signature).with_(k=self.k)

    def _falls(self, signature: str) -> list[tuple[Hits, Hits, float, float]]:
        """Return each list and the list with one hit more whose value is lower, with both values."""
        every = [
            hits
            for count in range(min(self.k, self.relevant) + 1)
            for hits in combinations(range(1, self.k + 1), count)
        ]
        values = hit_values(self._at_k(signature), [(self.relevant, hits) for hits in every], self.k)
        value = dict(zip(every, values.tolist(), strict=True))
        return [
            (before, after, value[before], value[after])
            for before in every
            for after in every
            if set(before) < set(after) and len(after) == len(before) + 1 and value[after] < value[before] - _CLOSE
        ]

    def _means(self, bench: Bench, recommender: str) -> str:
        problem = Problem.of([bench.data(self.dataset, recommender)], self.cutoff)
        both = [parse(each).with_(k=self.cutoff) for each in (self.definition, self.instead)]
        first, second = (float(evaluate(each, problem).mean[0]) for each in both)
        return (
            f"on {self.dataset} with {recommender} it is {first:.3f}, {both[1].signature()} {second:.3f} "
            f"({first / second:.1f} times)"
        )


def _ranks(hits: Hits) -> str:
    return " and ".join(map(str, hits)) or "no rank"
