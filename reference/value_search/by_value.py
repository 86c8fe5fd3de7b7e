"""Finds the definitions that give a printed number on these data: evaluates candidates, fewest changes first.

Choices that this data cannot tell apart are tried once: who counts and input handling are grouped by what they do to
the documented formulas here. So thousands of definitions are covered by some hundred evaluations.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from recsys_metric_audit.reference.catalogue import variants_of
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.evaluation.shown_table import Columns, ShownAsTable
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.metrics.ndcg import without_cut_gains
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reference.space.levels import Level, level_of
from recsys_metric_audit.reference.value_search.moves import Values, formulas, moves
from recsys_metric_audit.reference.value_search.printed_number import PrintedNumber

CHANGES = 2
"""Limits the changes tried beyond a documented formula: one more takes ten times as long and finds twice as much."""
_NEAREST = 3


@dataclass(frozen=True)
class Printed:
    """Holds a number that was printed for a metric at a cut-off; None where none acts, or the list is not cut."""

    metric: str
    k: int | None
    number: PrintedNumber

    def __str__(self) -> str:
        return f"{self.metric}{'' if self.k is None else f'@{self.k}'} = {self.number.text}"


@dataclass(frozen=True)
class Match:
    """Holds a definition that gives the printed number, and how many others this data cannot tell from it.

    ``changes`` counts the axes moved from canonical; a formula of the catalogue counts as one. Matches with one
    ``fingerprint`` give every user the same value here.
    """

    definition: Definition
    changes: int
    values: tuple[float, ...]
    alike: int
    fingerprint: bytes

    @cached_property
    def formula(self) -> Definition:
        """The formula alone."""
        return formula_of(self.definition)


@dataclass(frozen=True, repr=False)
class Found(ShownAsTable):
    """Holds the definitions of one metric that give all its printed numbers, and the nearest where none does.

    >>> from recsys_metric_audit import which
    >>> (found,) = which({1: ["a", "b"]}, {1: ["b", "c", "d"]}, {"recall@2": "0.5"}, changes=0)
    >>> found
    recall@2 = 0.5: given by 1 of 2 definitions tried
    definition                    @2  changes
    recall@2|denominator:min  0.5000        1
    """

    metric: str
    printed: tuple[Printed, ...]
    matches: tuple[Match, ...]
    nearest: tuple[Match, ...]
    tried: int

    def _heading(self) -> str:
        giving, end = (f"{len(self.matches):,}", "") if self.matches else ("none", "; the nearest")
        return f"{', '.join(map(str, self.printed))}: given by {giving} of {self.tried:,} definitions tried{end}"

    def _shown(self) -> Columns:
        rows = self.matches or self.nearest
        values = {f"@{each.k}" if each.k else "value": [row.values[place] for row in rows]
                  for place, each in enumerate(self.printed)}  # fmt: skip
        return {"definition": [row.definition for row in rows], **values, "changes": [row.changes for row in rows]}


def definitions_giving(problem: Problem, printed: Sequence[Printed], *, changes: int = CHANGES) -> tuple[Found, ...]:
    """Return, for each metric, the definitions that give its printed numbers on the data.

    Numbers of several metrics narrow each other: who counts and input handling are one choice in one evaluation.

    Args:
        problem: The data.
        printed: The printed numbers.
        changes: Changes that are tried beyond a documented formula.
    """
    metrics = dict.fromkeys(each.metric for each in printed)
    found = tuple(_search(problem, [each for each in printed if each.metric == metric], changes) for metric in metrics)
    return narrowed(found)


def narrowed(found: Sequence[Found]) -> tuple[Found, ...]:
    """Keep the matches whose who-counts and input axes every other metric has a match for; all if none is left."""
    kept = []
    for own in found:
        others = [each for each in found if each is not own and each.matches]
        left = tuple(
            match
            for match in own.matches
            if all(any(_agree(match.definition, other.definition) for other in each.matches) for each in others)
        )
        kept.append(left)
    if any(each.matches and not left for each, left in zip(found, kept, strict=True)):
        return tuple(found)
    pairs = zip(found, kept, strict=True)
    return tuple(Found(each.metric, each.printed, left, each.nearest, each.tried) for each, left in pairs)


def _agree(one: Definition, other: Definition) -> bool:
    """Return True if both have equal values on the axes of who counts and input handling that they share."""
    shared = [name for name in one.axes if name in other.axes and level_of(name) != "formula"]
    return all(one.axes[name] == other.axes[name] for name in shared)


def _search(problem: Problem, printed: Sequence[Printed], changes: int) -> Found:
    """Evaluate the definitions of one metric at the cut-offs of its printed numbers."""
    metric = printed[0].metric
    problems = [problem.at(each.k) for each in printed]
    matches: dict[tuple[Definition, bytes], Match] = {}
    best: list[tuple[float, Match]] = []
    tried = 0
    for definition, count, alike in _definitions(metric, printed[0].k, problems, changes):
        made = _evaluated(definition, [each.k for each in printed], problems)
        if not made:
            continue
        tried += 1
        values = tuple(float(each.mean[0]) for each in made)
        match = Match(definition, count, values, alike, _bytes(made))
        off = max(_off(value, each.number) for value, each in zip(values, printed, strict=True))
        if off == 0:
            # Under one formula, what gives every user the same value is one answer; the fewest changes stand for it.
            matches.setdefault((match.formula, match.fingerprint), match)
        elif not np.isnan(off):
            best = sorted([*best, (off, match)], key=lambda pair: pair[0])[:_NEAREST]
    nearest = _shortened(match for _, match in best)
    return Found(metric, tuple(printed), _shortened(matches.values()), nearest, tried)


def _shortened(matches: Iterable[Match]) -> tuple[Match, ...]:
    """Write each match with the least; of equal ones keep the first."""
    first: dict[Definition, Match] = {}
    for match in matches:
        written = shortest(match.definition)
        first.setdefault(written, replace(match, definition=written))
    return tuple(first.values())


def _off(value: float, number: PrintedNumber) -> float:
    return 0.0 if number.is_printed_for(value) else abs(value - number.value)


def _definitions(
    metric: str, k: int | None, problems: Sequence[Problem], changes: int
) -> Iterator[tuple[Definition, int, int]]:
    """Yield definitions with their number of changes, fewest first, and how many are alike on these data."""
    who = _told_apart(metric, "who_counts", k, problems, changes)
    rows = _told_apart(metric, "input", k, problems, changes)
    chosen = formulas(metric, changes)
    if not any(problem.has_fractions.any() for problem in problems):
        chosen = {formula: moved for formula, moved in chosen.items() if without_cut_gains([dict(formula)])}
    for total, (formula, moved), setting in product(range(changes + 2), chosen.items(), who):
        for handling in rows:
            exact = moved + setting.changes + handling.changes == total
            if exact and total <= changes + min(moved, 1):
                made = _legal(metric, {**dict(formula), **setting.values, **handling.values}, k)
                if made is not None:
                    yield made, total, (setting.alike + 1) * (handling.alike + 1) - 1


def _legal(metric: str, values: Values, k: int | None) -> Definition | None:
    family = METRICS[metric]
    if k is None and "cutoff" in family.canonical and values.get("cutoff", "k") == "k":
        values = {**values, "cutoff": "none"}  # a number without a cut-off is one of the whole list
    if family.refusal({**family.canonical, **values}) is not None:
        return None
    made = Definition.of(metric, values, k or "k")
    return made if k is not None or made.k is None else None


def _evaluated(definition: Definition, ks: Sequence[int | None], problems: Sequence[Problem]) -> list[Evaluated]:
    """Evaluate the definition at all cut-offs; nothing where it refuses the data."""
    cut = [definition if definition.k is None else replace(definition, k=k) for k in ks]
    try:
        made = [evaluate(each, problem) for each, problem in zip(cut, problems, strict=True)]
    except TooManyOrdersError:
        return []
    return [] if any(each.refused[0] for each in made) else made


def _bytes(made: Sequence[Evaluated]) -> bytes:
    """Return a digest of all that definitions compute on the data: equal digests, equal values of every user."""
    digest = hashlib.blake2b(digest_size=16)
    for each in made:
        for array in (np.where(each.counted, each.value, 0.0), each.counted, each.mean):
            digest.update(array.tobytes())
    return digest.digest()


@dataclass(frozen=True)
class _Choice:
    """Holds a choice on the axes of a level: its values, its number of changes, and how many others act alike here."""

    values: Values
    changes: int
    alike: int


def _told_apart(metric: str, level: Level, k: int | None, problems: Sequence[Problem], most: int) -> list[_Choice]:
    """Return the choices of a level that these data tell apart under some documented formula, fewest changes first."""
    bases = [formula_of(variant.definition).axes for variant in variants_of(metric)]
    found: dict[tuple[bytes, ...], _Choice] = {}
    for values in moves(metric, level, most):
        points = (_legal(metric, {**base, **values}, k) for base in bases)
        key = tuple(_bytes(_evaluated(point, [k], problems[:1])) if point else b"" for point in points)
        if any(key):
            first = found.setdefault(key, _Choice(values, len(values), -1))
            found[key] = replace(first, alike=first.alike + 1)
    return list(found.values())
