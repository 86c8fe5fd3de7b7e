"""The decision impact: does the choice of library change which recommender a metric ranks first?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.page.matrix import columns
from recsys_metric_audit.reports.page.rank_orders import (
    Order,
    finite_values,
    kendall_tau_b,
    order_by_value,
    swapped_pairs,
)
from recsys_metric_audit.reports.wording.anchors import finding_anchor, fragment
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.headline_findings import headline_findings
from recsys_metric_audit.reports.wording.labels import LOWER_IS_BETTER, count, joined, metric_title
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters, assign_letters


@dataclass(frozen=True)
class RankedOrder:
    """One order of the recommenders by a metric, and the library versions whose metric gives it.

    Attributes:
        first: The winner, or the tied winners.
        order: All recommenders in words, best first.
        tau: Kendall's τ-b with the canonical order.
        swapped: Pairs that the canonical order ranks the other way round.
        given_by: For each library version its name, the anchor of the finding, and its values.
        canonical: Whether it is the canonical order.
        taus: Kendall's τ-b with every order of this metric, this one included.
    """

    first: str
    order: str
    tau: str
    swapped: tuple[str, ...]
    given_by: tuple[tuple[str, str, str], ...]
    canonical: bool
    taus: tuple[str, ...] = ()


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
    marks = assign_letters(result)
    made = [_ranking(metric, k, result, marks) for k in result.k for metric in columns(headline_findings(result, k))]
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


def _ranking(metric: str, k: int, result: Result, marks: VariantLetters) -> Ranking | None:
    row = next((row for row in result.reference if row.metric == metric and row.k in (k, None)), None)
    canonical_values = finite_values(row.by_recommender) if row else {}
    found: dict[Order, list[Finding]] = {}
    for finding in headline_findings(result, k):
        values = finite_values(finding.by_recommender)
        if finding.metric == metric and len(values) > 1:
            found.setdefault(order_by_value(values, metric in LOWER_IS_BETTER), []).append(finding)
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
        tau="–" if canonical is None else _tau(order, canonical),
        swapped=() if canonical is None else swapped_pairs(order, canonical),
        given_by=given_by,
        canonical=order == canonical,
        taus=tuple(_tau(order, other) for other in distinct),
    )


def _tau(one: Order, other: Order) -> str:
    value = kendall_tau_b(one, other)
    return "–" if math.isnan(value) else f"{value:.2f}".replace("-", "−")
