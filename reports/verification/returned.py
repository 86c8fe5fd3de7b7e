"""Finds the raw answers of a run by what a reader of a report sees: titles, versions, metrics, cut-offs."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache

from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.model.level_meaning import level_meaning
from recsys_metric_audit.reports.model.result import Finding, Library, Reference, Result
from recsys_metric_audit.reports.verification.document import plain

IDENTIFIED = ("agrees", "variant", "undocumented")
SIGNS = {"ambiguous": "~", "unexplained": "?", "unstable": "!"}
_USUAL = {
    "hit_rate": "HitRate", "average_precision": "MAP", "reciprocal_rank": "MRR", "average_recall": "MAR", "rbp": "RBP",
}  # fmt: skip
"""Short titles that the literature uses; all other metrics have the title of the reference."""
_ABSENT = ("not_offered", "unavailable")


class Returned:
    """Looks up what a library returned for a label, a metric and a cut-off as they are printed."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.first_k = result.k[0] if result.k else None
        self.titles = {(each.library, each.version): plain(each.title) for each in result.libraries}
        self.newest = {each.library: each for each in reversed(result.libraries)}
        self.versions = {f"{plain(each.title)} {plain(each.version)}": each for each in result.libraries}
        self.labels = {name: each for each in result.libraries for name in _labels(each)}
        named = {each.metric for each in result.findings} | {each.metric for each in result.reference}
        self.metrics = {self.title(metric): metric for metric in named}
        self.formula = _formula
        self.heads = cache(self._heads)

    def title(self, metric: str) -> str:
        """Return the title under which reports show a metric."""
        known = FAMILIES.get(metric)
        return _USUAL.get(metric) or (known.title if known else metric.replace("_", " "))

    def canonical(self, metric: str, k: int | None) -> Reference | None:
        """Return the canonical value of a metric at a cut-off, or the one of a metric that takes none."""
        return next((row for row in self.result.reference if row.metric == metric and row.k in (k, None)), None)

    def at(self, k: int | None) -> list[Finding]:
        """Return the findings at a cut-off, and those of functions that take none."""
        return [each for each in self.result.findings if each.k in (k, None)]

    def _heads(self, k: int | None) -> Mapping[tuple[str, str, str], Finding]:
        """Return the function that stands for a library version and a metric in tables.

        It is the first that is offered, gives a mean, is called as documented, and has no options, in this order.
        """
        found: dict[tuple[str, str, str], list[Finding]] = {}
        for each in self.at(k):
            found.setdefault((each.library, each.version, each.metric), []).append(each)
        return {place: min(group, key=_remoteness) for place, group in found.items()}

    def areas(self, entry: Library, k: int | None) -> Mapping[str, Finding]:
        """Return the AUC of a version by formula: of each the first that gives a number, else the first.

        What was not identified is under the empty formula, without what failed beside a function that did not.
        """
        own = [each for each in self.at(k) if each.metric == "auc" and each.status not in _ABSENT]
        own = [each for each in own if (each.library, each.version) == (entry.library, entry.version)]
        measured = [each for each in own if each.verdict is not None] or own
        found: dict[str, Finding] = {}
        for each in sorted(measured, key=lambda f: (f.value is None or math.isnan(f.value), f.verdict is None)):
            found.setdefault(self.formula(each), each)
        return dict(sorted(found.items(), key=lambda pair: own.index(pair[1])))


def _remoteness(finding: Finding) -> tuple[bool, ...]:
    silent = finding.status == "measured" and finding.value is None
    return finding.status in _ABSENT, silent, finding.documented_call is None, "[" in finding.function


def _labels(entry: Library) -> tuple[str, str]:
    """Return the labels of a version with what is remarked of it: in full, and short as in the terminal."""
    name, caution = f"{plain(entry.title)} {plain(entry.version)}", " !" if entry.caution else ""
    recorded, short = ("", "") if entry.live else (" (recorded)", "°")
    return name + recorded + caution, name + short + caution


def open_cutoff(signature: str) -> str:
    """Return a signature with its cut-off, if it has one, written ``@k``."""
    return re.sub(r"^(\w+)@\d+", r"\1@k", signature)


def _formula(finding: Finding) -> str:
    """Return the formula of an identified finding as a signature whose cut-off is open; empty without one."""
    if finding.verdict not in IDENTIFIED or not finding.signature:
        return ""
    return open_cutoff(finding.formula or level_meaning(finding).formulas[0])


def takes_one_ranking(finding: Finding) -> bool:
    """Return True if the rows of all users are one ranking: what is done with a single unusual user moves nothing."""
    return "|scope:stacked" in (finding.formula or finding.signature or "")


def moving(finding: Finding) -> set[str]:
    """Return the axes on which an identified finding counts other users, or counts users otherwise."""
    axes = finding.levels.get("who_counts", ()) if finding.verdict in IDENTIFIED else ()
    return set(axes) & {"users"} if takes_one_ranking(finding) else set(axes) - {"nobody"}


def reading_marks(finding: Finding) -> str:
    """Return the marks of who counts and of whole lists that a finding has to bear."""
    axes = moving(finding)
    whole = finding.verdict == "agrees" and finding.k is None and finding.definition.get("cutoff") == "none"
    return "†" * ("users" in axes) + "‡" * bool(axes - {"users"}) + "§" * whole
