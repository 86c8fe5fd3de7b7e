"""Tables of every formula of a metric on some probes, made once and shared by all functions of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.observations.formula_settings import Setting, formula_points
from audit.observations.probe_tables import problem
from reference.cases import Kind
from reference.evaluation.evaluate import Problem
from reference.metrics import METRICS
from reference.space.lists import Lists

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_ROWS_AT_ONCE = 1 << 16
_MAKING_A_TABLE = Lock()


@dataclass(frozen=True, eq=False)
class _Parts:
    """Numbers that formulas are made of, those that several of n formulas share only once.

    Attributes:
        numbers: The numbers, shape (probes, settings, parts).
        of_point: Which part each formula takes, shape (n,).
    """

    numbers: NDArray[Any]
    of_point: Ints

    def places(self, setting: Ints, point: Ints) -> Ints:
        """Return where the numbers of pairs of a setting and a formula stand among those of one probe."""
        places: Ints = setting * self.numbers.shape[2] + self.of_point.take(point)
        return places


@dataclass(frozen=True, eq=False)
class FormulaTable:
    """Formulas on p probes: a row for every setting and formula point, settings outside, a column for each probe.

    Columns are made when they are asked for: a formula is a quotient, and thousands of formulas share few numerators
    and denominators.

    Attributes:
        settings: The s settings.
        points: The n formula points; each gives a value on every axis of the formula.
        top: Numerators.
        below: Denominators; NaN where they are 0.
        undefined: Mask of denominators that are 0, or that no regular user has.
        policy_only: Mask of denominators that are 0 though the user has relevant items and a list.
        negatives: Whether no item is irrelevant; None if no formula asks.
        hits: Whether there is no hit; None if no setting averages users with a hit only.
        hits_only: Mask of settings that average users with a hit only, shape (s,).
        roots: Mask of formulas that take the square root, shape (n,).
        by_convention: Mask of formulas that are 0 by convention without a hit, shape (n,).
        no_number: Mask of formulas that have no number in a setting, shape (s, n); None if all have one.
        unusual: Mask of users without relevant items or without a list, shape (p, s).
        no_hit: Mask of users without a hit, shape (p, s).
        quadratic: Mask of settings with a quadratic mean over users, shape (s,).
        geometric: Mask of settings with a geometric mean over users, shape (s,).
    """

    settings: tuple[Setting, ...]
    points: tuple[dict[str, str], ...]
    top: _Parts
    below: _Parts
    undefined: _Parts
    policy_only: _Parts
    negatives: _Parts | None
    hits: _Parts | None
    hits_only: Bools
    roots: Bools
    by_convention: Bools
    no_number: Bools | None
    unusual: Bools
    no_hit: Bools
    quadratic: Bools
    geometric: Bools

    def __len__(self) -> int:
        return len(self.settings) * len(self.points)

    def blocks(self) -> Iterator[Rows]:
        """Yield all rows in their order, some at a time, so that what is made of them stays small."""
        at_once = max(1, _ROWS_AT_ONCE // len(self.points))
        for start in range(0, len(self.settings), at_once):
            own = np.arange(start, min(start + at_once, len(self.settings)))
            point = np.tile(np.arange(len(self.points)), len(own))
            yield Rows(self, np.repeat(own, len(self.points)), point)


@dataclass(frozen=True, eq=False)
class Rows:
    """Some rows of a table, as the numbers of their settings and formula points; each method has an entry for each."""

    table: FormulaTable
    setting: Ints
    point: Ints

    def __len__(self) -> int:
        return len(self.point)

    def where(self, keep: Bools) -> Rows:
        """Return the rows of a mask."""
        return self if keep.all() else Rows(self.table, self.setting[keep], self.point[keep])

    def points(self) -> list[dict[str, str]]:
        """Return the values on the axes that each row stands for."""
        pairs = zip(self.setting.tolist(), self.point.tolist(), strict=True)
        return [{**self.table.points[point], **dict(self.table.settings[setting])} for setting, point in pairs]

    def column(self, probe: int) -> tuple[Floats, Bools]:
        """Return the values on a probe, and a mask of those that an edge policy decides."""
        table = self.table
        values: Floats = self._at(table.top, probe, self._top) / self._at(table.below, probe, self._below)
        if table.roots.any():
            values = np.where(table.roots.take(self.point), np.sqrt(np.maximum(values, 0)), values)
        irregular: Bools = self._at(table.undefined, probe, self._below)
        if table.negatives is not None:
            irregular |= self._at(table.negatives, probe, self._negatives)
        if table.hits is not None:
            irregular |= table.hits_only.take(self.setting) & self._at(table.hits, probe, self._hits)
        if table.no_number is not None:
            irregular |= table.no_number[self.setting, self.point]
        if table.quadratic.any():  # the mean of one user
            values = np.where(table.quadratic.take(self.setting), np.abs(values), values)
        if table.geometric.any():
            irregular |= table.geometric.take(self.setting) & (values < 0)
        return values, irregular

    def policy_only(self, probe: int) -> Bools:
        """Return a mask of the values that only a policy can give: the formula of a user with items and list is 0/0."""
        out: Bools = self._at(self.table.policy_only, probe, self._below)
        if self.table.negatives is not None:
            usual = ~self.table.unusual[probe].take(self.setting)
            out |= self._at(self.table.negatives, probe, self._negatives) & usual
        return out

    def conventional(self, probe: int) -> Bools:
        """Return a mask of the values that are 0 by convention for want of a hit: a policy may replace them."""
        out: Bools = self.table.by_convention.take(self.point) & self.table.no_hit[probe].take(self.setting)
        return out

    @staticmethod
    def _at(parts: _Parts, probe: int, places: Ints) -> NDArray[Any]:
        out: NDArray[Any] = parts.numbers[probe].ravel().take(places)
        return out

    @cached_property
    def _top(self) -> Ints:
        return self.table.top.places(self.setting, self.point)

    @cached_property
    def _below(self) -> Ints:
        return self.table.below.places(self.setting, self.point)

    @cached_property
    def _hits(self) -> Ints:
        assert self.table.hits is not None
        return self.table.hits.places(self.setting, self.point)

    @cached_property
    def _negatives(self) -> Ints:
        assert self.table.negatives is not None
        return self.table.negatives.places(self.setting, self.point)


def formula_table(metric: str, settings: tuple[Setting, ...], has_k: bool, probes: Problem) -> FormulaTable:
    """Return the table of every formula point of a metric under every setting; cached.

    Args:
        metric: Name of the metric.
        settings: The settings.
        has_k: Whether the function takes a cut-off.
        probes: Probes of one user each; a problem of :func:`audit.observations.probe_tables.problem`.
    """
    with _MAKING_A_TABLE:  # a second thread that needs this table waits for it rather than making it too
        return _formula_table(metric, settings, has_k, probes)


@cache
def _formula_table(metric: str, settings: tuple[Setting, ...], has_k: bool, probes: Problem) -> FormulaTable:
    known, points, own = METRICS[metric], formula_points(metric), _formulas(metric)
    chosen = [{**known.canonical, **dict(setting)} for setting in settings]
    # One call of a formula for all settings: there are thousands of formulas, and few lists in each setting.
    lists = Lists.join([probes.lists(values, uncut=not has_k) for values in chosen])

    def by_probe(numbers: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """Return arrays with an entry for each list as one, shape (probes, settings, arrays)."""
        return np.stack(numbers, axis=-1).reshape(len(settings), -1, len(numbers)).swapaxes(0, 1).copy()

    def parts(shared: _Shared) -> _Parts:
        made = [shared.made(lists, points[number]) for number in shared.first]
        return _Parts(by_probe([np.asarray(each) for each in made]), shared.of_point)

    users = [each["users"] for each in chosen]
    hits_only = np.array([each == "hits" for each in users])
    unusual = by_probe([(lists.relevant == 0) | (lists.length == 0)])[..., 0]
    others = by_probe([lists.relevant != 1])[..., 0] & np.array([each == "one_relevant" for each in users])
    uncut = np.array([not has_k and "cutoff" not in dict(setting) for setting in settings])
    no_number = uncut[:, None] & own.needs_k  # there is no k that these formulas could read
    below = parts(own.below)
    zero = below.numbers == 0
    hits = parts(own.hits) if hits_only.any() else None
    negatives = parts(own.negatives) if own.negatives is not None else None
    return FormulaTable(
        settings,
        tuple(points),
        parts(own.top),
        replace(below, numbers=np.where(zero, np.nan, below.numbers)),
        replace(below, numbers=zero | (unusual | others)[..., None]),
        replace(below, numbers=zero & ~unusual[..., None]),
        replace(negatives, numbers=negatives.numbers == 0) if negatives is not None else None,
        replace(hits, numbers=(hits.numbers == 0) & ~unusual[..., None]) if hits is not None else None,
        hits_only,
        own.roots,
        own.by_convention,
        no_number if no_number.any() else None,
        unusual,
        by_probe([lists.hits.count == 0])[..., 0],
        np.array([each["mean"] == "quadratic" for each in chosen]),
        np.array([each["mean"] == "geometric" for each in chosen]),
    )


class _Shared(NamedTuple):
    """Tells which part each formula takes, of which formula each part is taken, and how it is made."""

    of_point: Ints
    first: list[int]
    made: Callable[[Lists, dict[str, str]], NDArray[Any]]

    @staticmethod
    def of(arrays: Sequence[NDArray[Any]], made: Callable[[Lists, dict[str, str]], NDArray[Any]]) -> _Shared:
        """Tell the different arrays apart among those that formulas returned, given in the order of the formulas."""
        numbers: dict[int, int] = {}
        first: list[int] = []
        for place, each in enumerate(arrays):
            if numbers.setdefault(id(each), len(first)) == len(first):
                first.append(place)
        return _Shared(np.array([numbers[id(each)] for each in arrays]), first, made)


class _Formulas(NamedTuple):
    """Holds what is known of all formulas of a metric, whatever the lists; see :class:`FormulaTable`."""

    top: _Shared
    below: _Shared
    hits: _Shared
    negatives: _Shared | None
    roots: Bools
    by_convention: Bools
    needs_k: Bools


@cache
def _formulas(metric: str) -> _Formulas:
    """Find which formulas of a metric share their numbers.

    Formulas keep with the lists what they ask for again (see :func:`reference.space.lists.kept_with_lists`): two that
    return one and the same array for some lists do so for any.
    """
    known, points = METRICS[metric], formula_points(metric)
    lists = problem(Kind("single_user")).lists(known.canonical)
    ratios = [known.formula(lists, **point) for point in points]
    needs_k = [known.uses_k(point) for point in points]

    def hits(lists: Lists, point: dict[str, str]) -> NDArray[Any]:
        # A formula without cut-off looks for hits in the whole list.
        return known.hit_count(lists, point) if known.hits or known.uses_k(point) else lists.listed.count

    def negatives(lists: Lists, point: dict[str, str]) -> NDArray[Any]:
        assert known.negatives is not None
        return known.negatives(lists, **point)

    return _Formulas(
        _Shared.of([each.numerator for each in ratios], lambda lists, point: known.formula(lists, **point).numerator),
        _Shared.of(
            [each.denominator for each in ratios], lambda lists, point: known.formula(lists, **point).denominator
        ),
        _Shared.of([hits(lists, point) for point in points], hits),
        _Shared.of([negatives(lists, point) for point in points], negatives) if known.negatives is not None else None,
        np.array([each.root for each in ratios]),
        np.array([known.zero_by_convention({**known.canonical, **point}) for point in points]),
        np.array(needs_k),
    )
