"""Experiments on rounded scores: what ties do to a metric, drawn and in expectation over all orders of tied items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Bools, Case, Floats
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, ClaimExperiment, Outcome

LinearMetric = Literal["ndcg", "recall", "precision"]


def expected_shares(scores: Floats, relevant: Bools, k: int) -> Floats:
    """Return how much of a relevant item each of the first ``k`` places holds on average over orders of ties.

    Args:
        scores: The scores of one user's rows, in any order.
        relevant: Whether each row is relevant.
        k: The cut-off.
    """
    _, group = np.unique(-scores, return_inverse=True)  # groups of equal scores, best first
    share = np.bincount(group, weights=relevant) / np.bincount(group)
    return np.asarray(share[np.sort(group)][:k], dtype=np.float64)


def hit_weights(metric: LinearMetric, relevant: int, k: int) -> Floats:
    """Return what a hit adds at each of the ranks 1 to ``k`` for a user with ``relevant`` relevant items."""
    discount = 1 / np.log2(np.arange(2, k + 2))
    match metric:
        case "ndcg":
            return np.asarray(discount / discount[: min(k, relevant)].sum())
        case "recall":
            return np.full(k, 1 / relevant)
        case "precision":
            return np.full(k, 1 / k)


def expected_values(case: Case, metric: LinearMetric, k: int) -> dict[int, float]:
    """Return the expectation over orders of ties for each user with relevant items and a list; nothing is repeated."""
    truth: dict[int, set[int]] = {}
    for user, item in zip(case.truth.user.tolist(), case.truth.item.tolist(), strict=True):
        truth.setdefault(user, set()).add(item)
    of = case.predictions
    by_user = np.argsort(of.user, kind="stable")
    users, first = np.unique(of.user[by_user], return_index=True)
    out = {}
    for user, rows in zip(users.tolist(), np.split(by_user, first[1:]), strict=True):
        if user in truth:
            shares = expected_shares(of.score[rows], np.isin(of.item[rows], list(truth[user])), k)
            out[user] = float(shares @ hit_weights(metric, len(truth[user]), k)[: len(shares)])
    return out


Format = Literal["float32", "float16", "bfloat16"]

RULES = ("item_asc", "item_desc", "text_asc", "text_desc")
"""Rules that put tied items into one order, as libraries have them. The order of the rows is none of them here: rows
stand in the order of the scores before rounding, which a ranking in low precision does not know."""


def round_to(scores: Floats, form: Format) -> Floats:
    """Return ``scores`` rounded to the nearest number of a format, an even last bit where two are as near."""
    if form != "bfloat16":
        return scores.astype(form).astype(np.float64)
    bits = scores.astype(np.float32).view(np.uint32).astype(np.uint64)  # bfloat16 is the upper half of float32
    upper = (bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) & np.uint64(0xFFFF0000)
    return upper.astype(np.uint32).view(np.float32).astype(np.float64)


def tied_in_top(case: Case, k: int) -> tuple[int, int]:
    """Return the number of users with a tie that reaches into the first ``k`` places, and the number of users."""
    of = case.predictions
    order = np.lexsort((-of.score, of.user))
    user, score = of.user[order], of.score[order]
    users, first = np.unique(user, return_index=True)
    rank = np.arange(1, len(user) + 1) - np.repeat(first, np.diff(first, append=len(user)))
    equal = (user[1:] == user[:-1]) & (score[1:] == score[:-1]) & (rank[:-1] <= k)
    return len(np.unique(user[1:][equal])), len(users)


@dataclass(frozen=True)
class RoundedValues:
    """Holds the values of one metric on scores of one format.

    Attributes:
        full: The mean on the scores as they were, ties as given.
        rules: The mean on rounded scores under each rule for ties.
        worst: The mean with relevant items last among tied ones.
        best: The mean with relevant items first.
        expected: The expectation over all orders of tied items.
        tied: Users with a tie that reaches into the first k places.
        tied_before: Such users before rounding.
        users: All users.
    """

    full: float
    rules: Mapping[str, float]
    worst: float
    best: float
    expected: float
    tied: int
    tied_before: int
    users: int

    @property
    def width(self) -> float:
        """Return the range from the worst to the best order."""
        return self.best - self.worst


@lru_cache(maxsize=8)
def rounded_values(case: Case, metric: LinearMetric, k: int, form: Format) -> RoundedValues:
    """Return the values of ``metric`` at ``k`` on ``case`` with its scores rounded to ``form``."""
    scores = round_to(case.predictions.score, form)
    made = replace(case, predictions=replace(case.predictions, score=scores))
    problem = Problem.of([made], k)
    full = _mean(Definition.of(metric), Problem.of([case], k), k)
    rules = {rule: _mean(Definition.of(metric, {"ties": rule}), problem, k) for rule in (*RULES, "worst", "best")}
    worst, best = rules.pop("worst"), rules.pop("best")
    expected = float(np.mean(list(expected_values(made, metric, k).values())))
    tied, users = tied_in_top(made, k)
    return RoundedValues(full, rules, worst, best, expected, tied, tied_in_top(case, k)[0], users)


def _mean(definition: Definition, problem: Problem, k: int) -> float:
    return float(evaluate(definition.with_(k=k), problem).mean[0])


class RoundedScores(ClaimExperiment):
    """Rounds the scores of recommenders and compares what ties then do; ``shows`` is what the claim says.

    ``ties``: rounding makes ties. ``spread``: the rule for ties moves the value; only by less than any two recommenders
    differ is "yes, but". ``expectation``: the expectation is nearer to the value before rounding than the rules are on
    average.
    """

    kind: Literal["rounded_scores"]
    shows: Literal["ties", "spread", "expectation"]
    dataset: str
    recommenders: Annotated[tuple[str, ...], Field(min_length=1)]
    metric: LinearMetric
    k: Annotated[int, Field(ge=1)]
    formats: Annotated[tuple[Format, ...], Field(min_length=1)]

    def _measure(self, bench: Bench) -> Outcome:
        found = {
            (name, form): rounded_values(bench.data(self.dataset, name), self.metric, self.k, form)
            for name in self.recommenders
            for form in self.formats
        }
        match self.shows:
            case "ties":
                return self._ties(found)
            case "spread":
                return self._spread(found)
            case "expectation":
                return self._expectation(found)

    def _ties(self, found: Mapping[tuple[str, Format], RoundedValues]) -> Outcome:
        lines = tuple(
            f"{name}, {form}: {each.tied} of {each.users} users have a tie in the first {self.k}, "
            f"{each.tied_before} before"
            for (name, form), each in found.items()
        )
        return Outcome(Answer.of([each.tied > each.tied_before for each in found.values()]), "; ".join(lines), lines)

    def _spread(self, found: Mapping[tuple[str, Format], RoundedValues]) -> Outcome:
        lines = tuple(
            f"{name}, {form}: {self.metric}@{self.k} from {each.worst:.4f} (relevant items last) to {each.best:.4f} "
            f"(first), {each.full:.4f} before; by rule "
            + ", ".join(f"{rule} {value:.4f}" for rule, value in each.rules.items())
            for (name, form), each in found.items()
        )
        full = sorted({name: each.full for (name, _), each in found.items()}.values())
        gap = min((high - low for low, high in pairwise(full)), default=0.0)
        (name, form), widest = max(found.items(), key=lambda each: each[1].width)
        reason = (
            f"the widest range is {widest.width:.4f}, of {name} in {form} ({widest.worst:.4f} to {widest.best:.4f})"
        )
        if widest.width <= 0:
            return Outcome(Answer.no, "no order of tied items changes a value", lines)
        if widest.width < gap:
            return Outcome(Answer.yes_but, f"{reason}; the recommenders differ by {gap:.4f} and more", lines)
        return Outcome(Answer.yes, reason, lines)

    def _expectation(self, found: Mapping[tuple[str, Format], RoundedValues]) -> Outcome:
        lines, nearer = [], []
        for (name, form), each in found.items():
            own = abs(each.expected - each.full)
            others = float(np.mean([abs(value - each.full) for value in each.rules.values()]))
            nearer.append(own <= others)
            lines.append(
                f"{name}, {form}: the expectation is {own:.5f} off the value before rounding, "
                f"the rules {others:.5f} on average"
            )
        return Outcome(Answer.of(nearer), "; ".join(lines), tuple(lines))
