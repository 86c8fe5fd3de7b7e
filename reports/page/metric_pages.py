"""The page of each metric: its variants side by side, which library computes which, and all values on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.handbook.metric_entries import MetricEntry, metric_entry
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.page.formula_pages import FormulaPage
from recsys_metric_audit.reports.page.function_entries import FunctionEntry
from recsys_metric_audit.reports.page.matrix import columns
from recsys_metric_audit.reports.plots.formula_strips import formula_strips
from recsys_metric_audit.reports.plots.plots import Plot
from recsys_metric_audit.reports.plots.scatters import Scatter, Scatters
from recsys_metric_audit.reports.wording.anchors import fragment
from recsys_metric_audit.reports.wording.axis_words import variant_label
from recsys_metric_audit.reports.wording.formatting import Pairs, exact
from recsys_metric_audit.reports.wording.labels import count, metric_title

_IDENTIFIED = ("agrees", "variant", "undocumented")
"""Verdicts with one identified definition."""


@dataclass(frozen=True)
class Variant:
    """One meaning beside the others.

    Attributes:
        meaning: Page of the meaning.
        label: The axes on which it differs, short.
        values: For each axis on which any variant differs, its value and whether that is not the canonical one.
        versions: The libraries that compute it: name, versions, anchor of the first finding.
    """

    meaning: FormulaPage
    label: str
    values: tuple[tuple[str, bool], ...]
    versions: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class MetricPage:
    """The page of one metric.

    ``canonical`` has its canonical signature and value at each cut-off. ``handbook`` is None for a metric that the
    reference does not know. ``others`` are the findings without an identified definition or without a value.
    """

    anchor: str
    title: str
    name: str
    handbook: MetricEntry | None
    canonical: Pairs
    summary: str
    axes: tuple[str, ...]
    variants: tuple[Variant, ...]
    others: tuple[FormulaPage, ...]
    strips: tuple[Plot, ...]
    scatters: tuple[Scatter, ...]


def metric_pages(result: Result, meanings: Sequence[FormulaPage], drawn: Scatters) -> tuple[MetricPage, ...]:
    """Return the page of every metric, in the order of the matrix.

    Args:
        result: The result of a run.
        meanings: The pages of its meanings.
        drawn: Its scatter plots.
    """
    pages = []
    for metric in columns(result.findings):
        own = [each for each in meanings if each.metric_anchor == fragment("metric", metric)]
        pages.append(_page(metric, own, result, drawn))
    return tuple(pages)


def _page(metric: str, meanings: Sequence[FormulaPage], result: Result, drawn: Scatters) -> MetricPage:
    rows = [row for row in result.reference if row.metric == metric]
    known = [each for each in meanings if set(each.verdicts) <= set(_IDENTIFIED)]
    axes = list(dict.fromkeys(each.axis for meaning in known for each in meaning.differences))
    findings = sum(len(entry.occurrences) for each in meanings for entry in each.entries)
    return MetricPage(
        anchor=fragment("metric", metric),
        title=metric_title(metric),
        name=metric,
        handbook=metric_entry(metric) if metric in FAMILIES else None,
        canonical=tuple((row.signature, exact(row.value)) for row in rows),
        summary=f"{count(len(known), 'formula')} identified in {count(findings, 'finding')}",
        axes=tuple(axes),
        variants=tuple(_variant(each, axes) for each in known),
        others=tuple(each for each in meanings if each not in known),
        strips=tuple(plot for k in _cutoffs(metric, result) if (plot := formula_strips(result, metric, k))),
        scatters=drawn.of_metric(metric),
    )


def _variant(meaning: FormulaPage, axes: Sequence[str]) -> Variant:
    chosen = {each.axis: (each.value, each.moved) for each in meaning.choices}
    by_library: dict[str, list[FunctionEntry]] = {}
    for entry in meaning.entries:
        by_library.setdefault(entry.library, []).append(entry)
    versions = tuple(
        (name, ", ".join(dict.fromkeys(v for entry in entries for v in entry.versions)), entries[0].first.anchor)
        for name, entries in by_library.items()
    )
    values = tuple(chosen.get(axis, ("–", False)) for axis in axes)
    return Variant(meaning, variant_label(meaning.differences) or "canonical", values, versions)


def _cutoffs(metric: str, result: Result) -> list[int | None]:
    return list(dict.fromkeys(finding.k for finding in result.findings if finding.metric == metric))
