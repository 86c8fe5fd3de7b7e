"""The headline of a run: for each metric how many libraries compute the canonical formula, and what the others do.

Formulas that equal the canonical one on yes/no data, where every gain is 1, are counted apart.

A headline is two lines of a terminal at most. It names the most telling of the other formulas; the rest is in the key
of Table 1 and on the page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from recsys_metric_audit.reports.model.result import Finding, Reference, Result
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.formula_words import USUAL, formula_words
from recsys_metric_audit.reports.wording.headline_findings import ABSENT, headline_findings
from recsys_metric_audit.reports.wording.labels import PAPER_METRICS, PER_USER, joined, metric_title
from recsys_metric_audit.reports.wording.meanings import fitting_formulas, formula
from recsys_metric_audit.reports.wording.shown_values import gives_canonical_value, is_canonical_value
from recsys_metric_audit.reports.wording.who_counts import reads_whole_lists
from recsys_metric_audit.reports.wording.yes_no_data import equals_canonical_on_yes_no_data

LONGEST = 190
"""Limits the characters of a headline: two lines of a hundred columns, less indents and the blanks of wrapping."""

_NAMED = 3
"""Limits the formulas that a headline names beside the canonical one."""

_FIRST = 2
"""Counts the formulas whose libraries have a place before the words of any formula."""

_LONGEST_WORDS = 60
"""Limits the characters of a formula's words in a headline; longer ones are left to the key."""

_NOTHING = 5e-7
"""Smallest change of a value that is told as one: six decimals."""

_Titles = Mapping[tuple[str, str], str]
"""Maps each library version that is counted to its title."""


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
    canonical = {row.metric: row for row in result.reference if row.k in (*result.k[:1], None)}
    return tuple(
        _line([each for each in heads if each.metric == metric], canonical.get(metric), counted)
        for metric in [metric for metric in PAPER_METRICS if metric in present] or present
    )


def _line(found: Sequence[Finding], canonical: Reference | None, titles: _Titles) -> str:
    """Return the line of one metric, whose findings are ``found``."""
    same = [each for each in found if each.verdict == "agrees"]
    others = [each for each in found if each.verdict != "agrees" and formula(each)]
    alike = [each for each in others if equals_canonical_on_yes_no_data(each, canonical)]
    unknown = [each for each in found if each.verdict is not None and not formula(each)]
    lost = [each for each in found if each.verdict is None]
    compute = "computes" if 1 in (len(same), len(found)) else "compute"
    shown = "" if canonical is None else f" ({rounded(canonical.value)}{_shifted(same, canonical, titles)})"
    start = f"{metric_title(found[0].metric)}: {len(same)} of {len(found)} {compute} the canonical formula{shown}"
    start += _alike(alike, canonical)
    others = [each for each in others if each not in alike]
    end = f"{_unknown(unknown, titles)}{_lost(lost, titles)}."
    return start + _others(others, canonical, titles, LONGEST - len(start) - len(end)) + end


def _shifted(same: Sequence[Finding], canonical: Reference, titles: _Titles) -> str:
    """Return a clause about the findings of ``same`` whose number is not the canonical one, and the cause."""
    found = [each for each in same if each.value is not None and not gives_canonical_value(each, canonical)]
    if not found:
        return ""
    by_cause = {
        "whole lists": any(map(reads_whole_lists, found)),
        "who counts": any(each.effect and _moves(each.effect.who_counts) for each in found),
        "input handling": any(each.effect and _moves(each.effect.input) for each in found),
    }
    causes = [words for words, moved in by_cause.items() if moved]
    by = f", by {joined(causes)}" if causes else ""
    return f"; {_who(found, titles)}{by}"


def _moves(change: float) -> bool:
    return not abs(change) < _NOTHING


def _alike(found: Sequence[Finding], canonical: Reference | None) -> str:
    """Return a clause about the findings whose formula equals the canonical one on yes/no data, with their range."""
    if not found:
        return ""
    numbers = _range(found, canonical).removeprefix(", ").removesuffix(" here")
    here = f" ({numbers} here)" if numbers else ""
    return f"; {len(found)} {'equals' if len(found) == 1 else 'equal'} it on yes/no data{here}"


