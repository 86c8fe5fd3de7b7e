"""The strip plot of a metric of a run: one line for each formula, one for all functions that were not identified."""

from __future__ import annotations

from collections.abc import Sequence

from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.plots.plots import Plot, Strip, strip_label, strip_plot
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import USUAL, formula_words
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.meaning_groups import hue
from recsys_metric_audit.reports.wording.meanings import formula
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters, assign_letters


def formula_strips(result: Result, metric: str, k: int | None) -> Plot | None:
    """Return the plot of all values of ``metric`` at ``k``, a line for each formula; None if no value is finite."""
    marks = assign_letters(result)
    found = [each for each in result.findings if (each.metric, each.k) == (metric, k) and each.value is not None]
    groups: dict[str, list[Finding]] = {}
    for finding in found:
        groups.setdefault(formula(finding), []).append(finding)
    unidentified = groups.pop("", [])
    ordered = sorted(groups.values(), key=lambda group: _place(group[0], marks))
    strips = [_strip(group, marks, result) for group in ordered]
    if unidentified:
        strips.append(Strip("not identified", "sign", _values(unidentified, result)))
    canonical = next((row.value for row in result.reference if row.metric == metric and row.k in (k, None)), None)
    at = "" if k is None else f" at k = {k}"
    return strip_plot(f"{metric_title(metric)} of every function{at}", strips, canonical)


def _place(finding: Finding, marks: VariantLetters) -> tuple[bool, int, str]:
    """Return the sort key of a line: the canonical formula, then letters a, b, ... z, aa, ..."""
    mark = marks.mark(finding)
    return finding.verdict != "agrees", len(mark), mark


def _strip(group: Sequence[Finding], marks: VariantLetters, result: Result) -> Strip:
    first = group[0]
    mark = marks.mark(first)
    words = formula_words(first.metric, formula(first)) or ("canonical" if first.verdict == "agrees" else USUAL)
    return Strip(strip_label(mark, words), hue(mark), _values(group, result))


def _values(group: Sequence[Finding], result: Result) -> tuple[tuple[str, float], ...]:
    """Return pairs (library, versions and function; value): versions of a function with one value share a pair."""
    titles = {(entry.library, entry.version): one_line(entry.title) for entry in result.libraries}
    versions: dict[tuple[str, str, float | None], list[str]] = {}
    for each in group:
        key = (titles.get((each.library, each.version), each.library), each.function, each.value)
        versions.setdefault(key, []).append(each.version)
    return tuple(
        (f"{title} {', '.join(own)} {function}", value)
        for (title, function, value), own in versions.items() if value is not None
    )  # fmt: skip
