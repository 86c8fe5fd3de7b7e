"""Table 3: which recommender is first by each definition that the libraries of a run compute, and by how much."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.ranking import DefinitionRanking
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.tables.table import EMPTY, Cell, Column, KeyEntry, Row, Table
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.labels import PAPER_METRICS, count, joined, metric_title
from recsys_metric_audit.reports.wording.library_groups import ALL_GROUPS, only_versions, shown_versions
from recsys_metric_audit.reports.wording.meanings import findings_at, meaning

_SAME = 1e-3
"""Part of a value by which a library's may differ from its definition's: it can be rounded to four digits."""
_MOST_NAMES = 4
_HEADS = (
    ("first", "canonical"), ("lead", "canonical"), ("definitions", "same first"), ("definitions", "other first"),
    ("of these", "beyond chance"),
)  # fmt: skip


@dataclass(frozen=True)
class RankedDefinition:
    """Holds a ranking with the findings whose definition it is."""

    ranking: DefinitionRanking
    findings: tuple[Finding, ...] = ()

    @property
    def second(self) -> str:
        """Return the recommender that comes nearest to the first; empty if there is none."""
        return min(self.ranking.leads, key=lambda name: self.ranking.leads[name].difference, default="")

    @property
    def lead(self) -> str:
        """Return the lead over the second with its interval, in figures; empty without a first recommender."""
        if not self.second:
            return ""
        lead = self.ranking.leads[self.second]
        ends = "no interval" if math.isnan(lead.low) else f"[{rounded(lead.low)}, {rounded(lead.high)}]"
        return f"{rounded(lead.difference)} {ends}"


@dataclass(frozen=True)
class MetricWinners:
    """Holds the definitions of one metric at one cut-off, by the recommender that is first.

    Attributes:
        metric: The metric's name.
        k: The cut-off of the run.
        canonical: The canonical definition.
        by_first: The definitions by the recommender, or the tied ones, that they put first; the canonical first.
        without: The definitions that give no order of the recommenders.
    """

    metric: str
    k: int
    canonical: RankedDefinition
    by_first: Mapping[tuple[str, ...], tuple[RankedDefinition, ...]]
    without: tuple[RankedDefinition, ...] = ()

    @property
    def first(self) -> tuple[str, ...]:
        """Return the recommender that is first by the canonical definition."""
        return self.canonical.ranking.first

    @property
    def changed(self) -> tuple[RankedDefinition, ...]:
        """Return the definitions by which another recommender is first."""
        return tuple(each for first, own in self.by_first.items() if first != self.first for each in own)

    @property
    def clear(self) -> tuple[RankedDefinition, ...]:
        """Return those of ``changed`` where both leads, theirs and the canonical one, have intervals above 0."""
        return tuple(each for each in self.changed if self._is_clear(each.ranking))

    def _is_clear(self, other: DefinitionRanking) -> bool:
        if len(self.first) != 1 or len(other.first) != 1:
            return False
        (canonical,), (own,) = self.first, other.first
        return self.canonical.ranking.leads[own].is_clear and other.leads[canonical].is_clear


def metric_winners(result: Result) -> tuple[MetricWinners, ...]:
    """Return for each metric of Table 1, at each cut-off, which recommender is first by which definition.

    Functions that were asked about one relevant item a user are left out, and those whose value on these data is not
    their definition's: what they were asked is not what is ranked here.
    """
    rankings = {each.signature: each for each in result.rankings}
    made = [_winners(result, metric, k, rankings) for k in result.k for metric in PAPER_METRICS]
    return tuple(each for each in made if each is not None)


def _winners(result: Result, metric: str, k: int, rankings: Mapping[str, DefinitionRanking]) -> MetricWinners | None:
    row = next((each for each in result.reference if each.metric == metric and each.k in (k, None)), None)
    canonical = rankings.get(row.signature) if row else None
    known = [(each.signature or "", each) for each in findings_at(result, k) if each.metric == metric and meaning(each)]
    found = grouped((name, each) for name, each in known if _is_of_these_data(each, rankings.get(name)))
    if canonical is None or not canonical.first or not found:
        return None
    own = RankedDefinition(canonical, tuple(found.pop(canonical.signature, ())))
    every = [own, *(RankedDefinition(rankings[name], tuple(findings)) for name, findings in sorted(found.items()))]
    ordered = [each for each in every if 0 < len(each.ranking.first) < len(each.ranking.values)]
    by_first: dict[tuple[str, ...], list[RankedDefinition]] = {canonical.first: []}
    by_first |= grouped((each.ranking.first, each) for each in ordered)
    without = tuple(each for each in every if each not in ordered)
    return MetricWinners(metric, k, own, {first: tuple(ranked) for first, ranked in by_first.items()}, without)


def _is_of_these_data(finding: Finding, ranking: DefinitionRanking | None) -> bool:
    if ranking is None or finding.assumed.get("truth", "all") != "all":
        return False
    if finding.value is None or not ranking.values:
        return True
    value = next(iter(ranking.values.values()))
    return math.isclose(value, finding.value, rel_tol=_SAME) or (math.isnan(value) and math.isnan(finding.value))


def winners_summary(result: Result, found: Sequence[MetricWinners]) -> str:
    """Return in a sentence for which metrics the definition decides which recommender is first; empty without any."""
    if not found:
        return ""
    recommenders = list(found[0].canonical.ranking.values)
    definitions = count(sum(len(own) for each in found for own in each.by_first.values()), "definition")
    who = f"of {joined(recommenders)}, ranked by {definitions} of {count(len(found), 'metric')}"
    changed = [each for each in found if each.changed]
    if not changed:
        return f"Not here: {who}, all definitions of a metric put the same recommender first."
    titles = joined([_title(each, result) for each in changed])
    clear = sum(len(each.clear) for each in changed)
    chance = f"{clear} of these changes {'is' if clear == 1 else 'are'}" if clear else "None of these changes is"
    return f"{who[:1].upper()}{who[1:]}, the first depends on the definition of {titles}. {chance} beyond chance."


def _title(each: MetricWinners, result: Result) -> str:
    return metric_title(each.metric) + (f" at k = {each.k}" if len(result.k) > 1 else "")


def winners_table(result: Result, group: str | None = ALL_GROUPS) -> Table | None:
    """Return Table 3: a row for each metric at each cut-off; None if the run ranks no recommenders.

    Args:
        result: The run.
        group: The group of libraries whose definitions count (:func:`reports.wording.library_groups.shown_versions`).
    """
    shown = only_versions(result, shown_versions(result, group))
    found = metric_winners(shown)
    if not found:
        return None
    asked = next(iter(found[0].canonical.ranking.values))
    by_whom = "" if len(result.recommenders) > 1 else f": libraries were asked about {asked} only"
    return Table(
        name="Table 3",
        caption="The recommender that is first by the canonical definition, and by each one that these libraries "
        f"compute. This tool computed all values{by_whom}. A lead is that over the second, with its 95 % interval over "
        "users; a change is beyond chance where the intervals of both leads, before and after, are above 0.",
        columns=tuple(Column(*words) for words in _HEADS),
        rows=tuple(_row(each, shown) for each in found),
        key=tuple(entry for each in found for entry in _entries(each, shown)),
    )


def _row(each: MetricWinners, result: Result) -> Row:
    others = ", ".join(f"{' = '.join(first)} {len(own)}" for first, own in each.by_first.items() if first != each.first)
    return Row(
        metric_title(each.metric),
        f"k = {each.k}" if len(result.k) > 1 else "",
        (
            Cell(" = ".join(each.first)),
            Cell(each.canonical.lead),
            Cell(str(len(each.by_first[each.first]))),
            Cell(others, state="variant") if others else EMPTY,
            Cell(f"{len(each.clear)} of {len(each.changed)}") if others else EMPTY,
        ),
    )


def _entries(each: MetricWinners, result: Result) -> list[KeyEntry]:
    column = _title(each, result)
    entries = [
        KeyEntry(column, "", f"{' = '.join(first)} first by {_names(own, result)}", "")
        for first, own in each.by_first.items()
        if first != each.first
    ]
    if each.without:
        entries.append(KeyEntry(column, "", f"no order by {count(len(each.without), 'further definition')}", ""))
    return entries


def _names(ranked: Sequence[RankedDefinition], result: Result) -> str:
    """Return the titles of the libraries that compute one of the definitions, the first few by name."""
    computed = {finding.library for each in ranked for finding in each.findings}
    names = list(dict.fromkeys(one_line(entry.title) for entry in result.libraries if entry.library in computed))
    left = len(names) - _MOST_NAMES
    return joined(names) if left <= 1 else f"{', '.join(names[:_MOST_NAMES])} and {left} more"
