"""Does the choice of library change the decision? Which recommender each library's metric ranks first."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from reports.model.result import Finding, Result
from reports.page.matrix import columns
from reports.wording.anchors import finding_anchor, fragment
from reports.wording.formatting import one_line, rounded
from reports.wording.headline_findings import headline_findings
from reports.wording.labels import LOWER_IS_BETTER, count, joined, metric_title
from reports.wording.variant_letters import VariantLetters, assign_letters


@dataclass(frozen=True)
class Order:
    """One order of the recommenders by a metric, and the library versions whose metric gives it."""

    first: str
    order: str
    tau: str
    """Kendall's τ-b with the canonical order."""
    swapped: tuple[str, ...]
    who: tuple[tuple[str, str, str], ...]
    """Library and version, anchor of the finding, and its values."""
    canonical: bool
    taus: tuple[str, ...] = ()
    """Kendall's τ-b with every order of this metric, this one included."""


@dataclass(frozen=True)
class Ranking:
    """One metric at one cut-off: the distinct orders, the canonical one first."""

    title: str
    anchor: str
    k: str
    orders: tuple[Order, ...]
    changes_winner: bool


@dataclass(frozen=True)
class Decision:
    """All metrics, and in a sentence whether the choice of library changes which recommender wins."""

    recommenders: tuple[str, ...]
    words: str
    rankings: tuple[Ranking, ...]


def decision(result: Result) -> Decision | None:
    """Return the decision impact of ``result``; ``None`` where fewer than two recommenders were measured."""
    if len(result.recommenders) < 2:
        return None
    marks = assign_letters(result)
    made = [_ranking(metric, k, result, marks) for k in result.k for metric in columns(headline_findings(result, k))]
    rankings = tuple(each for each in made if each is not None)
    return Decision(result.recommenders, _words(result.recommenders, rankings), rankings)


def _words(names: Sequence[str], rankings: Sequence[Ranking]) -> str:
    many = count(len(rankings), "metric")
    moved = [each for each in rankings if len(each.orders) > 1]
    won = [each for each in rankings if each.changes_winner]
    who = f"{joined(list(names))}, ranked by {many}"
    if won:
        return f"Yes: of {who}, the winner depends on the library for {len(won)}: {joined([w.title for w in won])}."
    if moved:
        return f"Not the winner: of {who}, the order behind it depends on the library for {len(moved)}."
    return f"Not here: of {who}, every library gives the same order."


def _ranking(metric: str, k: int, result: Result, marks: VariantLetters) -> Ranking | None:
    row = next((row for row in result.reference if row.metric == metric and row.k in (k, None)), None)
    canonical = finite(row.by_recommender) if row else {}
    found: dict[tuple[tuple[str, ...], ...], list[Finding]] = {}
    for finding in headline_findings(result, k):
        values = finite(finding.by_recommender)
        if finding.metric == metric and len(values) > 1:
            found.setdefault(order(values, metric in LOWER_IS_BETTER), []).append(finding)
    right = order(canonical, metric in LOWER_IS_BETTER) if len(canonical) > 1 else None
    if right is not None:
        found.setdefault(right, [])
    if not any(found.values()):
        return None
    ranks = sorted(found, key=lambda each: (each != right, -len(found[each])))
    titles = {(entry.library, entry.version): one_line(entry.title) for entry in result.libraries}
    orders = tuple(_order(each, right, ranks, found[each], titles) for each in ranks)
    winners = {each[0] for each in ranks if found[each] or each == right}
    return Ranking(metric_title(metric), fragment("metric", metric), str(k), orders, len(winners) > 1)


def _order(
    ranks: tuple[tuple[str, ...], ...], right: tuple[tuple[str, ...], ...] | None,
    every: Sequence[tuple[tuple[str, ...], ...]], findings: Sequence[Finding], titles: Mapping[tuple[str, str], str],
) -> Order:  # fmt: skip
    who = tuple(
        (
            f"{titles[f.library, f.version]} {one_line(f.version)}",
            finding_anchor(f),
            ", ".join(f"{name} {rounded(value)}" for name, value in finite(f.by_recommender).items()),
        )
        for f in findings
    )
    return Order(
        first=" = ".join(ranks[0]),
        order=" > ".join(" = ".join(level) for level in ranks),
        tau="–" if right is None else _shown(tau(ranks, right)),
        swapped=() if right is None else swapped(ranks, right),
        who=who,
        canonical=ranks == right,
        taus=tuple(_shown(tau(ranks, other)) for other in every),
    )


def _shown(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}".replace("-", "−")


def finite(values: Mapping[str, float | None]) -> dict[str, float]:
    """Return the recommenders that have a finite value."""
    return {name: value for name, value in values.items() if value is not None and math.isfinite(value)}


def order(values: Mapping[str, float], lower_is_better: bool = False) -> tuple[tuple[str, ...], ...]:
    """Return the recommenders best first; those whose values differ by less than 1e-12 share a place."""
    places: list[list[str]] = []
    last = math.inf
    sign = 1 if lower_is_better else -1
    for name in sorted(values, key=lambda each: (sign * values[each], each)):
        if places and abs(last - values[name]) <= 1e-12 * max(1.0, abs(last)):
            places[-1].append(name)
        else:
            places.append([name])
        last = values[name]
    return tuple(tuple(place) for place in places)


def _place(ranks: Sequence[Sequence[str]]) -> dict[str, int]:
    return {name: number for number, level in enumerate(ranks) for name in level}


def swapped(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the pairs that ``one`` puts in the opposite order of ``other``, as ``better over worse``."""
    mine, theirs = _place(one), _place(other)
    pairs = combinations([name for name in theirs if name in mine], 2)
    turned = [sorted(pair, key=mine.__getitem__) for pair in pairs if _turned(mine, theirs, *pair)]
    return tuple(f"{better} over {worse}" for better, worse in turned)


def _turned(mine: Mapping[str, int], theirs: Mapping[str, int], a: str, b: str) -> bool:
    return (mine[a] - mine[b]) * (theirs[a] - theirs[b]) < 0


def tau(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> float:
    """Return Kendall's τ-b of two orders over what both rank; NaN where one of them ties everything.

    τ-b = (C − D) / √((C + D + T₁)(C + D + T₂)), T the pairs tied in one order only (Kendall 1945).
    """
    mine, theirs = _place(one), _place(other)
    both = [name for name in mine if name in theirs]
    agree = against = tied_one = tied_other = 0
    for a, b in combinations(both, 2):
        left, right = mine[a] - mine[b], theirs[a] - theirs[b]
        agree += left * right > 0
        against += left * right < 0
        tied_one += left == 0 and right != 0
        tied_other += right == 0 and left != 0
    size = math.sqrt((agree + against + tied_one) * (agree + against + tied_other))
    return (agree - against) / size if size else math.nan
