"""The page of each metric: its variants side by side, who computes which, and all values on one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reference.metrics import METRICS
from reports.handbook.metric_entries import MetricEntry, metric_entry
from reports.model.result import Finding, Result
from reports.page.finding_pages import Meaning
from reports.page.function_entries import Entry
from reports.page.matrix import columns
from reports.plots.plots import Plot, Strip, strip
from reports.plots.plots import label as row_label
from reports.plots.scatters import Scatter, Scatters
from reports.wording.anchors import finding_anchor, fragment
from reports.wording.axis_words import variant_label
from reports.wording.formatting import Pairs, exact
from reports.wording.labels import count, metric_title


@dataclass(frozen=True)
class Variant:
    """One meaning beside the others: its values on the axes on which any of them differ, and who computes it."""

    meaning: Meaning
    label: str
    values: tuple[tuple[str, bool], ...]
    """Value on each axis, and whether it is off the canonical one."""
    versions: tuple[tuple[str, str, str], ...]
    """Who computes it: library, versions, anchor of the first."""


@dataclass(frozen=True)
class Metric:
    """One metric. ``canonical`` has its signature and value at each cut-off."""

    anchor: str
    title: str
    name: str
    handbook: MetricEntry | None
    """``None`` for a metric that the reference does not know."""
    canonical: Pairs
    summary: str
    axes: tuple[str, ...]
    variants: tuple[Variant, ...]
    others: tuple[Meaning, ...]
    """What has no meaning: not identified, or no value."""
    strips: tuple[Plot, ...]
    scatters: tuple[Scatter, ...]


def metric_pages(result: Result, meanings: Sequence[Meaning], drawn: Scatters) -> tuple[Metric, ...]:
    """Return the page of every metric in the order of the matrix, with its plots of ``drawn``."""
    pages = []
    for metric in columns(result.findings):
        own = [each for each in meanings if each.metric_anchor == fragment("metric", metric)]
        pages.append(_metric(metric, own, result, drawn))
    return tuple(pages)


def _metric(metric: str, meanings: Sequence[Meaning], result: Result, drawn: Scatters) -> Metric:
    rows = [row for row in result.reference if row.metric == metric]
    known = [each for each in meanings if each.verdict in ("agrees", "variant", "undocumented")]
    axes = list(dict.fromkeys(each.axis for meaning in known for each in meaning.differences))
    functions = sum(len(entry.places) for each in meanings for entry in each.entries)
    return Metric(
        anchor=fragment("metric", metric),
        title=metric_title(metric),
        name=metric,
        handbook=metric_entry(metric) if metric in METRICS else None,
        canonical=tuple((row.signature, exact(row.value)) for row in rows),
        summary=f"{count(len(known), 'meaning')} identified in {count(functions, 'finding')}",
        axes=tuple(axes),
        variants=tuple(_variant(each, axes) for each in known),
        others=tuple(each for each in meanings if each not in known),
        strips=tuple(plot for k in _cutoffs(metric, result) if (plot := _strip(metric, k, meanings, result))),
        scatters=drawn.on(metric),
    )


def _variant(meaning: Meaning, axes: Sequence[str]) -> Variant:
    chosen = {each.axis: (each.value, each.moved) for each in meaning.choices}
    by_library: dict[str, list[Entry]] = {}
    for entry in meaning.entries:
        by_library.setdefault(entry.library, []).append(entry)
    who = tuple(
        (name, ", ".join(dict.fromkeys(v for entry in entries for v in entry.versions)), entries[0].first.anchor)
        for name, entries in by_library.items()
    )
    values = tuple(chosen.get(axis, ("–", False)) for axis in axes)
    return Variant(meaning, variant_label(meaning.differences) or "canonical", values, who)


def _cutoffs(metric: str, result: Result) -> list[int | None]:
    return list(dict.fromkeys(finding.k for finding in result.findings if finding.metric == metric))


def _strip(metric: str, k: int | None, meanings: Sequence[Meaning], result: Result) -> Plot | None:
    canonical = next((row.value for row in result.reference if row.metric == metric and row.k in (k, None)), None)
    found = {finding_anchor(finding): finding for finding in result.findings if finding.metric == metric}
    strips, unsure = [], []
    for each in meanings:
        values = tuple(
            (f"{entry.library} {', '.join(versions)} {entry.function}", value)
            for entry in each.entries
            for value, versions in _at(entry, "–" if k is None else str(k), found).items()
        )
        if values and each.verdict in ("agrees", "variant", "undocumented"):
            strips.append(Strip(row_label(each.mark, variant_label(each.differences) or "canonical"), each.hue, values))
        unsure += [] if each.verdict in ("agrees", "variant", "undocumented") else list(values)
    if unsure:
        strips.append(Strip("not identified", "sign", tuple(unsure)))
    at = "" if k is None else f" at k = {k}"
    return strip(f"{metric_title(metric)} of every function{at}", strips, canonical)


def _at(entry: Entry, k: str, found: Mapping[str, Finding]) -> dict[float, list[str]]:
    """Return the values of an entry at one cut-off, each with the versions that have it."""
    values: dict[float, list[str]] = {}
    for place in entry.places:
        value = found[place.anchor].value
        if place.k == k and value is not None:
            values.setdefault(value, []).append(place.version)
    return values
