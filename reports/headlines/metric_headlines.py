"""The headline of a run: for each metric how many libraries compute the canonical formula, and what the others do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from reference.space.levels import Level
from reports.model.result import Finding, Result
from reports.wording.formatting import one_line, rounded
from reports.wording.formula_words import USUAL, formula_words
from reports.wording.headline_findings import ABSENT, headline_findings
from reports.wording.labels import PAPER_METRICS, PER_USER, count, joined, metric_title
from reports.wording.meanings import fitting_formulas, formula
from reports.wording.shown_values import gives_canonical_value, shown_value

_UNSURE = {"ambiguous": "several formulas fit", "unexplained": "no formula fits", "unstable": "not reproducible"}


_NAMED = 3
"""Most fitting formulas of an ambiguous finding that are named."""

_Titles = Mapping[tuple[str, str], str]
"""Title of each library version that is counted."""


def metric_headlines(result: Result) -> tuple[str, ...]:
    """Return a line for each metric of Table 1, from the functions that it shows at the first cut-off of ``result``.

    Of a library with several versions the first, which is the newest, is counted.
    """
    titles: dict[str, tuple[str, str]] = {}
    for entry in result.libraries:
        titles.setdefault(entry.library, (entry.version, one_line(entry.title)))
    counted = {(library, version): title for library, (version, title) in titles.items()}
    heads = headline_findings(result, result.k[0]) if result.k else []
    heads = [each for each in heads if each.status not in ABSENT and (each.library, each.version) in counted]
    present = dict.fromkeys(finding.metric for finding in heads)
    canonical = {row.metric: row.value for row in result.reference if row.k in (*result.k[:1], None)}
    return tuple(
        _line([each for each in heads if each.metric == metric], canonical.get(metric), counted)
        for metric in [metric for metric in PAPER_METRICS if metric in present] or present
    )


def _line(found: Sequence[Finding], canonical: float | None, titles: _Titles) -> str:
    """Return the line of one metric, whose findings are ``found``."""
    others = [each for each in found if each.verdict != "agrees"]
    same = [each for each in found if each.verdict == "agrees"]
    start = (
        f"{metric_title(found[0].metric)}: {len(same)} of {count(len(found), 'library', 'libraries')} "
        f"{'computes' if 1 in (len(same), len(found)) else 'compute'} the canonical formula"
    )
    shown = "" if canonical is None else f" ({rounded(canonical)}{_shifted(same, canonical, titles)})"
    told = "; ".join(_group(group, canonical, titles) for group in _by_formula(others))
    rest = f"; the other{f' {len(others)}' if len(others) > 1 else ''}: {told}" if told else ""
    return f"{start}{shown}{rest}.{_range(found, canonical)}"


def _shifted(same: Sequence[Finding], canonical: float, titles: _Titles) -> str:
    """Return a clause about those of ``same`` whose number is not the canonical one, and what makes it so."""
    found = [each for each in same if each.value is not None and not gives_canonical_value(each, canonical)]
    if not found:
        return ""
    why: dict[Level, str] = {"who_counts": "who counts", "input": "input handling"}
    causes = [words for level, words in why.items() if any(each.levels.get(level) for each in found)]
    by = f", by {joined(causes)}" if causes else ""
    return f"; {_who(found, canonical, titles)}{by}"


def _by_formula(others: Sequence[Finding]) -> list[list[Finding]]:
    """Return ``others`` in groups of one formula or one reason, the largest first; those without a formula last."""
    groups: dict[tuple[bool, str], list[Finding]] = {}
    for finding in others:
        known = formula(finding)
        key = known or _uncertainty(finding) or finding.status
        groups.setdefault((not known, key), []).append(finding)
    return [group for _, group in sorted(groups.items(), key=lambda pair: (pair[0][0], -len(pair[1])))]


def _group(group: Sequence[Finding], canonical: float | None, titles: _Titles) -> str:
    """Return who computes one formula, the values and the formula: ``RecTools 0.073 (divides by r)``."""
    first = group[0]
    if first.verdict is None:
        return f"{_who(group, canonical, titles)} ({first.status.replace('_', ' ')})"
    known = formula(first)
    words = (formula_words(first.metric, known) or USUAL) if known else _uncertainty(first)
    return f"{_who(group, canonical, titles)} ({words})"


def _uncertainty(finding: Finding) -> str:
    """Return why no formula was identified; if only a few fit, which ones."""
    fitting = fitting_formulas(finding)
    if finding.verdict == "ambiguous" and 1 < len(fitting) <= _NAMED:
        return " or ".join(formula_words(finding.metric, each) or "the canonical one" for each in fitting)
    return _UNSURE.get(finding.verdict or "", "")


def _who(group: Sequence[Finding], canonical: float | None, titles: _Titles) -> str:
    """Return the libraries of a group with their values; libraries with one value share it."""
    by_value: dict[str, list[str]] = {}
    for finding in group:
        number = shown_value(finding, canonical) if finding.value is not None else PER_USER if finding.verdict else ""
        by_value.setdefault(number, []).append(titles[finding.library, finding.version])
    return joined([" ".join(filter(None, (joined(names), value))) for value, names in by_value.items()])


def _range(found: Sequence[Finding], canonical: float | None) -> str:
    """Return a sentence about the means on this data: their range, or that all are the canonical one."""
    means = [(each.value, shown_value(each, canonical)) for each in found if each.value is not None]
    finite = sorted((value, shown) for value, shown in means if math.isfinite(value))
    if len(finite) < 2:
        return ""
    low, high = finite[0][1], finite[-1][1]
    if low != high:
        return f" Values {low} to {high}."
    settled = len(finite) == len(means) and all(each.verdict != "unstable" for each in found)
    alike = settled and canonical is not None and low == rounded(canonical)
    return " On this data every mean is the canonical one." if alike else ""
