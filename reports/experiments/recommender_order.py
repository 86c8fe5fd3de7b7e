"""Evaluates the same recommenders in several ways: do the ways rank them alike, and give them like values?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.prepared import UserTerms
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.uncertainty.paired_comparison import compare_pairs
from recsys_metric_audit.reports.experiments.changed_case import Change, changed
from recsys_metric_audit.reports.experiments.outcome import (
    Answer,
    Bench,
    ClaimExperiment,
    Outcome,
    Signature,
    share_answer,
)
from recsys_metric_audit.reports.experiments.sampling.sampled_ranks import (
    RankedItems,
    Sampling,
    full_mean,
    ranked_items,
    sampled_mean,
)
from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.wording.formatting import one_line

_EQUAL = 1e-9
"""Means that differ by less are taken to be equal: neither recommender is better."""
_WAYS: Mapping[Sampling, str] = {"uniform": "uniformly", "popularity": "by popularity"}


@dataclass(frozen=True, eq=False)
class Measured:
    """Holds the mean of a recommender; ``terms`` is what each user adds, None for an expectation over draws."""

    mean: float
    terms: UserTerms | None = None


@dataclass(frozen=True, eq=False)
class Prepared:
    """Prepares a case for all metrics and cut-offs."""

    case: Case

    @cached_property
    def problem(self) -> Problem:
        """The case, for definitions."""
        return Problem.of([self.case], None)

    @cached_property
    def items(self) -> RankedItems:
        """The ranks of its relevant items, each among irrelevant candidates."""
        return ranked_items(self.case)


class Way(FrozenModel):
    """Describes a way to evaluate recommenders; what it leaves out is that of the experiment."""

    definition: Signature | None = None
    dataset: str = ""
    changes: tuple[Change, ...] = ()
    among: Literal["all", "irrelevant"] | Annotated[int, Field(ge=1)] = "all"
    """What an item is ranked among. ``irrelevant``: each relevant item by itself, among all irrelevant candidates; a
    number: among so many of these, drawn by ``sampling``, in exact expectation over all draws."""
    sampling: Sampling = "uniform"

    def words(self, metric: str, dataset: str, k: int) -> tuple[str, str]:
        """Return the definition and the dataset, and what is done with them, in words."""
        definition = parse(self.definition or metric).with_(k=k)
        among = {"all": "", "irrelevant": " among all irrelevant candidates"}.get(
            str(self.among), f" among {self.among} candidates drawn {_WAYS[self.sampling]}"
        )
        made = f" with {', '.join(self.changes)}" if self.changes else ""
        return one_line(f"{definition.signature()} on {self.dataset or dataset}"), f"{among}{made}"

    def measure(self, prepared: Prepared, metric: str, k: int) -> Measured:
        """Return the mean of a recommender on the changed data."""
        signature = self.definition or metric
        if self.among == "all":
            definition, problem = parse(signature).with_(k=k), prepared.problem.at(k)
            made = evaluate(definition, problem)
            return Measured(float(made.mean[0]), UserTerms(definition, problem.placement.users, made.terms))
        if self.among == "irrelevant":
            return Measured(full_mean(prepared.items, signature, k))
        return Measured(sampled_mean(prepared.items, signature, k, self.among, self.sampling))


@dataclass(frozen=True, eq=False)
class Inversion:
    """Holds a pair of recommenders that two ways rank the other way round.

    Attributes:
        better: The recommender that the first way prefers.
        worse: The one that the second way prefers.
        first: The means of ``better`` and ``worse`` in the first way.
        second: Their means in the second.
    """

    better: str
    worse: str
    first: tuple[Measured, Measured]
    second: tuple[Measured, Measured]

    @property
    def gap(self) -> float:
        """Return the smaller of the two differences, each relative to the larger value."""
        (high, low), (under, over) = self.first, self.second
        return min((high.mean - low.mean) / high.mean, (over.mean - under.mean) / over.mean)

    @property
    def is_clear(self) -> bool:
        """Return True if the 95 % bootstrap intervals over users of both differences are on one side of 0."""
        return all(_is_clear(*pair) for pair in (self.first, self.second))

    def words(self, first: str, second: str) -> str:
        """Tell the inversion, with the words on both ways."""
        (a, b), (c, d) = ((one.mean, other.mean) for one, other in (self.first, self.second))
        return (
            f"{first} prefers {self.better} to {self.worse} ({a:.4f}, {b:.4f}), "
            f"{second} the other way round ({c:.4f}, {d:.4f})"
        )


def _is_clear(one: Measured, other: Measured) -> bool:
    if one.terms is None or other.terms is None:
        return False
    low, high = compare_pairs(one.terms, other.terms, exchanges=1).interval
    return low > 0 or high < 0


def inversions(first: Mapping[str, Measured], second: Mapping[str, Measured]) -> tuple[Inversion, ...]:
    """Return every pair of recommenders that two ways, each with a mean for each, rank the other way round."""
    found = []
    for pair in combinations(first, 2):
        one, other = sorted(pair, key=lambda name: -first[name].mean)
        if first[one].mean - first[other].mean > _EQUAL and second[other].mean - second[one].mean > _EQUAL:
            found.append(Inversion(one, other, (first[one], first[other]), (second[one], second[other])))
    return tuple(found)


Setting = list[tuple[tuple[str, str], dict[str, Measured]]]
"""For each way its words, and the mean of each recommender."""


class RecommenderOrder(ClaimExperiment):
    """Compares recommenders evaluated in several ways; ``shows`` is what the claim says.

    ``inverts``: two ways can rank recommenders the other way round; where no inversion of means over users is beyond
    chance, the answer is "yes, but". ``keeps``: they rank them alike; where that holds
    for some datasets, metrics and cut-offs only, the answer is "in part". ``raises``: each way gives every recommender
    more than the first does; for some only is "in part". With ``each``, all pairs of ways are compared, else each with
    the first.
    """

    kind: Literal["recommender_order"]
    shows: Literal["inverts", "keeps", "raises"] = "inverts"
    ways: Annotated[tuple[Way, ...], Field(min_length=2)]
    each: bool = False
    metrics: tuple[Signature, ...] = ()
    datasets: tuple[str, ...] = ()
    recommenders: Annotated[tuple[str, ...], Field(min_length=1)]
    cutoffs: Annotated[tuple[int, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _ways_are_complete(self) -> RecommenderOrder:
        if not self.metrics and any(way.definition is None for way in self.ways):
            raise ValueError("a way without a definition needs metrics")
        if not self.datasets and not all(way.dataset for way in self.ways):
            raise ValueError("a way without a dataset needs datasets")
        return self

    def _measure(self, bench: Bench) -> Outcome:
        settings = list(self._settings(bench))
        return self._raises(settings) if self.shows == "raises" else self._orders(settings)

    def _settings(self, bench: Bench) -> Iterator[Setting]:
        """Yield for each dataset, metric and cut-off the words on each way, and the mean of each recommender in it."""
        for dataset in self.datasets or ("",):
            places = {(way.dataset or dataset, way.changes) for way in self.ways}
            prepared = {
                (place, name): Prepared(changed(bench.data(place[0], name), place[1]))
                for place, name in product(places, self.recommenders)
            }
            for metric, k in product(self.metrics or ("",), self.cutoffs):
                yield [
                    (
                        way.words(metric, dataset, k),
                        {
                            name: way.measure(prepared[(way.dataset or dataset, way.changes), name], metric, k)
                            for name in self.recommenders
                        },
                    )
                    for way in self.ways
                ]

    def _orders(self, settings: list[Setting]) -> Outcome:
        found: list[tuple[str, Inversion]] = []
        compared = kept = 0
        for setting in settings:
            pairs = combinations(setting, 2) if self.each else product(setting[:1], setting[1:])
            for (first, one), (second, other) in pairs:
                here = inversions(one, other)
                compared, kept = compared + len(one) * (len(one) - 1) // 2, kept + (not here)
                found += [(each.words("".join(first), "".join(second)), each) for each in here]
        if not found:
            answer = Answer.no if self.shows == "inverts" else Answer.yes
            return Outcome(answer, f"none of {compared} comparisons of two recommenders is inverted")
        lines = tuple(words for words, _ in found)
        clear = sum(each.is_clear for _, each in found)
        sure = (
            f", {clear} of them beyond chance (95 % intervals of both differences)"
            if found[0][1].first[0].terms
            else ""
        )
        widest = max(range(len(found)), key=lambda place: found[place][1].gap)
        reason = f"{len(found)} of {compared} comparisons of two recommenders are inverted{sure}; {lines[widest]}"
        if self.shows == "inverts":
            return Outcome(Answer.yes if clear or not sure else Answer.yes_but, reason, lines)
        return Outcome(Answer.in_part if kept else Answer.no, reason, lines)

    def _raises(self, settings: list[Setting]) -> Outcome:
        lines, higher, rises = [], [], []
        for setting, name in product(settings, self.recommenders):
            values = [means[name].mean for _, means in setting]
            higher += [value > values[0] + _EQUAL for value in values[1:]]
            heads = ["", *(head for (head, _), _ in setting)]
            told = [
                f"{value:.4f}{tail}" if head == before else f"{head} {value:.4f}{tail}"
                for before, ((head, tail), _), value in zip(heads, setting, values, strict=False)
            ]
            lines.append(f"{name or 'its own predictions'}: {', '.join(told)}")
            rises.append(float(np.max(values[1:])) - values[0])
        reason = f"{sum(higher)} of {len(higher)} values are above the first; {lines[int(np.argmax(rises))]}"
        return Outcome(share_answer(higher), reason, tuple(lines))
