"""Letters of variants: every formula of a metric that is not canonical gets a letter, in a fixed order.

Functions that differ only in who counts or in input handling share the letter of their formula, or have none. A
formula leaves the cut-off open, so a function keeps its letter at every k.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import ascii_lowercase

from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.wording.headline_findings import headline_findings
from recsys_metric_audit.reports.wording.labels import VERDICT_SIGNS
from recsys_metric_audit.reports.wording.library_groups import shown_versions
from recsys_metric_audit.reports.wording.meanings import formula


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
