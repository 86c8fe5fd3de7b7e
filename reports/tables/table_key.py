"""Keys of Tables 1 and 2: what each letter and sign in the table means, in words, the rarest letters left out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.tables.table import HALF_LINE, KeyEntry
from recsys_metric_audit.reports.wording.formula_words import USUAL, formula_contrast, formula_words
from recsys_metric_audit.reports.wording.labels import SIGN_MEANINGS, VERDICT_SIGNS, metric_title
from recsys_metric_audit.reports.wording.meanings import formula
from recsys_metric_audit.reports.wording.variant_letters import VariantLetters
from recsys_metric_audit.reports.wording.who_counts import nan_words, reading_lines

MOST_LINES = 12
"""Most lines of the key of a table, in a terminal of a hundred columns; short entries stand two on a line."""

_LINE = 98
"""Characters of an entry on each of its lines, less what wrapping leaves blank."""


@dataclass
class _Letter:
    """One letter of one metric: its words, and the findings of the table that bear it."""

    metric: str
    letter: str
    words: str
    findings: list[Finding] = field(default_factory=list)


def table_key(
    findings: Sequence[Finding],
    metrics: Sequence[str],
    marks: VariantLetters,
    canonical: Mapping[str, float],
    elsewhere: Mapping[str, str] | None = None,
) -> tuple[KeyEntry, ...]:
    """Return the key of a table: letters in the order of the columns, then who counts and whole lists, then signs.

    Letters of one meaning in words share an entry. If the key would be longer than ``MOST_LINES``, letters of the
    fewest library versions are left out, and among these the values nearest to the canonical one; a last entry names
    them.

    Args:
        findings: The findings whose cells stand in the table.
        metrics: The metrics of its columns, in their order.
        marks: The letters of the run.
        canonical: The canonical value by metric.
        elsewhere: Metrics whose letters another table explains, each with the words that say so.
    """
    letters = _letters(findings, metrics, marks)
    shown = _shared_entries([each for each in letters if each.metric not in (elsewhere or {})])
    referrals = _referrals([each for each in letters if each.metric in (elsewhere or {})], elsewhere or {})
    users = [KeyEntry("", mark, words, "") for mark, words in reading_lines(findings)]
    empty = _nan_entries(findings, metrics)
    # One line more is for the signs, which stand side by side.
    room = MOST_LINES - len(users) - 1
    kept = _commonest(shown, room, [*referrals, *empty], canonical)
    rare = [letter for entry in shown if entry not in kept for letter in entry]
    return (*map(_entry, kept), *referrals, *_left_out(rare), *empty, *users, *_signs(findings))


def _letters(findings: Sequence[Finding], metrics: Sequence[str], marks: VariantLetters) -> list[_Letter]:
    """Return the letters of the table, sorted by column and letter."""
    found: dict[tuple[int, int, str], _Letter] = {}
    for finding in findings:
        mark = marks.mark(finding)
        if mark and finding.metric in metrics and finding.verdict not in VERDICT_SIGNS:
            words = formula_contrast(finding.metric, formula(finding)) or USUAL
            place = (metrics.index(finding.metric), len(mark), mark)
            found.setdefault(place, _Letter(finding.metric, mark, words)).findings.append(finding)
    return [found[place] for place in sorted(found)]


def _shared_entries(letters: Sequence[_Letter]) -> list[list[_Letter]]:
    by_words: dict[str, list[_Letter]] = {}
    for each in letters:
        by_words.setdefault(each.words, []).append(each)
    return list(by_words.values())


def _commonest(
    entries: list[list[_Letter]], room: int, others: Sequence[KeyEntry], canonical: Mapping[str, float]
) -> list[list[_Letter]]:
    """Return the ``entries`` that fit into ``room`` lines with ``others``, in their order.

    Entries of the most findings stay, then entries with the values furthest from the canonical one.
    """

    def rank(entry: list[_Letter]) -> tuple[int, float]:
        found = [finding for letter in entry for finding in letter.findings]
        return len(found), max(_distance(finding, canonical.get(finding.metric)) for finding in found)

    ranked = sorted(entries, key=rank, reverse=True)
    while ranked and _lines([*map(_entry, ranked), *others]) + (len(ranked) < len(entries)) > room:
        ranked.pop()
    return [entry for entry in entries if entry in ranked]


def _lines(entries: Sequence[KeyEntry]) -> int:
    """Return the number of lines that ``entries`` need: short ones stand two on a line."""
    lengths = [len(entry.brief_line) for entry in entries]
    short = sum(length <= HALF_LINE for length in lengths)
    return (short + 1) // 2 + sum(-(-length // _LINE) for length in lengths if length > HALF_LINE)


def _distance(finding: Finding, canonical: float | None) -> float:
    """Return how far a value is from the canonical one, as a part of it; 0 if there is no such number."""
    if finding.value is None or not canonical or not (math.isfinite(finding.value) and math.isfinite(canonical)):
        return 0.0
    return abs(finding.value - canonical) / abs(canonical)


def _entry(entry: Sequence[_Letter]) -> KeyEntry:
    *others, last = entry
    column = ", ".join([*(f"{metric_title(each.metric)} {each.letter}" for each in others), metric_title(last.metric)])
    brief = formula_words(last.metric, formula(last.findings[0]))
    return KeyEntry(column, last.letter, last.words, "", brief)


def _referrals(letters: Sequence[_Letter], elsewhere: Mapping[str, str]) -> list[KeyEntry]:
    by_metric: dict[str, list[str]] = {}
    for each in letters:
        by_metric.setdefault(each.metric, []).append(each.letter)
    return [
        KeyEntry(metric_title(metric), "", f"{' '.join(found)}: {elsewhere[metric]}", "")
        for metric, found in by_metric.items()
    ]


def _left_out(letters: Sequence[_Letter]) -> list[KeyEntry]:
    """Return an entry that names the letters without an entry of their own; none if there are none."""
    by_metric: dict[str, list[str]] = {}
    for each in letters:
        by_metric.setdefault(metric_title(each.metric), []).append(each.letter)
    names = ", ".join(f"{title} {' '.join(found)}" for title, found in by_metric.items())
    return [KeyEntry("others", "", f"{names}: see the page", "")] if names else []


def _nan_entries(findings: Sequence[Finding], metrics: Sequence[str]) -> list[KeyEntry]:
    """Return an entry for each column with a mean that is NaN: why it is."""
    words = {metric: nan_words([each for each in findings if each.metric == metric]) for metric in metrics}
    return [KeyEntry(metric_title(metric), "", f"nan: {why}", "") for metric, why in words.items() if why]


def _signs(findings: Sequence[Finding]) -> list[KeyEntry]:
    verdicts = {finding.verdict for finding in findings}
    return [
        KeyEntry("", sign, SIGN_MEANINGS[verdict], "") for verdict, sign in VERDICT_SIGNS.items() if verdict in verdicts
    ]
