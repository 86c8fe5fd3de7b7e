"""Looks up raw answers by what a reader of a report sees."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise
from typing import TypeVar

from recsys_metric_audit.reference.definitions.definition import SignatureError, parse, stated_axes
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.levels import level_of
from recsys_metric_audit.reports.model.level_meaning import level_meaning
from recsys_metric_audit.reports.model.result import Finding, Library, Reference, Result
from recsys_metric_audit.reports.verification.document import plain

Group = TypeVar("Group")
ABSENT = ("not_offered", "unavailable")
IDENTIFIED = ("agrees", "variant", "undocumented")
SIGNS = {"ambiguous": "~", "unexplained": "?", "unstable": "!"}
_USUAL = {
    "hit_rate": "HitRate", "average_precision": "MAP", "reciprocal_rank": "MRR", "average_recall": "MAR", "rbp": "RBP",
}  # fmt: skip
"""Short titles that the literature uses; all other metrics have the title of the reference."""


class Fact:
    """Holds a finding, with what a report has to print of it."""

    def __init__(self, finding: Finding, entry: Library) -> None:
        self.finding, self.entry = finding, entry
        self.title, self.name, self.function = plain(entry.title), name_of(entry), plain(finding.function)
        self.metric, self.metric_title, self.k = finding.metric, title_of(finding.metric), finding.k
        self.verdict, self.number = finding.verdict, finding.value
        self.outcome: str = finding.verdict or finding.status
        self.offered = finding.status not in ABSENT
        self.place = (self.name, self.function, self.k)

    @cached_property
    def formula(self) -> str:
        """Return the identified formula as a signature whose cut-off is open; empty without one."""
        if self.verdict not in IDENTIFIED or not self.finding.signature:
            return ""
        return open_cutoff(self.finding.formula or level_meaning(self.finding).formulas[0])

    @property
    def value(self) -> str:
        """Return the number, that there is none, or the status."""
        if self.verdict is None:
            return "–" if self.outcome == "not_offered" else self.outcome.replace("_", " ")
        if self.number is None:
            silent = self.finding.evidence.range.get("data", "").startswith("not compared")
            return "not recorded" if silent else "per user"
        return repr(self.number)

    @property
    def letter(self) -> str:
        """Return the hole for the letter of the formula; nothing for the canonical one, a sign for none."""
        lettered = self.formula and self.verdict != "agrees"
        return f"⟦letter {self.metric} {self.formula}⟧" if lettered else SIGNS.get(self.outcome, "")

    @property
    def words(self) -> str:
        """Return the hole for the words of the formula."""
        return f"⟦words {self.metric} {self.formula}⟧"

    @property
    def takes_one_ranking(self) -> bool:
        """Return True if the rows of all users are one ranking: one unusual user moves nothing."""
        return "|scope:stacked" in (self.finding.formula or self.finding.signature or "")

    @cached_property
    def moving(self) -> set[str]:
        """Return the axes on which other users count, or users count otherwise."""
        axes = {*self.finding.levels.get("who_counts", ())} if self.verdict in IDENTIFIED else set()
        return axes & {"users"} if self.takes_one_ranking else axes - {"nobody"}

    @property
    def marks(self) -> str:
        """Return the marks of who counts and of whole lists."""
        whole = self.verdict == "agrees" and self.k is None and self.finding.definition.get("cutoff") == "none"
        return "†" * ("users" in self.moving) + "‡" * bool(self.moving - {"users"}) + "§" * whole

    @cached_property
    def contradicted(self) -> bool:
        """Return True if what the documentation states is contradicted on the formula, or is another metric."""
        claim, definition = self.finding.claimed, self.finding.definition
        if self.finding.matches_claim is not False or not claim:
            return False
        try:
            claimed = parse(claim).axes
        except SignatureError:
            return True
        stated = stated_axes(claim) - set(self.finding.cannot_matter)
        apart = [
            axis for axis in definition if axis in stated and claimed.get(axis, definition[axis]) != definition[axis]
        ]
        return not apart or any(level_of(axis) == "formula" for axis in apart)

    @property
    def fitting(self) -> set[str]:
        """Return the formulas that fit, where it is not known which one is computed."""
        signatures = filter(None, (self.finding.signature, *self.finding.equivalent))
        known = {"verdict": "variant", "formula": None}
        as_if = (self.finding.model_copy(update={**known, "signature": each}) for each in signatures)
        return {open_cutoff(level_meaning(each).formulas[0]) for each in as_if}

    @property
    def distance(self) -> tuple[bool, ...]:
        """Return how far it is from being shown for its metric: offered, with a mean, documented, without options."""
        silent = self.finding.status == "measured" and self.number is None
        return not self.offered, silent, self.finding.documented_call is None, "[" in self.function


class Facts:
    """Looks up what a library returned for a label, a metric and a cut-off as they are printed."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.first_k = result.k[0] if result.k else None
        self.entries = {name_of(each): each for each in result.libraries}
        self.labels = {label: name for name, each in self.entries.items() for label in _labels(name, each)}
        self.newest = {each.library: name for name, each in reversed(self.entries.items())}
        of = {(each.library, each.version): each for each in result.libraries}
        self.every = [Fact(each, of[each.library, each.version]) for each in result.findings]
        metrics = {*(each.metric for each in result.findings), *(each.metric for each in result.reference)}
        self.metrics = {title_of(metric): metric for metric in metrics}
        self.rankings = {each.signature: each for each in result.rankings}
        self.by_place = {each.place: each for each in self.every}
        self.heads = cache(self._heads)
        self.offered = [each for each in self.heads(self.first_k).values() if each.offered] if result.k else []
        agreeing = {(each.metric, each.formula) for each in self.every if each.verdict == "agrees"}
        self.canonical_formulas = agreeing | {(each.metric, open_cutoff(each.signature)) for each in result.reference}

    def canonical(self, metric: str, k: int | None) -> Reference | None:
        """Return the canonical value of a metric at a cut-off, or the one of a metric that takes none."""
        return next((row for row in self.result.reference if row.metric == metric and row.k in (k, None)), None)

    def at(self, k: int | None) -> list[Fact]:
        """Return the findings at a cut-off, and those of functions that take none."""
        return [each for each in self.every if each.k in (k, None)]

    def is_newest(self, each: Fact) -> bool:
        """Return True if a finding is of the version of its library that is told first."""
        return each.name in self.newest.values()

    def _heads(self, k: int | None) -> Mapping[tuple[str, str], Fact]:
        """Return the function that stands for a library version and a metric in tables."""
        groups = grouped(self.at(k), lambda each: (each.name, each.metric))
        return {place: min(group, key=lambda each: each.distance) for place, group in groups.items()}

    def areas(self, name: str, k: int | None) -> Mapping[str, Fact]:
        """Return the AUC of a version by formula: of each the first that gives a number, else the first.

        What was not identified is under the empty formula, without what failed beside a function that did not.
        """
        own = [each for each in self.at(k) if each.metric == "auc" and each.name == name and each.offered]
        groups = grouped([each for each in own if each.verdict] or own, lambda each: each.formula)
        found = (
            min(group, key=lambda each: each.number is None or math.isnan(each.number)) for group in groups.values()
        )
        return {each.formula: each for each in sorted(found, key=own.index)}

    def changes(self, findings: Iterable[Fact], by: Callable[[Fact], str]) -> Iterator[tuple[Fact, Fact]]:
        """Yield findings with those of the version before that are alike by some name, and have another formula."""
        places = {(each.name, by(each)): each for each in findings}
        following = pairwise(self.entries.items())
        before = {new: old for (new, one), (old, other) in following if one.library == other.library}
        for (name, same), each in places.items():
            old = places.get((before.get(name, ""), same))
            if old is not None and old.formula and each.formula and old.formula != each.formula:
                yield each, old


