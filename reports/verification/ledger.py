"""Records what was read of one form, what of it is wrong, and what letters and words mean in all forms of a run."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.verification.figures import is_rounding
from recsys_metric_audit.reports.verification.returned import SIGNS, Returned, open_cutoff

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
