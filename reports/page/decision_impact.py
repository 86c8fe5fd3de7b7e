"""The decision impact: does the choice of library change which recommender a metric ranks first?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.page.matrix import columns
from recsys_metric_audit.reports.wording.anchors import finding_anchor, fragment
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.labels import LOWER_IS_BETTER, count, joined, metric_title
from recsys_metric_audit.reports.wording.meanings import headline_findings

Order = tuple[tuple[str, ...], ...]
"""Names best first; names that are tied share a level."""


def finite_values(values: Mapping[str, float | None]) -> dict[str, float]:
    """Return the entries of ``values`` that are finite numbers."""
    return {name: value for name, value in values.items() if value is not None and math.isfinite(value)}


def order_by_value(values: Mapping[str, float], lower_is_better: bool = False) -> Order:
    """Return the names best first; values that differ by less than 1e-12, relative above 1, are tied, and by name.

    Args:
        values: Value of each name; finite.
        lower_is_better: Whether the smallest value comes first.
    """
    levels: list[list[str]] = []
    last = math.inf
    sign = 1 if lower_is_better else -1
    for name in sorted(values, key=lambda each: (sign * values[each], each)):
        if levels and abs(last - values[name]) <= 1e-12 * max(1.0, abs(last)):
            levels[-1].append(name)
        else:
            levels.append([name])
        last = values[name]
    return tuple(tuple(sorted(level)) for level in levels)  # by name: what differs by rounding only is one order


def swapped_pairs(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the pairs that ``one`` orders contrary to ``other``, each as ``better over worse`` of ``one``."""
    first, second = _levels(one), _levels(other)
    pairs = combinations([name for name in second if name in first], 2)
    swapped = [
        sorted((a, b), key=first.__getitem__) for a, b in pairs if (first[a] - first[b]) * (second[a] - second[b]) < 0
    ]
    return tuple(f"{better} over {worse}" for better, worse in swapped)


def _levels(order: Sequence[Sequence[str]]) -> dict[str, int]:
    return {name: number for number, level in enumerate(order) for name in level}


def kendall_tau_b(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> float:
    """Return Kendall's τ-b of two orders over the names that both rank; NaN if one of them ties all names.

    τ-b = (C − D) / √((C + D + T₁)(C + D + T₂)), where C and D count concordant and discordant pairs and T₁ and T₂ the
    pairs tied in one order only (Kendall 1945).
    """
    first, second = _levels(one), _levels(other)
    both = [name for name in first if name in second]
    concordant = discordant = tied_first = tied_second = 0
    for a, b in combinations(both, 2):
        left, right = first[a] - first[b], second[a] - second[b]
        concordant += left * right > 0
        discordant += left * right < 0
        tied_first += left == 0 and right != 0
        tied_second += right == 0 and left != 0
    size = math.sqrt((concordant + discordant + tied_first) * (concordant + discordant + tied_second))
    return (concordant - discordant) / size if size else math.nan


@dataclass(frozen=True)
class RankedOrder:
    """One order of the recommenders by a metric, and the library versions whose metric gives it.

    Attributes:
        first: The winner, or the tied winners.
        order: All recommenders in words, best first.
        swapped: Pairs that the canonical order ranks the other way round.
        given_by: For each library version its name, the anchor of the finding, and its values.
        canonical: Whether it is the canonical order.
        taus: Kendall's τ-b with every order of this metric, this one included; the canonical one stands first.
    """

    first: str
    order: str
    swapped: tuple[str, ...]
    given_by: tuple[tuple[str, str, str], ...]
    canonical: bool
    taus: tuple[str, ...]


@dataclass(frozen=True)
class Ranking:
    """The distinct orders by one metric at one cut-off, the canonical one first."""

    title: str
    anchor: str
    k: str
    orders: tuple[RankedOrder, ...]
    changes_winner: bool


@dataclass(frozen=True)
class Decision:
    """The orders by every metric, and a sentence on whether the choice of library changes the winner."""

    recommenders: tuple[str, ...]
    summary: str
    rankings: tuple[Ranking, ...]


def decision(result: Result) -> Decision | None:
    """Return the decision impact of ``result``; None if fewer than two recommenders were measured."""
    if len(result.recommenders) < 2:
        return None
    made = [_ranking(metric, k, result) for k in result.k for metric in columns(headline_findings(result, k))]
    rankings = tuple(each for each in made if each is not None)
    return Decision(result.recommenders, _summary(result.recommenders, rankings), rankings)


def _summary(names: Sequence[str], rankings: Sequence[Ranking]) -> str:
    reordered = [each for each in rankings if len(each.orders) > 1]
    changed = [each for each in rankings if each.changes_winner]
    who = f"{joined(list(names))}, ranked by {count(len(rankings), 'metric')}"
    if changed:
        titles = joined([each.title for each in changed])
        return f"Yes: of {who}, the winner depends on the library for {len(changed)}: {titles}."
    if reordered:
        return f"Not the winner: of {who}, the order behind it depends on the library for {len(reordered)}."
    return f"Not here: of {who}, every library gives the same order."


def _ranking(metric: str, k: int, result: Result) -> Ranking | None:
    row = next((row for row in result.reference if row.metric == metric and row.k in (k, None)), None)
    canonical_values = finite_values(row.by_recommender) if row else {}
    asked = [
        (finite_values(each.by_recommender), each) for each in headline_findings(result, k) if each.metric == metric
    ]
    found = grouped((order_by_value(values, metric in LOWER_IS_BETTER), e) for values, e in asked if len(values) > 1)
    canonical = None
    if len(canonical_values) > 1:
        canonical = order_by_value(canonical_values, metric in LOWER_IS_BETTER)
        found.setdefault(canonical, [])
    if not any(found.values()):
        return None
    distinct = sorted(found, key=lambda order: (order != canonical, -len(found[order])))
    titles = {(entry.library, entry.version): one_line(entry.title) for entry in result.libraries}
    orders = tuple(_ranked_order(order, canonical, distinct, found[order], titles) for order in distinct)
    winners = {order[0] for order in distinct if found[order] or order == canonical}
    return Ranking(metric_title(metric), fragment("metric", metric), str(k), orders, len(winners) > 1)


def _ranked_order(
    order: Order, canonical: Order | None, distinct: Sequence[Order], findings: Sequence[Finding],
    titles: Mapping[tuple[str, str], str],
) -> RankedOrder:  # fmt: skip
    given_by = tuple(
        (
            f"{titles[f.library, f.version]} {one_line(f.version)}",
            finding_anchor(f),
            ", ".join(f"{name} {rounded(value)}" for name, value in finite_values(f.by_recommender).items()),
        )
        for f in findings
    )
    return RankedOrder(
        first=" = ".join(order[0]),
        order=" > ".join(" = ".join(level) for level in order),
        swapped=() if canonical is None else swapped_pairs(order, canonical),
        given_by=given_by,
        canonical=order == canonical,
        taus=tuple(_tau(order, other) for other in distinct),
    )


def _tau(one: Order, other: Order) -> str:
    value = kendall_tau_b(one, other)
    return "–" if math.isnan(value) else f"{value:.2f}".replace("-", "−")
