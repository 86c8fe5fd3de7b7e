"""Sums up a run: the answer in a sentence, a headline for each metric, and what nobody would expect."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reference.evaluation.readable_number import told_apart
from recsys_metric_audit.reports.headlines.library_differences import contradicts_formula, formula_changes, newest
from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import Finding, Reference, Result
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.formula_words import USUAL, formula_words, reads_whole_lists
from recsys_metric_audit.reports.wording.labels import PAPER_METRICS, PER_USER, count, joined, metric_title
from recsys_metric_audit.reports.wording.meanings import (
    ABSENT,
    IDENTIFIED,
    distinct_on_yes_no_data,
    equals_canonical_on_yes_no_data,
    fitting_formulas,
    formula,
    gives_canonical_value,
    headline_findings,
    is_canonical_value,
)

QUESTION = "Do libraries compute the same metric?"

_METRICS_NAMED = 3
"""Limits the metrics that the answer names."""

ByMetric = Mapping[str, Sequence[Finding]]


def answer(result: Result) -> str:
    """Return the answer in a sentence or two, from the functions that represent each metric at the first cut-off.

    Libraries agree on a metric if one formula was identified for all of them. They disagree if two formulas were
    identified, or one formula and a function that fits no definition. Otherwise the answer is unknown.
    """
    found = [f for f in headline_findings(result, result.k[0]) if f.verdict] if result.k else []
    ran = {(finding.library, finding.version) for finding in found}
    if not ran:
        return "Nothing could be measured in this run."
    if len(ran) == 1:
        return _single_version(found, result)
    by_metric = grouped((finding.metric, finding) for finding in found)
    shared = {metric: group for metric, group in by_metric.items() if len(group) > 1}
    if not shared:
        alone = f"the {len(ran)} library versions that were measured have no metric in common"
        return f"Nothing can be compared: {alone}. They compute {_canonical(found)}."
    return _several_versions(len(ran), shared)


def _several_versions(versions: int, shared: ByMetric) -> str:
    apart = {metric: group for metric, group in shared.items() if len(_distinct_formulas(group)) > 1}
    same = [m for m, g in shared.items() if m not in apart and all(f.verdict in IDENTIFIED for f in g)]
    unsure = [metric for metric in shared if metric not in apart and metric not in same]
    who = f"{count(len(shared), 'metric')} that {count(versions, 'library version')} computed"
    formula_of = "" if same else "the formula of "
    parts = [
        f"agree on the formula of {_with_titles(same)}",
        f"differ on {formula_of}{len(apart)}",
        f"of {_with_titles(unsure)} it cannot be told",
    ]
    clauses = joined([part for part, of in zip(parts, (same, apart, unsure), strict=True) if of])
    start = "No" if apart else "No difference was found" if unsure else "Yes, on what was asked here"
    return f"{start}. Of {who} from the same predictions, they {clauses}{_most_disputed(apart)}."


def _with_titles(metrics: Sequence[str]) -> str:
    titles = f" ({joined([metric_title(metric) for metric in metrics])})" if len(metrics) <= _METRICS_NAMED else ""
    return f"{len(metrics)}{titles}"


def _single_version(found: Sequence[Finding], result: Result) -> str:
    one = found[0]
    entry = next(e for e in result.libraries if (e.library, e.version) == (one.library, one.version))
    return f"One library version was measured: {entry.title} {entry.version} computes {_canonical(found)}."


def _canonical(found: Sequence[Finding]) -> str:
    agreeing = sum(finding.verdict == "agrees" for finding in found)
    return f"the canonical formula of {agreeing} of {count(len(found), 'metric')}"


def _distinct_formulas(group: Sequence[Finding]) -> set[str]:
    """Return the distinct formulas; all functions that fit no definition count as one formula, ``?``."""
    return {formula(finding) or "?" for finding in group if finding.verdict in (*IDENTIFIED, "unexplained")}


def _most_disputed(apart: ByMetric) -> str:
    """Return a clause about the metric with the most formulas: how many, and its range of values."""
    if not apart:
        return ""
    metric, group = max(apart.items(), key=lambda pair: len(_distinct_formulas(pair[1])))
    values = sorted(f.value for f in group if f.value is not None and math.isfinite(f.value))
    ends = list(dict.fromkeys(map(rounded, (values[0], values[-1])))) if len(values) > 1 else []
    if len(ends) == 1 and not math.isclose(values[0], values[-1], rel_tol=1e-6):  # as near as single precision is
        ends = list(told_apart(values[0], values[-1]))
    between = f", with values from {' to '.join(ends)}" if len(ends) > 1 else ", with one value here" if ends else ""
    formulas = _distinct_formulas(group)
    fewer = len(distinct_on_yes_no_data(sorted(formulas)))
    on_yes_no = f" ({fewer} on yes/no data)" if fewer < len(formulas) else ""
    return f"; {metric_title(metric)} alone has {len(formulas)} formulas{on_yes_no}{between}"


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
    counted = {(entry.library, entry.version): one_line(entry.title) for entry in newest(result)}
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
        "one relevant item a user": any(each.assumed.get("truth") == "first" for each in found),
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
    return sorted(grouped((formula(each), each) for each in others).values(), key=len, reverse=True)


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
        fitting = len(fitting_formulas(finding))
        return f"not known which of {fitting} formulas" if fitting > 1 else "axes of its formula are not known"
    return "no known formula fits" if finding.verdict == "unexplained" else "not reproducible"


def _lost(found: Sequence[Finding], titles: _Titles) -> str:
    """Return a clause about the functions that could not be measured."""
    if not found:
        return ""
    return "; " + joined([f"{titles[each.library, each.version]} {each.status.replace('_', ' ')}" for each in found])


def _who(group: Sequence[Finding], titles: _Titles) -> str:
    """Return the libraries of a group with their values; libraries with one value share it."""
    by_value = grouped(
        (PER_USER if each.value is None else rounded(each.value), titles[each.library, each.version]) for each in group
    )
    return joined([f"{joined(names)} {value}" for value, names in by_value.items()])


_SHOWN = 3
_LONGEST = 60
"""Limits the characters of a formula's words in a case."""


