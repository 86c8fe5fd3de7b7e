"""Separation: definitions that are not equal differ on some probe, and by more than a thousandth.

The space is a product. All pairs of formula points are compared on users' values; all pairs of averaging points on
groups of ordinary users; every order and edge axis alone, on probes on which no other choice acts; and a sample of
mixed pairs end to end. Pairs that do not part must be equal: only of these is equality asked, which costs the most.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from recsys_metric_audit.reference.cases import EXHAUSTIVE, MIXED, PROBES, Kind, Role
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.drawn_cases import drawn_probes
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate, takes_one_ranking
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space import averaging, edges
from recsys_metric_audit.reference.space.axis import Axis
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from recsys_metric_audit.reference.space.lists import Ratio
from recsys_metric_audit.reference.space.metric import Metric

GAP = 1e-3
AXES: tuple[tuple[Role, tuple[str, ...]], ...] = (
    ("order", ("order", "ties")),
    ("duplicates", ("duplicates",)),
    ("truth_duplicates", ("truth_duplicates",)),
    ("relevance", ("relevance", "counted_scores")),
)
"""Axes that the probes of one role settle together, whatever the formula."""
COUNT = {"pairs": 0}


RATED_MISSES = Kind("single_user", "rated_misses")


def problem(*kinds: Kind) -> Problem:
    chosen = [probe for probe in (*PROBES, *MIXED) if probe.kind in kinds]
    return Problem.of([probe.case for probe in chosen], [probe.k for probe in chosen])


def apart(first: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which rows of ``others`` differ from ``first`` somewhere: by the gap, or by saying nothing there."""
    with np.errstate(invalid="ignore"):
        return ((np.abs(others - first) > GAP) | (np.isnan(others) != np.isnan(first))).any(axis=1)


@cache
def drawn_problem() -> Problem:
    probes = drawn_probes(1500)
    return Problem.of([probe.case for probe in probes], [probe.k for probe in probes])


