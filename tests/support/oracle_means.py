"""The slow oracle's last steps: edges of each user, then the number of the case."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from tests.support import oracle
from tests.support.oracle import NAN, Number, Ranking, User, Values
from tests.support.oracle_contingency import decided
from tests.support.oracle_formulas import FORMULAS, NEGATIVES, f_operands, r_precision, within_r
from tests.support.oracle_ratings import fcp
from tests.support.oracle_ratio import Ratio

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case


@dataclass(frozen=True)
class Settled:
    """One user after the edges: value, whether averaged over, whether the library would raise, pooled terms."""

    value: float
    counted: bool
    refused: bool
    pooled: tuple[float, float]


@dataclass(frozen=True)
class Result:
    """A definition's number on a case, whether the case is refused, and (value, counted) of each user."""

    mean: float
    refused: bool
    users: tuple[tuple[float, bool], ...]


def quotient(top: Number, below: Number) -> float:
    return float(top / below) if below else NAN


def state_of(metric: str, ranking: Ranking, values: Values, ratio: Ratio) -> str | None:
    """Which edge the list is at, if any; the first that fits."""
    if ranking.r == 0:
        return "undefined"
    if not list_rows(metric, ranking):
        return "no_list"
    if metric in NEGATIVES and NEGATIVES[metric](ranking, values) == 0:
        return "no_negatives"
    replaced = is_convention(metric, values) and values["no_hit"] != "0"
    return "no_hit" if ratio[1] == 0 or (not ranking.hits and replaced) else None


def list_rows(metric: str, ranking: Ranking) -> int:
    """Count the rows of the user's list: for bpref, which skips unrated items itself, rows of any items."""
    return len(ranking.list_rows) + (ranking.user.left_out if metric == "bpref" else 0)


def is_convention(metric: str, values: Values) -> bool:
    """Whether a value of 0 without a hit is one: a rank of no hit, or F of a precision and a recall of 0."""
    if metric == "f_score":
        plain = values["of"] == "users" and values["operands"] == "precision_recall"
        return plain and values.get("decision", "top_k") == "top_k"
    return metric == "reciprocal_rank" and values["ranks"] in ("first", "last", "best_gain")


def asked(user: User, lists: list[Ranking], values: Values, hits: Callable[[Ranking], Number], *, listed: bool) -> bool:
    """Whether the rule averages over this user; ``hits`` counts those of a list."""
    r = lists[0].r
    rules: dict[str, Callable[[], bool]] = {
        "truth": lambda: r > 0,
        "both": lambda: r > 0 and listed,
        "predictions": lambda: listed,
        "truth_rows": lambda: bool(oracle.looked_at(user, values).truth),
        "both_rows": lambda: listed and bool(oracle.looked_at(user, values).truth),
        "all": lambda: True,
        "hits": lambda: any(hits(ranking) for ranking in lists),
        "one_relevant": lambda: r == 1,
    }
    return rules[values["users"]]()


def settle(
    metric: str,
    lists: list[Ranking],
    ratios: Sequence[Ratio],
    values: Values,
    before: float | None,
    *,
    root: bool,
    is_asked: bool,
) -> Settled:
    """Return a user's value: the mean over equally likely orders, each resolved by the policy of its own edge."""
    out, refused = [], False
    for ranking, ratio in zip(lists, ratios, strict=True):
        value = quotient(*ratio)
        if root and not math.isnan(value):
            value = math.sqrt(value)
        state = state_of(metric, ranking, values, ratio)
        policy = values.get(state, "formula") if state else "formula"
        refused |= policy == "error"
        if policy == "skip":
            continue
        if policy == "previous" and before is None:
            refused, value = refused or is_asked, NAN
        out.append(_counts_as(policy, value, before, ranking.k))
    tops, belows = [float(top) for top, _ in ratios], [float(below) for _, below in ratios]
    pooled = (math.fsum(tops) / len(tops), math.fsum(belows) / len(belows))
    return Settled(math.fsum(out) / len(out) if out else NAN, bool(out), refused, pooled)


