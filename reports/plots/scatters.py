"""The scatter plots of a result, each drawn once: findings of one metric with equal per-user values share a plot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from recsys_metric_audit.reports.model.result import USERS_DRAWN, Bin, Finding, Result
from recsys_metric_audit.reports.plots.plots import Plot, scatter_plot
from recsys_metric_audit.reports.wording.anchors import fragment
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.meaning_groups import hue
from recsys_metric_audit.reports.wording.variant_letters import assign_letters

_Key = tuple[str, int | None, tuple[Bin, ...], str]
"""Metric, cut-off, bins, and of which users they are; empty for all of them."""


@dataclass(frozen=True)
class Scatter:
    """A scatter plot on the page of its metric.

    Attributes:
        anchor: Anchor of the plot.
        shapes: Anchor of the drawing inside, so that other pages can use it.
        marks: Pairs (mark, hue) of the meanings that have this plot.
        plot: The plot.
    """

    anchor: str
    shapes: str
    marks: tuple[tuple[str, str], ...]
    plot: Plot


@dataclass(frozen=True)
class Scatters:
    """Every scatter plot of a result, by metric, cut-off and bins."""

    drawn: Mapping[_Key, Scatter]

    def of_finding(self, finding: Finding) -> Scatter:
        """Return the plot of a finding that has per-user values and is not canonical."""
        return self.drawn[_key(finding)]

    def of_metric(self, metric: str) -> tuple[Scatter, ...]:
        """Return the plots of a metric, in the order of its findings."""
        return tuple(plot for (name, *_), plot in self.drawn.items() if name == metric)


def draw_scatters(result: Result) -> Scatters:
    """Return the scatter plots of all findings that are not canonical."""
    marks, found = assign_letters(result), dict[_Key, dict[str, None]]()
    for finding in result.findings:
        if finding.scatter and finding.verdict != "agrees":
            found.setdefault(_key(finding), {})[marks.mark(finding)] = None
    return Scatters({key: _draw(number, key, tuple(shared)) for number, (key, shared) in enumerate(found.items(), 1)})


def _key(finding: Finding) -> _Key:
    return (finding.metric, finding.k, finding.scatter, finding.evidence.range.get(USERS_DRAWN, ""))


def _draw(number: int, key: _Key, marks: tuple[str, ...]) -> Scatter:
    metric, k, bins, drawn = key
    at = "" if k is None else f" at k = {k}"
    return Scatter(
        anchor=fragment("scatter", metric, str(number)),
        shapes=f"drawn-{number}",
        marks=tuple((mark, hue(mark)) for mark in marks),
        plot=scatter_plot(f"{metric_title(metric)} of {'each user drawn' if drawn else 'every user'}{at}", bins, drawn),
    )
