"""The definition space, evaluated on the probes once and shared by all functions of a run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from audit.observations.rescale import recut
from reference.cases import PROBES, SMALL, SOLE, Kind, Probe
from reference.evaluation.evaluate import Problem
from reference.metrics import METRICS
from reference.space import edges
from reference.space.axis import Axis
from reference.space.lists import Lists

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Setting = tuple[tuple[str, str], ...]

_SETTINGS = {
    "cutoff": ("none", "hits_uncut", "hits_k_plus_1", "k_plus_1", "k_minus_1", "10"),
    "positions": ("negatives_only",),
    "relevance": ("equal_1",),
    "truth": ("first",),
    "pairs": ("rated_0_1", "all_0_1"),
    "candidates": ("test_only",),
    "users": ("hits",),
    "mean": ("quadratic", "geometric"),
}
_BASE: dict[Kind, dict[str, str]] = {
    "rated": {"candidates": "test_only", "relevance": "at_least_t"},
    "unit": {"relevance": "equal_1"},
    "above": {"relevance": "above_t"},
    "one": {"users": "one_relevant"},
    "unit_one": {"users": "one_relevant", "relevance": "equal_1"},
}
"""What functions have in common that are asked probes of these kinds because they say nothing on plain ones."""


_ONE = Lock()


@dataclass(frozen=True, eq=False)
class Matrix:
    """Formula values of every point under every setting: one row each (settings outside), one column a probe.

    ``irregular`` where an edge policy decides; ``policed`` where only a policy's number can be heard then, as the
    formula has none for a user who has relevant items and a list; ``conventional`` where a 0 for want of a hit is a
    convention, so that NaN may only mean another policy.
    """

    settings: tuple[Setting, ...]
    points: tuple[dict[str, str], ...]
    values: Floats
    irregular: Bools
    policed: Bools
    conventional: Bools

    def point(self, row: int) -> dict[str, str]:
        """The values on the axes that a row stands for."""
        setting, point = divmod(row, len(self.points))
        return {**self.points[point], **dict(self.settings[setting])}


@cache
def probes(kind: Kind, cut: int | None = None) -> tuple[Probe, ...]:
    """The probes of one kind, all at one cut-off where ``cut`` is given."""
    chosen = tuple(probe for probe in (*PROBES, *SOLE, *SMALL) if probe.kind == kind)
    return chosen if cut is None else recut(chosen, cut)


@cache
def problem(kind: Kind, cut: int | None = None) -> Problem:
    """Those probes as one problem."""
    chosen = probes(kind, cut)
    return Problem.of([probe.case for probe in chosen], [probe.k for probe in chosen])


@cache
def levels(metric: str, has_k: bool, kind: Kind = "plain") -> tuple[tuple[Setting, ...], ...]:
    """Changes of input and cut-off under which formulas are tried: none, then one, then two at once.

    On ``rated`` probes all of them rank rated items only and take those from the threshold on as relevant: so are
    functions asked that refuse probes without rated irrelevant items. The mean shows in one user's value where that
    can be below 0.
    """
    known = METRICS[metric]
    acting = {axis.name for axis in known.all_axes} - (set() if _signed(metric) else {"mean"})
    base: dict[str, str] = {} if has_k or "cutoff" not in acting else {"cutoff": "none"}
    base |= {name: value for name, value in _BASE.get(kind, {}).items() if name in acting}
    base = {name: value for name, value in base.items() if known.canonical[name] != value}
    free = [
        (name, value) for name, values in _SETTINGS.items() if name in acting and name not in base for value in values
    ]
    fixed = tuple(base.items())
    pairs = (pair for pair in combinations(free, 2) if pair[0][0] != pair[1][0])
    changed = (tuple((*fixed, change) for change in free), tuple((*fixed, *pair) for pair in pairs))
    return ((fixed,), *(level for level in changed if level))


def matrix(metric: str, level: tuple[Setting, ...], has_k: bool, plain: Problem) -> Matrix:
    """Every formula point of a metric on plain probes (one problem of :func:`problem`), under some settings."""
    with _ONE:  # a second thread that needs the same matrix waits for it rather than making it too
        return _matrix(metric, level, has_k, plain)


@cache
def _points(metric: str) -> list[dict[str, str]]:
    return METRICS[metric].points()


@cache
def _signed(metric: str) -> bool:
    """Whether a formula of a metric is below 0 on some plain probe."""
    lists = problem("plain").lists(METRICS[metric].canonical)
    return any((METRICS[metric].formula(lists, **point).value < 0).any() for point in _points(metric))


def _lone_mean(values: Floats, irregular: Bools, users: Bools, mean: str) -> None:
    """What the mean of one user's value is: no number where that user is not averaged over."""
    irregular |= ~users
    if mean == "quadratic":
        values[:] = np.abs(values)
    if mean == "geometric":
        irregular |= values < 0


