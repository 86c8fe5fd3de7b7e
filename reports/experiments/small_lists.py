"""Experiments that go through all small lists: which values a metric can take, and what moves them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from recsys_metric_audit.reference.catalogue import variants_of
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.projection import up_to
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Bools, Case, Floats, Predictions, Train, Truth
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Metric, Outcome, Signature
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.meanings import meaning

Hits = tuple[int, ...]
"""The 1-based ranks of one user's hits, ascending."""


def hit_values(definition: Definition, users: Sequence[tuple[int, Hits]], rows: int) -> Floats:
    """Return the value of each user: the number of relevant items, and the ranks of the hits in ``rows`` rows."""
    truth = [
        (user, item)
        for user, (relevant, hits) in enumerate(users)
        for item in (*hits, *range(rows + 1, rows + 1 + relevant - len(hits)))
    ]
    owner, item = np.array(truth, dtype=np.int64).T
    ranks = np.arange(1, rows + 1)
    case = Case(
        name="hit lists",
        predictions=Predictions(
            np.repeat(np.arange(len(users)), rows),
            np.tile(ranks, len(users)),
            np.tile(-ranks.astype(float), len(users)),
        ),
        truth=Truth(owner, item, np.ones(len(item))),
    )
    return evaluate(definition, Problem.of([case], definition.k if isinstance(definition.k, int) else None)).value


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
    metrics: Annotated[tuple[Metric, ...], Field(min_length=1)]
    label: Annotated[float, Field(lt=0)] = -1.0

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
    metric: Metric
    bound: float
    k: Annotated[int, Field(ge=1)]

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
        return Outcome(Answer.of([bool(each.any()) for each in missed]), reason, tuple(lines))


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


@dataclass(frozen=True)
class _User:
    """Tells how many relevant items a user has, and where a recommender puts them."""

    relevant: int
    hits: Hits

    @property
    def words(self) -> str:
        """Tell the ranks of the hits in words."""
        return f"at {' and '.join(map(str, self.hits))}" if self.hits else "nowhere"


class SmallestInversion(ClaimExperiment):
    """Goes through all pairs of recommenders on few users; the claim is that two definitions can disagree on one.

    Users have 1 to ``relevant`` relevant items, of which a recommender puts any into any of the first k places. The
    fewest users count first, then the fewest relevant items, then the fewest hits.
    """

    kind: Literal["smallest_inversion"]
    first: Signature
    second: Signature
    k: Annotated[int, Field(ge=1, le=4)]
    users: Annotated[int, Field(ge=1, le=3)] = 2
    relevant: Annotated[int, Field(ge=1, le=4)] = 3

    def _measure(self, bench: Bench) -> Outcome:
        values = self._values()
        for users in range(1, self.users + 1):
            sizes = combinations_with_replacement(range(1, self.relevant + 1), users)
            for relevant in sorted(sizes, key=sum):
                found = self._inversion(relevant, values)
                if found is not None:
                    return Outcome(Answer.yes, self._words(*found, values), ())
        return Outcome(Answer.no, f"no two recommenders on up to {self.users} users are inverted at k = {self.k}")

    def _values(self) -> dict[_User, tuple[float, float]]:
        """Return what both definitions give for every user that can be."""
        every = [
            _User(relevant, hits)
            for relevant in range(1, self.relevant + 1)
            for count in range(min(relevant, self.k) + 1)
            for hits in combinations(range(1, self.k + 1), count)
        ]
        given = [(user.relevant, user.hits) for user in every]
        both = [hit_values(parse(each).with_(k=self.k), given, self.k) for each in (self.first, self.second)]
        return {user: (float(both[0][row]), float(both[1][row])) for row, user in enumerate(every)}

    def _inversion(
        self, relevant: tuple[int, ...], values: dict[_User, tuple[float, float]]
    ) -> tuple[tuple[_User, ...], tuple[_User, ...]] | None:
        """Return two recommenders that the definitions rank the other way round, the first's better one first."""
        choices = [[user for user in values if user.relevant == r] for r in relevant]
        every = sorted(product(*choices), key=lambda users: sum(len(user.hits) for user in users))
        sums = [tuple(sum(values[user][place] for user in users) for place in (0, 1)) for users in every]
        for (one, mine), (other, theirs) in combinations(list(zip(every, sums, strict=True)), 2):
            gaps = mine[0] - theirs[0], mine[1] - theirs[1]
            if min(map(abs, gaps)) > _CLOSE and gaps[0] * gaps[1] < 0:
                return (one, other) if gaps[0] > 0 else (other, one)
        return None

    def _words(
        self, better: tuple[_User, ...], worse: tuple[_User, ...], values: dict[_User, tuple[float, float]]
    ) -> str:
        number = len(better)
        means = [[sum(values[user][place] for user in one) / number for one in (better, worse)] for place in (0, 1)]
        hits = [
            f"{name} puts {' and '.join(f'those of user {at} {user.words}' for at, user in enumerate(one, start=1))}"
            for name, one in (("A", better), ("B", worse))
        ]
        first, second = (parse(each).with_(k=self.k).signature() for each in (self.first, self.second))
        return (
            f"smallest example: users with {' and '.join(str(user.relevant) for user in better)} relevant items, "
            f"{', '.join(hits)}: {first} prefers A ({means[0][0]:.3f}, {means[0][1]:.3f}), "
            f"{second} prefers B ({means[1][0]:.3f}, {means[1][1]:.3f})"
        )
