"""The groups of library versions that compute one formula under the name of a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.page.matrix import columns
from recsys_metric_audit.reports.wording.anchors import fragment
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.headline_findings import headline_findings
from recsys_metric_audit.reports.wording.labels import joined, metric_title
from recsys_metric_audit.reports.wording.meaning_groups import hue
from recsys_metric_audit.reports.wording.meanings import formula
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters, assign_letters


@dataclass(frozen=True)
class Agreement:
    """Names the library versions that compute one formula under the name of a metric.

    Attributes:
        mark: Letter of the formula.
        hue: Class of its colour.
        label: The formula in words.
        link: Anchor of its page.
        libraries: The libraries with their versions, in words.
        versions: Number of library versions.
        names: The libraries' names, for filters.
    """

    mark: str
    hue: str
    label: str
    link: str
    libraries: str
    versions: int
    names: tuple[str, ...]


def agreements(result: Result, k: int) -> tuple[tuple[str, str, tuple[Agreement, ...]], ...]:
    """Return for each metric its title, its anchor and its groups at cut-off ``k``, the largest group first."""
    marks = assign_letters(result)
    titles = {(entry.library, entry.version): one_line(entry.title) for entry in result.libraries}
    found = []
    heads = headline_findings(result, k)
    for metric in columns(heads):
        groups: dict[str, list[Finding]] = {}
        for finding in heads:
            if finding.metric == metric and formula(finding):
                groups.setdefault(formula(finding), []).append(finding)
        made = [_agreement(text, group, marks, titles) for text, group in groups.items()]
        if made:
            made.sort(key=lambda each: -each.versions)
            found.append((metric_title(metric), fragment("metric", metric), tuple(made)))
    return tuple(found)


def _agreement(
    text: str, findings: Sequence[Finding], marks: VariantLetters, titles: Mapping[tuple[str, str], str]
) -> Agreement:  # fmt: skip
    first = findings[0]
    mark = marks.mark(first)
    by_title: dict[str, list[str]] = {}
    for finding in findings:
        by_title.setdefault(titles[finding.library, finding.version], []).append(one_line(finding.version))
    libraries = "; ".join(f"{name} {joined(versions)}" for name, versions in by_title.items())
    words = formula_words(first.metric, text) or ("canonical" if first.verdict == "agrees" else "the usual formula")
    link, names = fragment("meaning", first.metric, text), tuple(dict.fromkeys(each.library for each in findings))
    return Agreement(mark, hue(mark), words, link, libraries, len(findings), names)