@cache
def _matrix(metric: str, level: tuple[Setting, ...], has_k: bool, plain: Problem) -> Matrix:
    known, points = METRICS[metric], _points(metric)
    chosen = [{**known.canonical, **dict(setting)} for setting in level]
    # One call of a formula for all settings: there are thousands of formulas, and few lists in each setting.
    lists = Lists.join([plain.lists(values, uncut=not has_k) for values in chosen])
    shape = (len(level), len(points), len(plain.cases))
    values, (irregular, policed, conventional) = np.empty(shape), np.zeros((3, *shape), dtype=bool)
    unusual, no_hit = (lists.relevant == 0) | (lists.length == 0), lists.hits.count == 0
    hit, one = np.empty(shape, dtype=bool), (lists.relevant == 1).reshape(len(level), 1, -1)
    for column, point in enumerate(points):
        ratio = known.formula(lists, **point)
        undefined = unusual | (ratio.denominator == 0)
        if known.negatives is not None:
            undefined |= known.negatives(lists, **point) == 0
        values[:, column] = ratio.value.reshape(len(level), -1)
        irregular[:, column] = undefined.reshape(len(level), -1)
        policed[:, column] = (undefined & ~unusual).reshape(len(level), -1)
        # What takes no cut-off looks for hits in the whole list.
        hits = known.hit_count(lists, point) if known.hits or known.uses_k(point) else lists.listed.count
        hit[:, column] = (hits > 0).reshape(len(level), -1)
        if known.zero_by_convention({**known.canonical, **point}):
            conventional[:, column] = no_hit.reshape(len(level), -1)
    needs_k = np.array([known.uses_k(point) for point in points])
    for row, own in enumerate(chosen):
        users = {"hits": hit[row], "one_relevant": one[row]}.get(own["users"], np.ones_like(hit[row]))
        users = users | unusual.reshape(len(level), -1)[row]
        _lone_mean(values[row], irregular[row], users, own["mean"])
        if not has_k and "cutoff" not in dict(level[row]):
            irregular[row, needs_k] = True  # there is no k that these formulas could read
    flat = (-1, shape[2])
    return Matrix(
        level,
        tuple(points),
        values.reshape(flat),
        irregular.reshape(flat),
        policed.reshape(flat),
        conventional.reshape(flat),
    )


@cache
def _states(metric: str, values: tuple[tuple[str, str], ...], crowd: Kind) -> dict[str, Bools]:
    """By unusual state, which crowds of a kind have users who are in it under a definition."""
    known, chosen = METRICS[metric], dict(values)
    stacked = known.stacked is not None and chosen[known.stacked[0]] == known.stacked[1]
    asked = problem(crowd)
    lists = asked.lists(chosen, stacked=stacked)
    case = asked.placement_for(chosen, stacked=stacked).case[lists.owner]
    own = {axis.name: chosen[axis.name] for axis in known.axes}
    negatives = known.negatives(lists, **own) if known.negatives is not None else None
    defined = known.formula(lists, **own).denominator != 0
    if known.zero_by_convention(chosen):
        defined &= lists.hits.count > 0
    found = edges.edge_states(lists.relevant, lists.length, negatives, defined)
    return {name: np.bincount(case[where], minlength=len(asked.cases)) > 0 for name, where in found.items()}


_NO_STATE = frozenset({"users", "pooling", "weight", "mean", "undefined", "no_hit", "no_negatives", "no_list"})


def states(metric: str, values: dict[str, str], crowd: Kind, chosen: slice) -> frozenset[str]:
    """The unusual states that users of some crowds of a kind are in under a definition: only there can a policy act."""
    stacked = METRICS[metric].stacked
    by_state = tuple(
        (name, value) for name, value in values.items() if name not in _NO_STATE or (stacked and name == stacked[0])
    )
    return frozenset(name for name, where in _states(metric, by_state, crowd).items() if where[chosen].any())


def _listed(axis: Axis) -> list[str]:
    """Values that can be evaluated."""
    return [name for name in axis.names if name != "other"]


def seen(values: dict[str, str], metric: str) -> list[dict[str, str]]:
    """``values``, and the same without the rows that were seen in training, where all are ranked."""
    if values.get("candidates") != "all":
        return [values]
    return [values, {**values, "candidates": "without_train"}]


def expand(values: dict[str, str], metric: str, names: tuple[str, ...]) -> list[dict[str, str]]:
    """``values`` with every combination of values on the named axes that act on the metric."""
    axes = [axis for axis in METRICS[metric].all_axes if axis.name in names]
    return [
        {**values, **dict(zip([axis.name for axis in axes], chosen, strict=True))}
        for chosen in product(*(_listed(axis) for axis in axes))
    ]
