"""The scatters of a result, each drawn once: findings of one metric with the same values of users share one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reports.model.result import Bin, Finding, Result
from reports.plots.plots import Plot, scatter
from reports.wording.anchors import fragment
from reports.wording.labels import metric_title
from reports.wording.meaning_groups import hue
from reports.wording.variant_letters import assign_letters

_Key = tuple[str, int | None, tuple[Bin, ...]]


@dataclass(frozen=True)
class Scatter:
    """A plot of a metric's page: ``anchor`` is its place there, ``shapes`` that of the drawing itself."""

    anchor: str
    shapes: str
    marks: tuple[tuple[str, str], ...]
    """Marks of the meanings that look like this, each with its hue."""
    plot: Plot


@dataclass(frozen=True)
class Scatters:
    """Every scatter of a result, by what it shows."""

    drawn: Mapping[_Key, Scatter]

    def of(self, finding: Finding) -> Scatter:
        """Return the plot of a finding that has values of users."""
        return self.drawn[_key(finding)]

    def on(self, metric: str) -> tuple[Scatter, ...]:
        """Return the plots of a metric, in the order of its findings."""
        return tuple(plot for (name, _, _), plot in self.drawn.items() if name == metric)


def scatters(result: Result) -> Scatters:
    """Return the scatters of all findings that are not canonical."""
    marks, found = assign_letters(result), dict[_Key, dict[str, None]]()
    for finding in result.findings:
        if finding.scatter and finding.verdict != "agrees":
            found.setdefault(_key(finding), {})[marks.mark(finding)] = None
    return Scatters({key: _scatter(number, key, tuple(same)) for number, (key, same) in enumerate(found.items(), 1)})


def _key(finding: Finding) -> _Key:
    return (finding.metric, finding.k, finding.scatter)


def _scatter(number: int, key: _Key, marks: tuple[str, ...]) -> Scatter:
    metric, k, bins = key
    at = "" if k is None else f" at k = {k}"
    place = fragment("scatter", metric, str(number))
    return Scatter(
        place,
        f"drawn-{number}",
        tuple((mark, hue(mark)) for mark in marks),
        scatter(f"{metric_title(metric)} of every user{at}", bins),
    )
