"""Looks up raw answers by what a reader of a report sees, and keeps what was read and what is not as returned."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reports.model.level_meaning import level_meaning
from recsys_metric_audit.reports.model.result import Finding, Library, Reference, Result
from recsys_metric_audit.reports.verification.document import is_rounding, plain

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


Kind = Literal["numbers", "marks", "verdicts", "sentences"]
KINDS: tuple[Kind, ...] = ("numbers", "marks", "verdicts", "sentences")


@dataclass(frozen=True)
class Mismatch:
    """Names one thing printed that is not what was returned."""

    file: str
    row: str
    column: str
    printed: str
    returned: str

    def __str__(self) -> str:
        """Return it in a line: file, row, column, what is printed, what was returned."""
        return f"{self.file}: {self.row}, {self.column}: printed {self.printed or 'nothing'}, returned {self.returned}"


@dataclass
class Ledger:
    """Counts what was read of one form, and keeps the mismatches."""

    file: str
    counts: Counter[Kind] = field(default_factory=Counter)
    mismatches: list[Mismatch] = field(default_factory=list)

    def at(self, row: str, column: str) -> Place:
        """Return a place of the form, to hold what is printed there."""
        return Place(self, row, column)


@dataclass(frozen=True)
class Place:
    """Holds what is printed at one place of a form against what was returned."""

    ledger: Ledger
    row: str
    column: str

    def number(self, printed: str, returned: float | None) -> None:
        """Hold a printed number against the returned one."""
        self.holds("numbers", printed, repr(returned), is_rounding(printed, returned))

    def figure(self, printed: object, returned: object) -> None:
        """Hold a number, or several, that have to be printed with every digit."""
        self.holds("numbers", str(printed), str(returned), printed == returned)

    def mark(self, printed: object, returned: object) -> None:
        """Hold a letter, a sign, or what rows and columns there are."""
        self.holds("marks", str(printed), str(returned), printed == returned)

    def verdict(self, printed: object, returned: object) -> None:
        """Hold a verdict or status."""
        self.holds("verdicts", str(printed), str(returned), printed == returned)

    def sentence(self, printed: object, returned: object) -> None:
        """Hold a part of a sentence."""
        self.holds("sentences", str(printed), str(returned), printed == returned)

    def holds(self, kind: Kind, printed: str, returned: str, so: bool) -> None:
        """Count one thing, and keep it as a mismatch unless it is ``so``."""
        self.ledger.counts[kind] += 1
        if not so:
            self.ledger.mismatches.append(
                Mismatch(self.ledger.file, self.row, self.column, printed, returned or "nothing")
            )


class Meanings:
    """Keeps what each letter and each phrase means: one formula in all forms of a run.

    Whether a phrase describes its formula rightly is not asked here: of all places that print it, some print the
    signature beside it.
    """

    def __init__(self, returned: Returned) -> None:
        self.returned = returned
        self.letters: dict[tuple[str, str], str] = {}
        self._phrases: dict[tuple[str, str], tuple[str, ...]] = {}

    def mark(self, at: Place, finding: Finding, printed: str) -> None:
        """Hold the letter or sign of a finding: a sign if it was not identified, a letter unless it is canonical."""
        formula = self.returned.formula(finding)
        if finding.verdict in SIGNS or finding.verdict in (None, "agrees") or not formula:
            at.mark(printed, SIGNS.get(finding.verdict or "", ""))
            return
        known = {text: letter for (metric, letter), text in self.letters.items() if metric == finding.metric}
        fits = known.get(formula, printed) == printed and re.fullmatch("[a-z]+", printed) is not None
        fits = fits and self.letters.get((finding.metric, printed), formula) == formula
        said = f"the letter {known[formula]}" if formula in known else "a letter of its own"
        at.holds("marks", printed, f"{formula}, which has {said}", fits)
        if fits:
            self.letters[finding.metric, printed] = formula

    def words(self, at: Place, metric: str, formula: str, printed: str) -> None:
        """Hold words of a formula: the same words, with or without what is canonical instead, wherever it is told."""
        phrases = tuple(open_cutoff(printed).removesuffix("…").split("; "))
        cut = printed.endswith("…")
        known = self._phrases.get((metric, formula))
        others = [text for (of, text), told in self._phrases.items()
                  if of == metric and text != formula and _alike(told, phrases)]  # fmt: skip
        fits = cut or (not others and (known is None or _alike(known, phrases)))
        if cut and known is not None:
            fits = "; ".join(known).startswith("; ".join(phrases))
        fits = fits and all(self._is_usual(metric, formula, each) for each in phrases)
        said = f" ({'; '.join(known)})" if known else f", unlike {others[0]}" if others else ""
        at.holds("sentences", printed, f"{formula}{said}", fits)
        if fits and not cut:
            self._phrases[metric, formula] = min(known or phrases, phrases, key=lambda each: len("; ".join(each)))

    def _is_usual(self, metric: str, formula: str, phrase: str) -> bool:
        """Return False if a phrase names a number of the formula, and beside it another than the canonical one."""
        found = re.search(r"(\S+), not (\d[\d.]*)$", phrase)
        axes = [part.partition(":")[0] for part in formula.split("|") if found and part.endswith(f":{found[1]}")]
        usual = [
            row.definition.get(axis) for row in self.returned.result.reference if row.metric == metric for axis in axes
        ]
        return not found or not usual or found[2] in usual


def _alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(
        a == b or a.startswith(f"{b}, not ") or b.startswith(f"{a}, not ") for a, b in pairs
    )