@dataclass(frozen=True)
class Surprise:
    """Holds one kind of surprise: its name, how often it occurs, and its first few cases."""

    what: str
    number: int
    cases: tuple[str, ...]

    @property
    def words(self) -> str:
        """The surprise on one line: ``Did not run (5): …; and 2 more``."""
        more = self.number - len(self.cases)
        return f"{self.what} ({self.number}): {'; '.join(self.cases)}" + (f"; and {more} more" if more else "")


def surprises(result: Result) -> tuple[Surprise, ...]:
    """Return the surprises of ``result`` at its first cut-off, the least expected first."""
    heads = headline_findings(result, result.k[0]) if result.k else []
    titles = {(e.library, e.version): f"{one_line(e.title)} {one_line(e.version)}" for e in result.libraries}
    # Claims that are contradicted on who counts or on input handling only are no surprise.
    otherwise = [each for each in heads if contradicts_formula(each) and formula(each)]
    changes = formula_changes(result, heads, lambda each: each.metric)
    found = {
        "Another formula than documented": [_name(each, titles, _deviation(each)) for each in otherwise],
        "Gives different answers to the same question": [_name(e, titles) for e in heads if e.verdict == "unstable"],
        "Another formula than in the version before": [
            f"{_name(each, titles)} (before: {before.version})" for _, before, each in changes
        ],
        "Did not run": [
            f"{titles[e.library, e.version]} ({e.status})" for e in result.libraries if e.status != "audited"
        ],
    }
    return tuple(Surprise(what, len(cases), tuple(cases[:_SHOWN])) for what, cases in found.items() if cases)


def _name(finding: Finding, titles: Mapping[tuple[str, str], str], more: str = "") -> str:
    name = f"{metric_title(finding.metric)} of {titles[finding.library, finding.version]}"
    return f"{name}, {more}" if more else name


def _deviation(finding: Finding) -> str:
    words = formula_words(finding.metric, formula(finding)) or "canonical"
    return words if len(words) <= _LONGEST else ""
