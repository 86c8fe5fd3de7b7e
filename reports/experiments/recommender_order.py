"""Experiments on the order of recommenders: by other definitions, on changed predictions and truth, by preference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Annotated, Literal

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.prepared import UserTerms
from recsys_metric_audit.reference.input.case import Case, Floats, Ids, Predictions, Truth
from recsys_metric_audit.reference.uncertainty.paired_comparison import compare_pairs
from recsys_metric_audit.reports.experiments.outcome import (
    Answer,
    Bench,
    ClaimExperiment,
    DataMissingError,
    Outcome,
    Signature,
)
from recsys_metric_audit.reports.experiments.sampling import (
    RankedItems,
    Sampling,
    full_mean,
    ranked_items,
    sampled_mean,
)
from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.wording.formatting import one_line


def changed(case: Case, changes: Sequence[str]) -> Case:
    """Return the case with the changes made, the first first."""
    for text in changes:
        name, *numbers = text.split(":")
        case = _CHANGES[name](case, *map(float, numbers))
    return case


def with_codes(case: Case, code: Mapping[int, int]) -> Case:
    """Return the case with the code of each item in place of the item; rows stay where they are."""
    every = np.array(sorted(code))
    codes = np.array([code[item] for item in every.tolist()])
    listed, truth = case.predictions, case.truth
    owner, wanted = truth.user, codes[np.searchsorted(every, truth.item)]
    _, first = np.unique(np.stack([owner, wanted]), axis=1, return_index=True)
    return replace(
        case,
        predictions=replace(listed, item=codes[np.searchsorted(every, listed.item)]),
        truth=Truth(owner[first], wanted[first], truth.gain[first]),
        catalogue=np.unique(codes),
    )


def _items(case: Case) -> Ids:
    return np.unique(np.concatenate([case.predictions.item, case.truth.item, case.train.item]))


def _drawn_codes(case: Case, size: float, seed: float = 0) -> Case:
    """Give each code ``size`` items, drawn."""
    order = np.random.default_rng(int(seed)).permutation(_items(case))
    return with_codes(case, {item: place // int(size) for place, item in enumerate(order.tolist())})


def _alike_codes(case: Case, size: float) -> Case:
    """Give each code ``size`` items: by falling popularity, each free item takes the free ones nearest by cosine."""
    if not len(case.train.item):
        raise DataMissingError(f"{case.name} has no train data to tell which items are alike")
    items = _items(case)
    users, row = np.unique(case.train.user, return_inverse=True)
    seen = np.zeros((len(items), len(users)))
    seen[np.searchsorted(items, case.train.item), row] = 1
    likeness = (seen @ seen.T) / np.maximum(np.sqrt(np.outer(seen.sum(1), seen.sum(1))), 1)
    code, free = np.full(len(items), -1), np.ones(len(items), dtype=np.bool_)
    for number, item in enumerate(np.argsort(-seen.sum(1), kind="stable")):
        if free[item]:
            likeness[item, item] = np.inf
            near = np.argsort(-likeness[item], kind="stable")
            group = near[free[near]][: int(size)]
            code[group], free[group] = number, False
    return with_codes(case, dict(zip(items.tolist(), code.tolist(), strict=True)))


def _coarse(case: Case, levels: float) -> Case:
    """Cut each user's scores into ``levels`` of equal width; 1 makes all scores equal."""
    of = case.predictions
    _, user = np.unique(of.user, return_inverse=True)
    low, high = np.full(user.max() + 1, np.inf), np.full(user.max() + 1, -np.inf)
    np.minimum.at(low, user, of.score)
    np.maximum.at(high, user, of.score)
    width = np.where(high > low, high - low, 1)[user] / levels
    level = np.minimum(np.floor((of.score - low[user]) / width), levels - 1)
    return replace(case, predictions=replace(of, score=level))


def _by(case: Case, key: Floats) -> Case:
    """Return the case with each user's rows in ascending order of ``key``; scores go with their rows."""
    of = case.predictions
    order = np.lexsort((key, of.user))
    return replace(case, predictions=Predictions(of.user[order], of.item[order], of.score[order]))


