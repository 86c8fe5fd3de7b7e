"""Surprises of a run: the few lines that close the reports in the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.headlines.contradictions import contradicted_axes
from recsys_metric_audit.reports.model.result import Finding, Library, Result
from recsys_metric_audit.reports.wording.formatting import one_line
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.headline_findings import headline_findings
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.meanings import formula

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
    found = [
        _surprise("Another formula than documented", _documented_otherwise(heads, titles)),
        _surprise("Gives different answers to the same question", _with_verdict(heads, titles, "unstable")),
        _surprise("Another formula than in the version before", _formula_changes(result, heads, titles)),
        _surprise("Did not run", [f"{titles[e.library, e.version]} ({e.status})" for e in _not_audited(result)]),
    ]
    return tuple(each for each in found if each.number)


def _surprise(what: str, cases: Sequence[str]) -> Surprise:
    return Surprise(what, len(cases), tuple(cases[:_SHOWN]))


def _name(finding: Finding, titles: Mapping[tuple[str, str], str], more: str = "") -> str:
    name = f"{metric_title(finding.metric)} of {titles[finding.library, finding.version]}"
    return f"{name}, {more}" if more else name


def _documented_otherwise(heads: Sequence[Finding], titles: Mapping[tuple[str, str], str]) -> list[str]:
    """Return a case for each function whose formula is not the one that its documentation claims.

    Claims that are contradicted on who counts or on input handling only are no surprise of this kind.
    """
    found = []
    for each in heads:
        if each.matches_claim is False and formula(each):
            axes = contradicted_axes(each)
            if not axes or any(level_of(axis) == "formula" for axis in axes):  # no axis: it is another metric
                found.append(_name(each, titles, _deviation(each)))
    return found


def _deviation(finding: Finding) -> str:
    words = formula_words(finding.metric, formula(finding)) or "canonical"
    return words if len(words) <= _LONGEST else ""


def _with_verdict(heads: Sequence[Finding], titles: Mapping[tuple[str, str], str], verdict: str) -> list[str]:
    return [_name(finding, titles) for finding in heads if finding.verdict == verdict]


def _not_audited(result: Result) -> list[Library]:
    return [entry for entry in result.libraries if entry.status != "audited"]


def _formula_changes(result: Result, heads: Sequence[Finding], titles: Mapping[tuple[str, str], str]) -> list[str]:
    """Return a line for each function whose formula changed between two versions that follow each other in the run."""
    by_place = {(f.library, f.version, f.metric): f for f in heads}
    found = []
    for new, old in pairwise(result.libraries):
        for finding in heads:
            before = by_place.get((old.library, old.version, finding.metric))
            own = (finding.library, finding.version) == (new.library, new.version) and new.library == old.library
            if own and before and formula(before) and formula(finding) and formula(before) != formula(finding):
                found.append(
                    f"{metric_title(finding.metric)} of {titles[new.library, new.version]} (before: {old.version})"
                )
    return found