def _counts_as(policy: str, value: float, before: float | None, k: int) -> float:
    if policy in ("formula", "error"):
        return value
    if policy == "previous":
        return value if before is None else before
    if policy == "1/k":
        return 1 / max(k, 1)
    return {"0": 0.0, "1": 1.0, "half": 0.5, "nan": NAN, "ends_all": 0.0}[policy]


def ends_all(metric: str, lists: list[Ranking], ratios: Sequence[Ratio], values: Values) -> bool:
    if "ends_all" not in (values.get("no_hit"), values.get("no_list")):
        return False
    states = {state_of(metric, ranking, values, ratio) for ranking, ratio in zip(lists, ratios, strict=True)}
    return any(state is not None and values.get(state) == "ends_all" for state in states)


def settle_all(
    metric: str, each: list[list[Ranking]], ratios: list[list[Ratio]], values: Values, chosen: list[bool], *, root: bool
) -> list[Settled]:
    """All users, in order: a carried value is that of the last user before who was asked and not left out."""
    out: list[Settled] = []
    before: float | None = None
    over = False
    for lists, own, is_asked in zip(each, ratios, chosen, strict=True):
        settled = settle(metric, lists, own, values, before, root=root, is_asked=is_asked)
        over |= is_asked and ends_all(metric, lists, own, values)
        if is_asked and settled.counted:
            before = settled.value
        out.append(settled)
    if over:
        out = [Settled(0.0, one.counted, one.refused, one.pooled) for one in out]
    return out


def weight_of(user: User, lists: list[Ranking], values: Values, length: int) -> int:
    if values["pooling"] != "weighted":
        return 1
    if values["weight"] == "rated":
        return len(oracle.looked_at(user, values).truth)
    one = lists[0]
    return {"none": 1, "relevant": one.r, "listed": len(one.listed), "list_length": length}[values["weight"]]


def average(users: list[Settled], weights: list[int], values: Values, *, root: bool) -> float:
    """Return the number over the users that are averaged over."""
    if values["pooling"] == "pooled":
        value = quotient(math.fsum(one.pooled[0] for one in users), math.fsum(one.pooled[1] for one in users))
        return math.sqrt(value) if root and not math.isnan(value) else value
    total = sum(weights)
    if not users or total == 0 or any(math.isnan(one.value) for one in users):
        return NAN
    pairs = [(one.value, weight) for one, weight in zip(users, weights, strict=True) if weight]
    if values["mean"] == "arithmetic":
        return math.fsum(value * weight for value, weight in pairs) / total
    if values["mean"] == "quadratic":
        return math.sqrt(math.fsum(value**2 * weight for value, weight in pairs) / total)
    if values["mean"] == "geometric":
        if any(value < 0 for value, _ in pairs):
            return NAN
        if any(value == 0 for value, _ in pairs):
            return 0.0
        return math.exp(math.fsum(math.log(value) * weight for value, weight in pairs) / total)
    if any(value == 0 for value, _ in pairs):
        return 0.0
    return quotient(total, math.fsum(weight / value for value, weight in pairs))


def nobody_left(users: list[Settled], weights: list[int], values: Values) -> bool:
    """Return whether nothing is left to be averaged: no user, no weight, or two sums that are both 0."""
    if values["pooling"] == "pooled":
        return all(math.fsum(one.pooled[part] for one in users) == 0 for part in (0, 1))
    return sum(weights) == 0 and not any(math.isnan(one.value) for one in users)


def share(won: float, lost: float) -> float:
    """Return the part of the concordant pairs in all; a mean over nobody counts as 0 pairs."""
    won, lost = (0.0 if math.isnan(pairs) else pairs for pairs in (won, lost))
    return quotient(won, won + lost)


def f_of(p: float, r: float, beta: float) -> float:
    """Return F of a precision and a recall: 0 where both are 0, NaN where one is."""
    if math.isnan(p) or math.isnan(r):
        return NAN
    return 0.0 if p == r == 0 else (1 + beta**2) * p * r / (beta**2 * p + r)


def combined(combine: Callable[[float, float], float], first: list[Settled], second: list[Settled]) -> list[Settled]:
    """Return the users of ``first`` with what the definition gives for each of them alone."""
    return [replace(one, value=combine(one.value, two.value)) for one, two in zip(first, second, strict=True)]