def _relevant(case: Case) -> Floats:
    of, width = case.predictions, int(_items(case).max()) + 1
    return np.isin(of.user * width + of.item, case.truth.user * width + case.truth.item).astype(np.float64)


def _labels(case: Case, share: float, seed: float = 0) -> Case:
    """Keep each label with probability ``share``; users who lose all are not evaluated."""
    truth = case.truth
    kept = np.random.default_rng(int(seed)).random(len(truth.user)) < share
    return replace(case, truth=Truth(truth.user[kept], truth.item[kept], truth.gain[kept]))


_CHANGES: Mapping[str, Callable[..., Case]] = {
    "drawn_codes": _drawn_codes,
    "alike_codes": _alike_codes,
    "coarse_scores": _coarse,
    "relevant_given_first": lambda case: _by(case, -_relevant(case)),
    "relevant_given_last": lambda case: _by(case, _relevant(case)),
    "given_shuffled": lambda case, seed=0: _by(
        case, np.random.default_rng(int(seed)).random(len(case.predictions.user))
    ),
    "labels": _labels,
}


def _known(text: str) -> str:
    if text.partition(":")[0] not in _CHANGES:
        raise ValueError(f"{text} is no change; there are: {', '.join(_CHANGES)}")
    return text


Change = Annotated[str, AfterValidator(_known)]
"""A change as a setting."""


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
    (found,) = compare_pairs([(one.terms, other.terms)], exchanges=1)
    low, high = found.interval
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
        return Outcome(Answer.of(higher), reason, tuple(lines))


_NOWHERE = np.iinfo(np.int64).max
_CLEAR = 1.96
Places = Mapping[int, tuple[int, ...]]
"""For each user the 1-based places of the relevant items, ascending."""


def places_of(case: Case) -> Places:
    """Return the places of each user's relevant items; rows that score the same stay as given."""
    found = Problem.of([case], None).placement
    place = np.where(found.row < 0, _NOWHERE, found.above + found.before + 1)
    out: dict[int, list[int]] = {}
    for owner, at in sorted(zip(found.users[found.user].tolist(), place.tolist(), strict=True)):
        out.setdefault(owner, []).append(at)
    return {owner: tuple(each) for owner, each in out.items()}


def preferences(one: Places, other: Places, begin: Literal["first", "last"]) -> dict[int, int]:
    """Return for each user 1 if ``one`` is preferred, -1 if ``other`` is, 0 if no place differs."""
    step = 1 if begin == "first" else -1
    return {
        user: (other[user][::step] > places[::step]) - (other[user][::step] < places[::step])
        for user, places in one.items()
    }


class TiedUsers(ClaimExperiment):
    """Counts the users for whom ``metric`` gives two recommenders the same; the claim is that places tell more apart.

    Lexicographic precision has to tie for fewer users than the metric and to keep each of its preferences, for every
    dataset, pair of recommenders and cut-off: "yes"; for some: "in part".
    """

    kind: Literal["tied_users"]
    metric: Signature
    cutoffs: Annotated[tuple[int, ...], Field(min_length=1)]
    datasets: Annotated[tuple[str, ...], Field(min_length=1)]
    recommenders: Annotated[tuple[str, ...], Field(min_length=2)]

    def _measure(self, bench: Bench) -> Outcome:
        lines, held, counts = [], [], np.zeros(4, dtype=np.int64)
        for dataset, pair, k in product(self.datasets, combinations(self.recommenders, 2), self.cutoffs):
            cases = [bench.data(dataset, name) for name in pair]
            definition = parse(self.metric).with_(k=k)
            one, other = (_by_user(definition, each, k) for each in cases)
            lexicographic = preferences(places_of(cases[0]), places_of(cases[1]), "first")
            tied = [one[user] == other[user] for user in lexicographic]
            turned = sum((one[user] - other[user]) * sign < 0 for user, sign in lexicographic.items())
            undecided = list(lexicographic.values()).count(0)
            counts += (sum(tied), undecided, turned, len(tied))
            held.append(undecided < sum(tied) and not turned)
            lines.append(
                f"{' and '.join(pair)} on {dataset}: {definition.signature()} ties for {sum(tied)} of {len(tied)} "
                f"users, lexicographic precision for {undecided}, and turns {turned} preferences round"
            )
        metric, places = counts[:2] / counts[3]
        reason = (
            f"of all comparisons of a user's two lists the metric ties in {metric:.1%}, lexicographic precision in "
            f"{places:.1%}, and it turns {counts[2]} preferences round"
        )
        return Outcome(Answer.of(held), f"{reason}; {lines[0]}", tuple(lines))


