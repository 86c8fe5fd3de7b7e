"""Keys of Tables 1 and 2: what each letter and sign in the table means, in words, the rarest letters left out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reports.model.result import Finding
from reports.tables.table import KeyEntry
from reports.wording.formula_words import USUAL, formula_contrast
from reports.wording.labels import VERDICT_MEANINGS, VERDICT_SIGNS, metric_title
from reports.wording.meanings import formula
from reports.wording.variant_letters import VariantLetters
from reports.wording.who_counts import who_counts_lines

MOST_LINES = 12
"""Most lines of letters in the key of a table."""


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
    """Return the key of a table: letters in the order of the columns, then who counts, then signs.

    Letters that mean the same in words share a line. If there are more than ``MOST_LINES``, those are left out that
    the fewest library versions bear, and of these those with the values nearest to the canonical one; a last line
    names them.

    Args:
        findings: The findings whose cells stand in the table.
        metrics: The metrics of its columns, in their order.
        marks: The letters of the run.
        canonical: The canonical value by metric.
        elsewhere: Metrics whose letters another table explains, each with the words that say so.
    """
    letters = _letters(findings, metrics, marks)
    shown = [each for each in letters if each.metric not in (elsewhere or {})]
    referred = [each for each in letters if each.metric in (elsewhere or {})]
    lines = _shared_lines(shown)
    room = MOST_LINES - len({each.metric for each in referred})
    kept = lines if len(lines) <= room else _commonest(lines, room - 1, canonical)
    rare = [letter for line in lines if line not in kept for letter in line]
    return (
        *(_entry(line) for line in kept),
        *_referrals(referred, elsewhere or {}),
        *([KeyEntry("others", "", f"{_names(rare)}: see the list above, or the page", "")] if rare else []),
        *(KeyEntry("", mark, words, "") for mark, words in who_counts_lines(findings)),
        *_signs(findings),
    )


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


def _shared_lines(letters: Sequence[_Letter]) -> list[list[_Letter]]:
    by_words: dict[str, list[_Letter]] = {}
    for each in letters:
        by_words.setdefault(each.words, []).append(each)
    return list(by_words.values())


def _commonest(lines: list[list[_Letter]], most: int, canonical: Mapping[str, float]) -> list[list[_Letter]]:
    """Return at most ``most`` lines in their order: those of the most findings, then of the furthest values."""

    def rank(line: list[_Letter]) -> tuple[int, float]:
        found = [finding for letter in line for finding in letter.findings]
        return len(found), max(_distance(finding, canonical.get(finding.metric)) for finding in found)

    best = sorted(lines, key=rank, reverse=True)[:most]
    return [line for line in lines if line in best]


def _distance(finding: Finding, canonical: float | None) -> float:
    """Return how far a value is from the canonical one, as a part of it; 0 if there is no such number."""
    if finding.value is None or not canonical or not (math.isfinite(finding.value) and math.isfinite(canonical)):
        return 0.0
    return abs(finding.value - canonical) / abs(canonical)


def _entry(line: Sequence[_Letter]) -> KeyEntry:
    *others, last = line
    column = ", ".join([*(f"{metric_title(each.metric)} {each.letter}" for each in others), metric_title(last.metric)])
    return KeyEntry(column, last.letter, last.words, "")


def _referrals(letters: Sequence[_Letter], elsewhere: Mapping[str, str]) -> list[KeyEntry]:
    by_metric: dict[str, list[str]] = {}
    for each in letters:
        by_metric.setdefault(each.metric, []).append(each.letter)
    return [
        KeyEntry(metric_title(metric), "", f"{' '.join(found)}: {elsewhere[metric]}", "")
        for metric, found in by_metric.items()
    ]


def _names(letters: Sequence[_Letter]) -> str:
    by_metric: dict[str, list[str]] = {}
    for each in letters:
        by_metric.setdefault(metric_title(each.metric), []).append(each.letter)
    return ", ".join(f"{title} {' '.join(found)}" for title, found in by_metric.items())


def _signs(findings: Sequence[Finding]) -> list[KeyEntry]:
    verdicts = {finding.verdict for finding in findings}
    return [
        KeyEntry("", sign, VERDICT_MEANINGS[verdict], "") for verdict, sign in VERDICT_SIGNS.items()
        if verdict in verdicts
    ]  # fmt: skip
