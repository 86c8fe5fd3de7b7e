"""Finds the pairs of documented formulas that could not both have given two numbers of a table, whatever the lists."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Self

from recsys_metric_audit.reference.catalogue import variants_of
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.evaluation.shown_table import Columns, ShownAsTable, Tables
from recsys_metric_audit.reference.value_search.by_value import Printed
from recsys_metric_audit.reference.value_search.number_conversion import ConversionError, from_means, given_together
from recsys_metric_audit.reference.value_search.table_relations import ONE, Bound, Node, at, bounds_between

_SLACK = 1e-9


@dataclass(frozen=True)
class ImpossiblePair:
    """Holds a formula for each of two printed numbers, and why no users can have both: relations that are chained.

    The second formula is None where the first one cannot give its number by itself.
    """

    first: Definition
    second: Definition | None
    why: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class CheckedPair(ShownAsTable):
    """Holds two printed numbers, the pairs of formulas that could not both give them, and those that could.

    >>> from recsys_metric_audit import impossible_together
    >>> (pair,) = impossible_together({"recall@5": "0.31", "recall@10": "0.25"}, one_relevant=True)
    >>> pair.possible
    ()
    >>> pair.impossible[0].why
    ('recall@5 ≤ recall@10: more rows show no fewer hits, and its denominator does not depend on k',)
    """

    printed: tuple[Printed, Printed]
    impossible: tuple[ImpossiblePair, ...]
    possible: tuple[tuple[Definition, Definition], ...]

    def _heading(self) -> str:
        return f"{self.printed[0]} and {self.printed[1]}: {len(self.possible)} pairs of formulas are possible"

    def _shown(self) -> Columns:
        rows: list[tuple[Definition, Definition | None, str]] = [(*pair, "possible") for pair in self.possible]
        rows += [(each.first, each.second, f"impossible: {'; '.join(each.why)}") for each in self.impossible]
        return {name: [row[place] for row in rows] for place, name in enumerate(("first", "second", "together"))}


def impossible_pairs(printed: Sequence[Printed], *, one_relevant: bool = False) -> tuple[CheckedPair, ...]:
    """Check each two numbers of a table against what holds between documented formulas on any data.

    Both are plain means over the same users; relevance is yes or no, but for NDCG of other gains.

    Args:
        printed: The numbers; those without a cut-off are not checked.
        one_relevant: Whether every user has one relevant item, as in leave-one-out.

    Returns:
        For each two numbers, in their order, the pairs of formulas.
    """
    cut = [each for each in printed if each.k is not None]
    return tuple(_checked(one, other, one_relevant) for one, other in combinations(cut, 2))


def _checked(one: Printed, other: Printed, one_relevant: bool) -> CheckedPair:
    assert one.k is not None and other.k is not None
    bounds = bounds_between((one.k, other.k), one_relevant=one_relevant)
    impossible: list[ImpossiblePair] = []
    possible: list[tuple[Definition, Definition]] = []
    for first in _formulas(one.metric):
        for second in _formulas(other.metric):
            pair = (parse(at(first, one.k)), parse(at(second, other.k)))
            numbers = {(first, one.k): one, (second, other.k): other}
            bound = _broken(numbers, bounds)
            if bound is None:
                possible.append(pair)
                continue
            (low, high), why = bound
            if high == (ONE, 0):
                alone = ImpossiblePair(pair[0] if low == (first, one.k) else pair[1], None, why)
                impossible += [alone] if alone not in impossible else []
            else:
                impossible.append(ImpossiblePair(*pair, why))
    return CheckedPair((one, other), tuple(impossible), tuple(possible))


def _broken(
    numbers: dict[Node, Printed], bounds: dict[tuple[Node, Node], Bound]
) -> tuple[tuple[Node, Node], tuple[str, ...]] | None:
    """Return the first bound that the numbers break, as its formulas and its reasons; None if they keep all."""
    for low, smaller in numbers.items():
        for high in ((ONE, 0), *(each for each in numbers if each != low)):
            bound = bounds.get((low, high))
            most = 1.0 if high == (ONE, 0) else numbers[high].number.high
            if bound is not None and smaller.number.low > bound.factor * most + _SLACK:
                return (low, high), bound.why
    return None


@dataclass(frozen=True, repr=False)
class CheckedTable(ShownAsTable):
    """Holds the choices of a formula for each number of a table, possible or not where users have one relevant item.

    ``usual`` is the choice of canonical formulas, and ``why_not`` what follows for one number from the others, where
    they have no users together.

    >>> from recsys_metric_audit import impossible_together
    >>> found = impossible_together({"hr@1": "0.50", "mrr": "0.80"}, one_relevant=True).together
    >>> found.possible, found.why_not
    ((), 'with hit_rate@1 = 0.50, reciprocal_rank|cutoff:none is 0.4950 to 0.7525')
    """

    usual: tuple[Definition, ...]
    possible: tuple[tuple[Definition, ...], ...]
    impossible: tuple[tuple[Definition, ...], ...]
    why_not: str = ""

    def _heading(self) -> str:
        tried = len(self.possible) + len(self.impossible)
        found = f"all numbers at once: {len(self.possible)} of {tried} choices of documented formulas are possible"
        return "; ".join(filter(None, (found, self.why_not)))

    def _shown(self) -> Columns:
        rows = [(each, "possible") for each in self.possible] + [(each, "impossible") for each in self.impossible]
        own = {each.signature(): [choice[place] for choice, _ in rows] for place, each in enumerate(self.usual)}
        return {**own, "together": [word for _, word in rows]}


class CheckedNumbers(Tables[CheckedPair]):
    """Holds what was found of each two numbers of a table; of users with one relevant item, of all at once as well.

    >>> from recsys_metric_audit import impossible_together
    >>> found = impossible_together({"hr@2": "0.500", "mrr@2": "0.375", "ndcg@2": "0.450"}, one_relevant=True)
    >>> len(found), found.is_possible
    (3, False)
    >>> found.together.why_not
    'with hit_rate@2 = 0.500 and reciprocal_rank@2 = 0.375, ndcg@2 is 0.4072 to 0.4082'
    """

    def __new__(cls, printed: Sequence[Printed], *, one_relevant: bool = False) -> Self:
        """Compare the numbers two by two."""
        found = super().__new__(cls, impossible_pairs(printed, one_relevant=one_relevant))
        found._printed = tuple(printed) if one_relevant else ()
        return found

    _printed: tuple[Printed, ...]

    @cached_property
    def together(self) -> CheckedTable | None:
        """Return what all numbers say at once, by a linear program; None without one relevant item for every user.

        Raises:
            ConversionError: as :func:`check_together`.
        """
        return check_together(self._printed) if self._printed else None

    @property
    def is_possible(self) -> bool:
        """Return True if nothing speaks against the canonical formulas of the numbers.

        Raises:
            ConversionError: as :func:`check_together`.
        """
        return usually_possible(self, self.together)

    def __repr__(self) -> str:
        """Return all numbers at once, then each two."""
        with suppress(ConversionError):
            if self.together is not None:
                return "\n\n".join(filter(None, (repr(self.together), super().__repr__() if self else "")))
        return super().__repr__()

    def _repr_html_(self) -> str:
        with suppress(ConversionError):
            if self.together is not None:
                return self.together._repr_html_() + super()._repr_html_()
        return super()._repr_html_()


def check_together(printed: Sequence[Printed]) -> CheckedTable:
    """Ask whether users with one relevant item each can have all numbers, by every choice of documented formulas.

    Raises:
        ConversionError: if two numbers are of the whole list, a metric has no cut-off, or there are too many
            combinations of ranks to visit.
    """
    if endless := next((each.metric for each in printed if "cutoff" not in Definition.of(each.metric).axes), None):
        raise ConversionError(f"{endless} takes no cut-off: nothing follows for it from the ranks of relevant items")
    numbers = [([_at(formula, each.k) for formula in _formulas(each.metric)], each.number) for each in printed]
    possible, impossible = given_together(numbers)
    usual = tuple(formulas[0] for formulas, _ in numbers)
    why_not = _follows(usual, printed) if usual in impossible else ""
    return CheckedTable(usual, tuple(possible), tuple(impossible), why_not)


def _follows(usual: Sequence[Definition], printed: Sequence[Printed]) -> str:
    """Say in which interval the last number has to be where the others are as printed, if these are possible."""
    for place in reversed(range(len(usual))):
        others = [(each, row.number) for each, row in zip(usual, printed, strict=True) if each != usual[place]]
        with suppress(ConversionError):
            (found,) = from_means(others, [usual[place]])
            names = " and ".join(str(row) for row in printed if row != printed[place])
            return f"with {names}, {usual[place].signature()} is {found.low:.4f} to {found.high:.4f}"
    return ""


def _at(formula: str, k: int | None) -> Definition:
    return parse(formula).with_(cutoff="none") if k is None else parse(at(formula, k))


def usually_possible(pairs: Sequence[CheckedPair], table: CheckedTable | None) -> bool:
    """Return True if nothing speaks against the canonical formulas of the numbers."""
    usual = {Definition.of(each.metric, {}, each.k).signature() for pair in pairs for each in pair.printed}
    broken = any(
        {each.first.signature(), (each.second or each.first).signature()} <= usual
        for pair in pairs
        for each in pair.impossible
    )
    return not broken and not (table is not None and table.usual in table.impossible)


def _formulas(metric: str) -> list[str]:
    """Return the documented formulas of a metric that cut at k, canonical first, as signatures."""
    found = dict.fromkeys(formula_of(variant.definition) for variant in variants_of(metric))
    named = [Definition.of(metric), *found]
    cut = [each.with_(k="k").signature() for each in named if each.k is not None]
    return sorted(dict.fromkeys(cut), key=lambda name: name.count("|"))