class LostLabels(ClaimExperiment):
    """Drops labels and counts the pairs of recommenders still told apart; the claim is on lexicographic recall.

    A pair is told apart if the mean over users of what prefers one of them, 1, 0 or -1 by lexicographic recall and the
    difference of values by a metric, is more than 1.96 standard errors from 0, on the side where it is with all labels.
    Lexicographic recall has to do so more often than each of ``metrics`` at ``k``, on every dataset and at every share
    of labels: "yes"; on some: "in part".
    """

    kind: Literal["lost_labels"]
    metrics: Annotated[tuple[Signature, ...], Field(min_length=1)]
    k: Annotated[int, Field(ge=1)]
    datasets: Annotated[tuple[str, ...], Field(min_length=1)]
    recommenders: Annotated[tuple[str, ...], Field(min_length=2)]
    shares: Annotated[tuple[float, ...], Field(min_length=1)]
    seeds: Annotated[int, Field(ge=1)]

    def _measure(self, bench: Bench) -> Outcome:
        lines, held = [], []
        names = ["lexicographic recall", *(parse(each).with_(k=self.k).signature() for each in self.metrics)]
        every = {name: [bench.data(name, each) for each in self.recommenders] for name in self.datasets}
        sides = {name: np.sign(self._errors_from_0(cases)) for name, cases in every.items()}
        for dataset, share in product(self.datasets, self.shares):
            cases, whole = every[dataset], sides[dataset]
            apart = np.zeros(len(names))
            for seed in range(self.seeds):
                lost = self._errors_from_0([changed(case, [f"labels:{share}:{seed}"]) for case in cases])
                apart += (lost * whole > _CLEAR).mean(axis=1) / self.seeds
            told = ", ".join(f"{name} {each:.0%}" for name, each in zip(names, apart.tolist(), strict=True))
            lines.append(f"{dataset} with {share:.0%} of the labels: {told}")
            held += [bool(apart[0] > other) for other in apart[1:]]
        reason = (
            f"pairs of recommenders told apart beyond chance, over {self.seeds} draws of labels, more often than by a "
            f"metric in {sum(held)} of {len(held)} comparisons: {'; '.join(lines)}"
        )
        return Outcome(Answer.of(held), reason, tuple(lines))

    def _errors_from_0(self, cases: Sequence[Case]) -> Floats:
        """Return for lexicographic recall and each metric how many standard errors each pair is from 0."""
        places = [places_of(case) for case in cases]
        rows = [[_errors(list(preferences(one, other, "last").values())) for one, other in combinations(places, 2)]]
        for metric in self.metrics:
            values = [_by_user(parse(metric).with_(k=self.k), case, self.k) for case in cases]
            rows.append(
                [_errors([one[user] - other[user] for user in places[0]]) for one, other in combinations(values, 2)]
            )
        return np.array(rows)


def _errors(differences: Sequence[float]) -> float:
    """Return the mean in standard errors; 0 without a difference."""
    error = float(np.std(differences)) / len(differences) ** 0.5
    mean = float(np.mean(differences))
    return mean / error if error else np.sign(mean) * np.inf if mean else 0.0


def _by_user(definition: Definition, case: Case, k: int) -> dict[int, float]:
    problem = Problem.of([case], k)
    return dict(zip(problem.placement.users.tolist(), evaluate(definition, problem).value.tolist(), strict=True))
