"""Who computes the same: every distinct meaning of a metric gets a letter, in a fixed order.

A meaning is a signature with its cut-off left open, so that a function keeps its letter at every k.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase

from reports.model.result import Finding, Result
from reports.wording.labels import SIGNS, VERDICTS

IDENTIFIED = ("agrees", "variant", "undocumented")
ABSENT = ("not_offered", "unavailable")


@dataclass(frozen=True)
class Variants:
    """Letters of all meanings: (metric, meaning) to mark; canonical meanings have none."""

    letters: Mapping[tuple[str, str], str]

    def mark(self, finding: Finding) -> str:
        """Return the mark of a finding: a letter, a sign for what is not identified, else nothing."""
        if finding.verdict is not None and finding.verdict in SIGNS:
            return SIGNS[finding.verdict]
        return self.letters.get((finding.metric, meaning(finding)), "")


def meaning(finding: Finding) -> str:
    """Return the signature with its cut-off written ``@k``; empty where nothing was identified."""
    if finding.verdict not in IDENTIFIED or finding.signature is None:
        return ""
    return open_cutoff(finding.signature)


@cache
def open_cutoff(signature: str) -> str:
    """Return ``signature`` with its cut-off, where it has one, written ``@k``."""
    return re.sub(r"^(\w+)@\d+", r"\1@k", signature)


def letters() -> Iterable[str]:
    """Yield a, b, … z, aa, ab, …"""
    yield from ascii_lowercase
    for first in letters():
        for second in ascii_lowercase:
            yield first + second


def variants(result: Result) -> Variants:
    """Return the letters of ``result``: first the headline functions in order, then all others."""
    headlines = [finding for k in result.k for finding in headline(result, k)]
    found: dict[str, dict[str, None]] = {}
    for finding in (*headlines, *result.findings):
        if finding.verdict in ("variant", "undocumented"):
            found.setdefault(finding.metric, {})[meaning(finding)] = None
    return Variants(
        {
            (metric, text): letter
            for metric, texts in found.items()
            for text, letter in zip(texts, letters(), strict=False)
        }
    )


def at(result: Result, k: int) -> list[Finding]:
    """Return the findings at cut-off ``k``, with those of functions that take none."""
    return [finding for finding in result.findings if finding.k in (k, None)]


def headline(result: Result, k: int) -> list[Finding]:
    """Return one finding per (library, version, metric) at ``k``: the function that Table 1 shows.

    It is the first in the library's order that the library offers; those that give user by user what has no mean come
    after those that give one, and functions with options (``[``) after those with all at their default.
    """
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in at(result, k):
        groups.setdefault((finding.library, finding.version, finding.metric), []).append(finding)
    return [min(group, key=_distance_from_headline) for group in groups.values()]


def _distance_from_headline(finding: Finding) -> tuple[bool, bool, bool]:
    of_users = finding.status == "measured" and finding.value is None
    return finding.status in ABSENT, of_users, "[" in finding.function


def meaning_in_words(finding: Finding) -> str:
    """Return the meaning of ``finding`` as text; where it has none, its verdict or status in words."""
    if text := meaning(finding):
        return text
    if finding.verdict == "ambiguous":
        return " or ".join(filter(None, (finding.signature, *finding.equivalent)))
    return VERDICTS[finding.verdict] if finding.verdict else finding.status.replace("_", " ")