def refuses(case: Case, values: Values) -> bool:
    """Whether the library would refuse the input for an item that is listed twice."""
    rec, truth = case.predictions, case.truth
    columns = {"duplicates": (rec.user, rec.item), "truth_duplicates": (truth.user, truth.item)}
    refused = [columns[axis] for axis in columns if values[axis] == "error"]
    pairs = [[*zip(user.tolist(), item.tolist(), strict=True)] for user, item in refused]
    return any(len(set(own)) < len(own) for own in pairs)


def evaluate(metric: str, values: Values, case: Case, k: int | None) -> Result:
    """Return the definition's number on a case."""
    rating = metric in ("mae", "mse", "rmse", "nmae", "r_squared", "explained_variance", "log_loss")
    one_ranking = "stacked" in (values.get("scope"), values.get("over")) or (rating and values["pooling"] == "pooled")
    inert = {"order": "score", "ties": "given", "positions": "list", "cutoff": "k", "truth": "all"}
    # "other" stands for behaviour without a value of its own: evaluated as the canonical one.
    plain = {"ties": "given", "duplicates": "counted", "truth_duplicates": "counted", "tied_scores": "half"}
    full = {
        **inert,
        **{name: plain[name] if value in ("other", "unspecified") else value for name, value in values.items()},
    }
    users = oracle.stacked(case, full) if one_ranking else oracle.users_of(case)
    if one_ranking:
        whole = "truth" if full["users"] == "one_relevant" else full["users"]
        full = {**full, "users": whole, "pooling": "user", "weight": "none", "mean": "arithmetic"}
    each = [oracle.rankings(user, k, full) for user in users]
    counted = (
        (lambda one: r_precision(one, full)[0])
        if metric == "r_precision"
        else (lambda one: len(within_r(decided(one, full), full).hits))
    )
    lengths = [list_rows(metric, lists[0]) for lists in each]
    chosen = [
        asked(user, lists, full, counted, listed=length > 0)
        for user, lists, length in zip(users, each, lengths, strict=True)
    ]
    weights = [weight_of(user, lists, full, length) for user, lists, length in zip(users, each, lengths, strict=True)]
    root = metric == "rmse"

    empty: list[bool] = []

    def number(ratios: list[list[Ratio]]) -> tuple[float, list[Settled]]:
        settled = settle_all(metric, each, ratios, full, chosen, root=root)
        kept = [index for index, one in enumerate(settled) if chosen[index] and one.counted]
        left, left_weights = [settled[i] for i in kept], [weights[i] for i in kept]
        empty.append(nobody_left(left, left_weights, full))
        return average(left, left_weights, full, root=root), settled

    if metric == "fcp" and full["of"] == "means":
        counts = [fcp(lists[0], full) for lists in each]  # ties make no orders here
        won, lost = [won for won, _ in counts], [both - won for won, both in counts]
        sides = [[[(pairs, Fraction(pairs > 0))] for pairs in side] for side in (won, lost)]
        (p, settled), (q, other) = (number(side) for side in sides)
        raised = any(one.refused for one in (*settled, *other))
        mean, settled = share(p, q), combined(share, settled, other)
    elif full.get("of") == "means":
        pairs = [[f_operands(ranking, full) for ranking in lists] for lists in each]
        p, settled = number([[pair[0] for pair in own] for own in pairs])
        r, other = number([[pair[1] for pair in own] for own in pairs])
        f_beta = partial(f_of, beta=float(Fraction(full["beta"])))
        raised = any(one.refused for one in (*settled, *other))
        mean, settled = f_beta(p, r), combined(f_beta, settled, other)
    else:
        mean, settled = number([[FORMULAS[metric](ranking, full) for ranking in lists] for lists in each])
        raised = any(one.refused for one in settled)
    per_user = tuple((one.value, chosen[index] and one.counted) for index, one in enumerate(settled))
    unread = full["pooling"] == "pooled"
    valued = not any(math.isnan(value) for value, counted in per_user if counted and not unread)
    if math.isnan(mean) and any(empty) and valued and not one_ranking:
        mean = {"nan": NAN, "0": 0.0, "1": 1.0, "error": NAN}[values["nobody"]]
        raised = raised or values["nobody"] == "error"
    return Result(mean, raised or refuses(case, full), per_user)
