"""Groups findings by formula, and gives each formula of a run its letter and colour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from recsys_metric_audit.reports.model.grouping import grouped
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.anchors import fragment
from recsys_metric_audit.reports.wording.labels import VERDICT_SIGNS
from recsys_metric_audit.reports.wording.library_groups import shown_versions
from recsys_metric_audit.reports.wording.meanings import formula, headline_findings, meaning


@dataclass(frozen=True)
class VariantLetters:
    """Letters by (metric, formula); canonical formulas have none."""

    letters: Mapping[tuple[str, str], str]

    def mark(self, finding: Finding) -> str:
        """Return the mark of a finding: a letter, a sign if it was not identified, empty if it is canonical."""
        if finding.verdict is not None and finding.verdict in VERDICT_SIGNS:
            return VERDICT_SIGNS[finding.verdict]
        return self.letters.get((finding.metric, formula(finding)), "")


def letter_sequence() -> Iterable[str]:
    """Yield the letters a, b, … z, aa, ab, … without end."""
    yield from ascii_lowercase
    for first in letter_sequence():
        for second in ascii_lowercase:
            yield first + second


def assign_letters(result: Result) -> VariantLetters:
    """Return the letters of ``result``: first the functions that Table 1 shows, in its order, then all others.

    Of the functions in Table 1, the group that it shows by default comes first.
    """
    by_default = shown_versions(result, None)
    shown = [finding for k in result.k for finding in headline_findings(result, k)]
    shown.sort(key=lambda finding: (finding.library, finding.version) not in by_default)
    formulas: dict[str, dict[str, None]] = {}
    for finding in (*shown, *result.findings):
        if finding.verdict in ("variant", "undocumented") and formula(finding):
            formulas.setdefault(finding.metric, {})[formula(finding)] = None
    return VariantLetters(
        {
            (metric, text): letter
            for metric, texts in formulas.items()
            for text, letter in zip(texts, letter_sequence(), strict=False)
        }
    )


HUES = 8
"""Number of colours for groups; groups that share a colour have different letters beside it."""


@dataclass(frozen=True)
class MeaningGroup:
    """Findings of one metric with one formula, or with one verdict or status if none was identified."""

    anchor: str
    metric: str
    place: tuple[int, str]
    """Sort key within the metric: canonical, then lettered, not identified, not measured."""
    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The finding that represents the group."""
        return self.findings[0]


def meaning_groups(result: Result, marks: VariantLetters) -> tuple[MeaningGroup, ...]:
    """Return the groups of ``result``: metrics in the order of the run, then by ``place``."""
    found = grouped(((finding.metric, *_meaning_key(finding)), finding) for finding in result.findings)
    order = {metric: n for n, metric in enumerate(dict.fromkeys(finding.metric for finding in result.findings))}
    made = [_group(key, members, marks) for key, members in found.items()]
    return tuple(sorted(made, key=lambda group: (order[group.metric], group.place)))


def _meaning_key(finding: Finding) -> tuple[str, ...]:
    """Return the key that findings of one group share.

    A function that fits no definition, or is unstable, is grouped only with other versions and cut-offs of itself.
    """
    if text := formula(finding) or meaning(finding):
        return (text,)
    if finding.verdict == "ambiguous":
        return ("ambiguous", finding.signature or "", *finding.equivalent)
    if finding.verdict is None:
        return (finding.status, finding.reason or "")
    return (finding.verdict, finding.library, finding.function)


def _group(key: tuple[str, ...], members: Sequence[Finding], marks: VariantLetters) -> MeaningGroup:
    first = members[0]
    return MeaningGroup(fragment("meaning", *key), first.metric, _place(first, marks), tuple(members))


def _place(finding: Finding, marks: VariantLetters) -> tuple[int, str]:
    if finding.verdict == "agrees":
        return (0, "")
    if meaning(finding):
        return (1, marks.mark(finding).rjust(4))
    return (2, finding.verdict) if finding.verdict else (3, finding.status)


def hue(mark: str) -> str:
    """Return the CSS class of a letter's colour; empty for signs and for the canonical meaning."""
    if not mark.isalpha():
        return ""
    number = 0
    for letter in mark:
        number = number * 26 + ord(letter) - ord("a") + 1
    return f"h{(number - 1) % HUES}"