def name_of(entry: Library) -> str:
    """Return the name of a library version: no other has it."""
    return f"{plain(entry.title)} {plain(entry.version)}"


def _labels(name: str, entry: Library) -> tuple[str, str]:
    """Return the labels of a version with what is remarked of it: in full, and short as in the terminal."""
    caution = " !" if entry.caution else ""
    return f"{name}{'' if entry.live else ' (recorded)'}{caution}", f"{name}{'' if entry.live else '°'}{caution}"


def title_of(metric: str) -> str:
    """Return the title under which reports show a metric."""
    known = FAMILIES.get(metric)
    return _USUAL.get(metric) or (known.title if known else metric.replace("_", " "))


def grouped(findings: Iterable[Fact], by: Callable[[Fact], Group]) -> dict[Group, list[Fact]]:
    """Return findings in groups, in their order."""
    groups: dict[Group, list[Fact]] = {}
    for each in findings:
        groups.setdefault(by(each), []).append(each)
    return groups


def open_cutoff(signature: str) -> str:
    """Return a signature with its cut-off, if it has one, written ``@k``."""
    return re.sub(r"^(\w+)@\d+", r"\1@k", signature)


def on_yes_no_data(signature: str) -> str:
    """Return what a formula is where every gain is 1: gains that are then 1 make no difference.

    Nor does it make one whether the best rows of a list are meant, or the relevant ones among them: others are 0.
    """
    without = re.sub(r"\|gain:(?:linear|exp2|exp2_threshold)(?=\||$)", "", open_cutoff(signature))
    return re.sub(r"\|ideal:rows(?=\||$)", "|ideal:listed", without)


def means(findings: Iterable[Fact]) -> list[float]:
    """Return the means that findings have, from the least to the greatest; those that are no number last."""
    found = (each.number for each in findings if each.number is not None)
    return sorted(found, key=lambda mean: (math.isnan(mean), mean))


def span(numbers: Sequence[float]) -> str:
    """Return a range of sorted numbers: the first to the last, or one that both are when rounded."""
    return f"⟨{numbers[0]!r} to {numbers[-1]!r}⟩⟨⟦both {numbers[0]!r} {numbers[-1]!r}⟧⟩" if numbers else ""


def exact(number: float | None) -> str:
    """Return a number as it is printed with every digit."""
    return "–" if number is None else f"⟦exactly {number!r}⟧"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: ``A, B and C``."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
