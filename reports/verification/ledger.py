"""Holds printed texts against expected ones, and keeps what was read of each form and what is not as returned.

An expected text is written from the result file alone. A number of it may be printed rounded, a part in ``⟨…⟩`` may be
left out, and ``⟦any NAME⟧`` may be any text. ``⟦words METRIC FORMULA⟧`` are the words of a formula, and
``⟦letter METRIC FORMULA⟧`` is its letter, whatever they are: each has to mean one formula in all forms of a run.
``⟦exactly TEXT⟧`` is a number with every digit, and ``⟦both ONE OTHER⟧`` a number that both are when rounded.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from recsys_metric_audit.reports.verification.document import NUMBER, is_rounding
from recsys_metric_audit.reports.verification.facts import Facts, open_cutoff

Kind = Literal["numbers", "marks", "verdicts", "sentences"]
KINDS: tuple[Kind, ...] = ("numbers", "marks", "verdicts", "sentences")
_CANONICAL = ("canonical", "the usual formula", "canonical, which is not what its documentation states")
_PART = re.compile(rf"⟦(?P<hole>\w+) ?(?P<of>[^⟧]*)⟧|(?P<bracket>[⟨⟩])|(?<![\w.@^-])(?P<number>{NUMBER})(?!\w|\.\w)")
_HOLES = {"words": "(.+?)", "any": "(.*?)", "letter": "([a-z]+)"}
_ANY_NUMBER = "([-+−∞–,.0-9aefin]+)"
"""Anything like a number: patterns are made for each text, and a longer one would take most of the time."""


@dataclass
class Ledger:
    """Counts what was read of one form, and keeps in words what is not as returned."""

    file: str
    meanings: Meanings
    counts: Counter[Kind] = field(default_factory=Counter)
    mismatches: list[str] = field(default_factory=list)

    def at(self, row: str, column: str) -> Place:
        """Return a place of the form, to hold what is printed there."""
        return Place(self, row, column)


@dataclass(frozen=True)
class Place:
    """Holds what is printed at one place of a form against what was returned."""

    ledger: Ledger
    row: str
    column: str

    def holds(self, kind: Kind, printed: object, returned: object, so: bool | None = None) -> None:
        """Count one thing, and keep it as a mismatch unless it is ``so``, or without that, what was returned."""
        self.ledger.counts[kind] += 1
        if not (printed == returned if so is None else so):
            place = f"{self.ledger.file}: {self.row}, {self.column}"
            said = f"printed {str(printed) or 'nothing'}, returned {str(returned) or 'nothing'}"
            self.ledger.mismatches.append(f"{place}: {said}")

    def says(self, printed: str, expected: str, kind: Kind = "sentences") -> dict[str, str]:
        """Hold a printed text against an expected one; return what stands in its holes for any text, by their names."""
        if printed == expected:
            self.holds(kind, printed, expected)
            return {}
        pattern, holes, end = "", [], 0
        for part in _PART.finditer(expected):
            pattern += re.escape(expected[end : part.start()]) + _pattern(part)
            holes += [part] if not part["bracket"] else []
            end = part.end()
        found = re.fullmatch(pattern + re.escape(expected[end:]), printed)
        self.holds(kind, printed, _shown(expected) if found is None else expected, found is not None)
        told = [(part, text) for part, text in zip(holes, found.groups(), strict=True) if text] if found else []
        for part, text in told:
            self._part(part["hole"] or "", part["of"] or part["number"] or "", text)
        return {part["of"]: text for part, text in told if part["hole"] == "any"}

    def _part(self, hole: str, of: str, text: str) -> None:
        """Hold a number, or what stands in a hole."""
        metric, _, formula = of.partition(" ")
        if hole == "words":
            self.holds("sentences", text, *self.ledger.meanings.words(metric, formula, text))
        elif hole == "letter":
            self.holds("marks", text, *self.ledger.meanings.letter(metric, formula, text))
        elif hole == "exactly":
            self.holds("numbers", text, of)
        elif hole != "any":
            numbers = of.split(" ") if hole == "both" else [of]
            fits = all(is_rounding(text, _number(each)) for each in numbers)
            self.holds("numbers", text, " and ".join(numbers), fits)


def _pattern(part: re.Match[str]) -> str:
    if part["bracket"]:
        return "(?:" if part["bracket"] == "⟨" else ")?"
    return _HOLES.get(part["hole"] or "", _ANY_NUMBER)


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-").replace("∞", "inf"))


def _shown(expected: str) -> str:
    """Return an expected text as a message shows it."""
    text = re.sub(r"⟦(?:exactly|both) ([^⟧]*)⟧", r"\1", re.sub(r"⟦any[^⟧]*⟧", "…", expected))
    return text.translate(str.maketrans("⟦⟧⟨⟩", "[]()"))


class Meanings:
    """Keeps what each letter and each phrase means: one formula in all forms of a run.

    Whether a phrase describes its formula rightly is not asked here: of all places that print it, some print the
    signature beside it.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.letters: dict[tuple[str, str], str] = {}
        self.lettered: dict[tuple[str, str], str] = {}
        self._phrases: dict[tuple[str, str], str] = {}
        self._formulas: dict[tuple[str, str], str] = {}
        self._contrasts: dict[tuple[str, str], str] = {}

    def letter(self, metric: str, formula: str, printed: str) -> tuple[str, bool]:
        """Return what the letter of a formula is, and whether it is the printed one."""
        meant, letter = self.letters.get((metric, printed), formula), self.lettered.get((metric, formula), printed)
        if (meant, letter) != (formula, printed):
            own = "a letter of its own" if letter == printed else f"the letter {letter}"
            return f"{formula}, which has {own}", False
        self.letters[metric, printed], self.lettered[metric, formula] = formula, printed
        return formula, True

    def words(self, metric: str, formula: str, printed: str) -> tuple[str, bool]:
        """Return what is known of a formula, and whether words fit it, with or without what is canonical instead."""
        if printed in _CANONICAL:
            return formula, (metric, formula) in self.facts.canonical_formulas
        parts = [part.partition(", not ") for part in open_cutoff(printed).removesuffix("…").split("; ")]
        phrase = "; ".join(part for part, _, _ in parts)
        known, other = self._phrases.get((metric, formula), phrase), self._formulas.get((metric, phrase), formula)
        if printed.endswith("…"):
            return f"{formula} ({known})", known.startswith(phrase)
        fits = bool(formula) and (known, other) == (phrase, formula)
        if fits:
            self._phrases[metric, formula], self._formulas[metric, phrase] = phrase, formula
        told = [self._contrasts.setdefault((metric, part), usual) == usual for part, _, usual in parts if usual]
        said = f" ({known})" if known != phrase else f", unlike {other}" if other != formula else ""
        return f"{formula}{said}", fits and all(told)