def _others(others: Sequence[Finding], canonical: Reference | None, titles: _Titles, room: int) -> str:
    """Return how many compute other formulas, their range, and the most telling formulas that fit into ``room``.

    Values far from the canonical one go before values near it. The first names have a place before any words.
    """
    if not others:
        return ""
    start = "; 1 other" if len(others) == 1 else f"; {len(others)} others{_range(others, canonical)}"
    groups = sorted(_by_formula(others), key=lambda group: -_distance(group, canonical))[:_NAMED]
    named = {_who(group, titles): _words(group) for group in groups}
    first = list(named)[:_FIRST]
    told: dict[str, str] = {}
    for name, words in [*((name, "") for name in first), *((name, named[name]) for name in first), *named.items()]:
        tried = told | {name: words or told.get(name, "")}
        short = told | {name: told.get(name, "")}
        told = next((each for each in (tried, short) if len(_list(start, each)) <= room), told)
    return _list(start, told) if told else start


def _list(start: str, told: Mapping[str, str]) -> str:
    return f"{start}: {', '.join(name + words for name, words in told.items())}"


def _range(others: Sequence[Finding], canonical: Reference | None) -> str:
    """Return the range of the means of ``others``; where all are the canonical number, that they are."""
    with_mean = [each for each in others if each.value is not None and math.isfinite(each.value)]
    means = sorted(each.value for each in with_mean if each.value is not None)
    if not means:
        return ""
    if len(means) == len(others) and all(is_canonical_value(each, canonical) for each in others):
        return ", the same number here"
    return f", {' to '.join(dict.fromkeys(map(rounded, (means[0], means[-1]))))}"


def _by_formula(others: Sequence[Finding]) -> list[list[Finding]]:
    """Return ``others`` in groups of one formula, the largest first."""
    groups: dict[str, list[Finding]] = {}
    for finding in others:
        groups.setdefault(formula(finding), []).append(finding)
    return sorted(groups.values(), key=len, reverse=True)


def _distance(group: Sequence[Finding], canonical: Reference | None) -> float:
    """Return how far the means of ``group`` are from the canonical one at most; 0 if there are none."""
    if canonical is None or not math.isfinite(canonical.value):
        return 0.0
    means = [each.value for each in group if each.value is not None and math.isfinite(each.value)]
    return max((abs(mean - canonical.value) for mean in means), default=0.0)


def _words(group: Sequence[Finding]) -> str:
    """Return the formula of ``group`` in brackets, such as `` (divides by r)``; empty if its words are long."""
    words = formula_words(group[0].metric, formula(group[0])) or USUAL
    return f" ({words})" if len(words) <= _LONGEST_WORDS else ""


def _unknown(found: Sequence[Finding], titles: _Titles) -> str:
    """Return a clause about the functions whose formula is not known; why, if it is one function."""
    if not found:
        return ""
    if len(found) == 1:
        return f"; {_who(found, titles)}: {_why_unknown(found[0])}"
    return f"; {len(found)} not known: {_who(found, titles)}"


def _why_unknown(finding: Finding) -> str:
    if finding.verdict == "ambiguous":
        return f"not known which of {len(fitting_formulas(finding))} formulas"
    return "no known formula fits" if finding.verdict == "unexplained" else "not reproducible"


def _lost(found: Sequence[Finding], titles: _Titles) -> str:
    """Return a clause about the functions that could not be measured."""
    if not found:
        return ""
    return "; " + joined([f"{titles[each.library, each.version]} {each.status.replace('_', ' ')}" for each in found])


def _who(group: Sequence[Finding], titles: _Titles) -> str:
    """Return the libraries of a group with their values; libraries with one value share it."""
    by_value: dict[str, list[str]] = {}
    for finding in group:
        number = rounded(finding.value) if finding.value is not None else PER_USER
        by_value.setdefault(number, []).append(titles[finding.library, finding.version])
    return joined([f"{joined(names)} {value}" for value, names in by_value.items()])
