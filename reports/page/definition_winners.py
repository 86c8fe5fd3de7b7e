"""The rows of a page on which recommender each definition puts first: definitions with equal values share one."""

from __future__ import annotations

from dataclasses import dataclass

from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.tables import winners
from recsys_metric_audit.reports.tables.table import Table
from recsys_metric_audit.reports.wording.anchors import finding_anchor
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.labels import metric_title


@dataclass(frozen=True)
class DefinitionRow:
    """Holds definitions of a metric with one value for each recommender and one lead of the first, as shown.

    Attributes:
        signature: The shortest of them.
        others: The rest.
        first: The recommender that is first, or the tied ones; empty if there is no order.
        values: The value of each recommender, in the order of the page.
        lead: The lead over the second with its interval.
        libraries: Each library version that computes one of them, with the anchor of its first finding.
        reason: Why there is no order.
        changes: Whether another recommender than by the canonical definition is first.
    """

    signature: str
    others: tuple[str, ...]
    first: str
    values: tuple[str, ...]
    lead: str
    libraries: tuple[tuple[str, str], ...]
    reason: str
    changes: bool


@dataclass(frozen=True)
class MetricRows:
    """Holds the rows of one metric at one cut-off: those of the canonical first recommender stand first."""

    title: str
    k: int
    rows: tuple[DefinitionRow, ...]

    @property
    def changes(self) -> bool:
        """Return True if the definition decides which recommender is first."""
        return any(row.changes for row in self.rows)


@dataclass(frozen=True)
class DefinitionWinners:
    """Holds what the page shows of all metrics, and the recommenders in the order of the values.

    ``asked`` is the only recommender whose predictions the libraries were given; empty if they were given all.
    """

    summary: str
    table: Table
    recommenders: tuple[str, ...]
    asked: str
    metrics: tuple[MetricRows, ...]


def definition_winners(result: Result) -> DefinitionWinners | None:
    """Return which recommender is first by which definition; None if the run ranks no recommenders by definitions."""
    found, table = winners.metric_winners(result), winners.winners_table(result)
    if table is None:
        return None
    names = tuple(found[0].canonical.ranking.values)
    asked = "" if len(result.recommenders) > 1 else names[0]
    metrics = tuple(MetricRows(metric_title(each.metric), each.k, _rows(each, result)) for each in found)
    return DefinitionWinners(winners.winners_summary(result, found), table, names, asked, metrics)


def _rows(each: winners.MetricWinners, result: Result) -> tuple[DefinitionRow, ...]:
    ranked = [definition for own in each.by_first.values() for definition in own]
    alike = grouped((_told(definition), definition) for definition in (*ranked, *each.without))
    titles = {(entry.library, entry.version): f"{one_line(entry.title)} {one_line(entry.version)}"
              for entry in result.libraries}  # fmt: skip
    return tuple(_row(definitions, each.first, titles) for definitions in alike.values())


def _told(definition: winners.RankedDefinition) -> tuple[object, ...]:
    """Return what a row says of a definition: definitions of which it says one thing share a row."""
    ranking = definition.ranking
    return ranking.first, tuple(map(rounded, ranking.values.values())), definition.lead, ranking.reason


def _row(
    definitions: list[winners.RankedDefinition], canonical: tuple[str, ...], titles: dict[tuple[str, str], str]
) -> DefinitionRow:
    ranking = definitions[0].ranking
    signature, *others = sorted((each.ranking.signature for each in definitions), key=lambda text: (len(text), text))
    anchors: dict[str, str] = {}
    for finding in (finding for each in definitions for finding in each.findings):
        anchors.setdefault(titles[finding.library, finding.version], finding_anchor(finding))
    ordered = len(ranking.first) < len(ranking.values)
    return DefinitionRow(
        signature=signature,
        others=tuple(others),
        first=" = ".join(ranking.first) if ordered else "",
        values=tuple(map(rounded, ranking.values.values())),
        lead=definitions[0].lead if ordered else "",
        libraries=tuple(anchors.items()),
        reason=ranking.reason or ("" if ordered and ranking.first else "no order: all are alike or not a number"),
        changes=bool(ordered and ranking.first and ranking.first != canonical),
    )