def unseparated(values: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Pairs of rows that no column tells apart; most are told apart by the first few."""
    COUNT["pairs"] += len(values) * (len(values) - 1) // 2
    few = values[:, :6].copy()
    out = []
    for row in range(len(values) - 1):
        near = row + 1 + np.flatnonzero(~apart(few[row], few[row + 1 :]))
        out += [(row, int(other)) for other in near[~apart(values[row], values[near])]]
    return out


def told(pairs: Iterable[tuple[int, int]], names: list[str]) -> list[str]:
    return [f"{names[a]} and {names[b]}" for a, b in list(pairs)[:10]]


def unequal(values: NDArray[np.float64], definitions: list[Definition]) -> list[str]:
    """Pairs of definitions that no column tells apart although they are not equal."""
    pairs = [(a, b) for a, b in unseparated(values) if not are_equal(definitions[a], definitions[b])]
    return told(pairs, [str(each) for each in definitions])


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow if n == "ndcg" else ()) for n in METRICS])
def test_all_pairs_of_formula_points(name: str) -> None:
    """Points that agree to the bit on all probes agree on all drawn cases too, and a draw of them is equal."""
    metric = METRICS[name]
    kinds = (Kind("single_user"), RATED_MISSES, Kind("order"), Kind("relevance"))  # the last have gains below 0
    lists = [problem(kind).lists({**metric.canonical}, uncut=False) for kind in kinds]
    further = drawn_problem().lists({**metric.canonical}, uncut=False)
    firsts: dict[bytes, tuple[dict[str, str], NDArray[np.float64], NDArray[np.float64]]] = {}
    alike: list[tuple[Definition, Definition]] = []
    for point in reversed(metric.points()):
        row = np.concatenate([metric.formula(each, **point).value for each in lists])
        beyond = metric.formula(further, **point).value
        first, _, expected = firsts.setdefault(row.tobytes(), (point, row, beyond))
        if first is not point:
            np.testing.assert_allclose(beyond, expected, rtol=1e-9, atol=1e-9, err_msg=f"{first} and {point}")
            alike.append((Definition.of(name, first), Definition.of(name, point)))
    assert all(are_equal(*pair) for pair in random.Random(name).sample(alike, min(len(alike), 300)))
    rows = np.array([row for _, row, _ in firsts.values()])
    assert not unequal(rows, [Definition.of(name, point) for point, _, _ in firsts.values()])


def seen(definition: Definition, where: Problem) -> NDArray[np.float64]:
    """Return the mean of each case on which no edge policy acts; infinity where the library would raise."""
    made = evaluate(definition, where)
    case = where.placement_for(definition.axes, stacked=takes_one_ranking(definition)).case
    regular = np.bincount(case, weights=~made.regular, minlength=len(where.cases)) == 0
    return np.where(made.refused, np.inf, np.where(regular, made.mean, np.nan))


def moved(metric: Metric) -> list[dict[str, str]]:
    """Return the canonical formula, and those with one axis moved."""
    single = [
        {axis.name: value} for axis in metric.axes if axis.name not in metric.across_users
        for value in axis.names if value != metric.canonical[axis.name]
    ]  # fmt: skip
    return [each for each in [{}, *single] if metric.refusal({**metric.canonical, **each}) is None]


def choices(metric: Metric, base: dict[str, str], names: tuple[str, ...]) -> list[Definition]:
    """Definitions with every combination of values on some axes."""
    axes = [axis for axis in metric.all_axes if axis.name in names]
    out = []
    for chosen in product(*([value for value in axis.names if value not in WITHOUT_RULE] for axis in axes)):
        values = {**metric.canonical, **base, **dict(zip([axis.name for axis in axes], chosen, strict=True))}
        if metric.refusal(values) is None:
            out.append(Definition.of(metric.name, values))
    return out


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
def test_order_axes_on_cases_where_no_policy_acts(name: str) -> None:
    """A definition that says nothing on any case (hits over hits but for edges, gains that are all 0) has no pair."""
    metric, failures = METRICS[name], []
    for role, names in AXES:
        where = problem(Kind(role), RATED_MISSES, Kind("mixed"))
        for base in moved(metric):
            if base == {"denominator": "hits"} and name == "recall":
                continue  # 1 wherever there is a hit: only the policy for users without one is ever seen
            if base == {"counts": "only"}:
                continue  # 0 on most probes, which have several relevant items: further cases have one
            if base == {"at": "0.5"}:
                continue  # precision is best at the first hits of the probes, and copies stand below those
            rows = {each: seen(each, where) for each in choices(metric, base, names)}
            speaking = {each: row for each, row in rows.items() if not np.isnan(row).all()}
            failures += unequal(np.array([*speaking.values()]), [*speaking])
    assert not failures


@pytest.mark.parametrize("axis", edges.AXES, ids=lambda axis: axis.name)
def test_each_edge_axis_alone_on_fixed_users(axis: Axis) -> None:
    """Five users, of whom the third and the fifth are in the state, in one case, and the first in another."""
    value = np.array([0.31, 0.83, 0.17, 0.62, 0.29, 0.55, 0.71])
    where = np.array([False, False, True, False, True, True, False])
    case, k = np.array([0, 0, 0, 0, 0, 1, 1]), np.full(7, 3)
    names = [name for name in axis.names if not (axis.name == "no_hit" and name == "formula")]  # 0/0 is NaN there
    rows = []
    for name in names:
        users = edges.apply_policies(value, {axis.name: where}, k, {axis.name: name}, case, np.ones(7, dtype=bool))
        counts = averaging.UserCounts(*(np.full(7, 2),) * 5, case, 2)
        refused = averaging.refused(users, counts, {})
        rows.append(
            np.where(refused, np.inf, averaging.mean_of_terms(averaging.mean_terms(users, None, counts, {}), counts))
        )
    assert not told(unseparated(np.array(rows)), names)


def test_all_pairs_of_averaging_points_on_fixed_users() -> None:
    """Six groups of users with every mixture of relevant items, recommendations and hits, some of whom rated more
    than is relevant, with values of their own."""
    relevant, length = np.array([3, 1, 0, 2, 0, 1, 4, 1]), np.array([5, 0, 6, 0, 3, 7, 2, 4])
    listed, rated, hits = (
        np.array([2, 0, 0, 0, 0, 1, 2, 1]),
        np.array([3, 2, 1, 2, 0, 1, 6, 1]),
        np.array([2, 0, 0, 0, 0, 1, 1, 0]),
    )
    rng = np.random.default_rng(0)
    counts = averaging.UserCounts(
        *(np.tile(each, 6) for each in (relevant, listed, length, rated, hits)), np.arange(48) // 8, 6
    )
    value, whole = rng.uniform(0.1, 0.9, 48), np.ones(48, dtype=bool)
    users = edges.UserValues(value, whole, ~whole, whole)
    ratio = Ratio(value * (counts.relevant + counts.length), (counts.relevant + counts.length).astype(float))
    points, rows = [], []
    for chosen in product(*(axis.names for axis in averaging.AXES)):
        values = dict(zip([axis.name for axis in averaging.AXES], chosen, strict=True))
        if values["pooling"] != "weighted" and values["weight"] != "none":
            continue  # no weights where nothing is weighted
        if values["pooling"] == "weighted" and values["weight"] == "none":
            continue  # weighted by nothing is the plain mean
        if values["pooling"] == "pooled" and values["mean"] != "arithmetic":
            continue  # a ratio of sums is no mean
        points.append(values)
        rows.append(averaging.mean_of_terms(averaging.mean_terms(users, ratio, counts, values), counts))
    same = [
        pair for pair in unseparated(np.array(rows)) if not weigh_alike(points[pair[0]], points[pair[1]])
    ]  # fmt: skip
    assert not told(same, [str(point) for point in points])


def weigh_alike(first: dict[str, str], second: dict[str, str]) -> bool:
    """Return True if two definitions weigh their users alike.

    A user of weight 0 is not in a weighted mean: with r as weight nobody without relevant items is, with the
    number of truth rows nobody without such, with the list's length nobody without recommendations, with the relevant
    items in the list nobody without one there; and users with one relevant item all weigh the same by r.
    """
    nobody = {("relevant", "all"): "truth", ("relevant", "predictions"): "both", ("relevant", "truth_rows"): "truth",
              ("relevant", "both_rows"): "both", ("rated", "all"): "truth_rows", ("rated", "predictions"): "both_rows",
              ("list_length", "truth"): "both", ("list_length", "all"): "predictions",
              ("list_length", "truth_rows"): "both_rows",
              **{("listed", users): "truth" for users in ("both", "predictions", "all", "truth_rows", "both_rows")},
              }  # fmt: skip

    def plain(point: dict[str, str]) -> dict[str, str]:
        out = {**point, "users": nobody.get((point["weight"], point["users"]), point["users"])}
        if (out["weight"], out["users"]) == ("relevant", "one_relevant"):
            out |= {"pooling": "user", "weight": "none"}
        return out

    return plain(first) == plain(second)


def drawn(metric: Metric, rng: random.Random) -> Definition:
    """Return a definition with each of its axes moved with probability 0.3.

    ``other`` stands for what no value describes, and is never drawn.
    """
    while True:
        values = dict(metric.canonical)
        for axis in metric.all_axes:
            if rng.random() < 0.3:
                values[axis.name] = rng.choice([name for name in axis.names if name not in WITHOUT_RULE])
        if metric.refusal(values) is None:
            return Definition.of(metric.name, values)


@pytest.mark.slow
def test_a_sample_of_mixed_pairs(record_property: Callable[[str, object], None]) -> None:
    """More than 10,000 pairs of definitions with axes of all four parts moved at once, end to end on all probes."""
    probes, pairs, same = (*PROBES, *EXHAUSTIVE, *MIXED), 0, []
    where = Problem.of([probe.case for probe in probes], [probe.k for probe in probes])
    for metric in METRICS.values():
        rng = random.Random(metric.name)
        definitions = list({drawn(metric, rng) for _ in range(36)})
        made = [evaluate(each, where) for each in definitions]
        values = np.array([np.where(each.refused, np.inf, each.mean) for each in made])
        pairs += len(definitions) * (len(definitions) - 1) // 2
        same += unequal(values, definitions)
    record_property(
        "figure", f"separation: {pairs:,} mixed pairs, {COUNT['pairs']:,} in all, {len(probes)} probe cases"
    )
    assert pairs >= 10_000
    assert not same
