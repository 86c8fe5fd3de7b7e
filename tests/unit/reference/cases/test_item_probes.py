"""The probes of metrics beyond accuracy: nothing unusual on ordinary rows, and every two definitions are told apart."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from recsys_metric_audit.audit.questions.item_cases import item_questions
from recsys_metric_audit.reference.cases.item_probes import ITEM_PROBES, SHOWN_ITEMS
from recsys_metric_audit.reference.cases.probe import Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import ITEM_METRICS
from tests.support.slow_parameters import slow_but_first

SHARED = [probe for probe in item_questions("gini") if probe.kind == SHOWN_ITEMS]
LATER = ("order", "ties", "duplicates", "truth_duplicates")


@cache
def problem(metric: str, *, ordinary: bool = False) -> Problem:
    """Return the questions to functions of a metric, or those of ordinary rows, as one problem."""
    probes = [probe for probe in item_questions(metric) if not ordinary or probe.kind == SHOWN_ITEMS]
    return Problem.of([probe.case for probe in probes], [probe.k for probe in probes])


def outcomes(definition: Definition, asked: Problem) -> tuple[float, ...]:
    made = evaluate(definition, asked)
    return tuple(
        np.where(made.refused, np.inf, np.nan_to_num(made.mean, nan=-7.0, posinf=1e6, neginf=-1e6)).round(6).tolist()
    )


@pytest.mark.parametrize("probe", SHARED, ids=lambda probe: probe.name)
def test_rows_of_ordinary_probes_descend_without_ties_repeats_and_train_items(probe: Probe) -> None:
    rec, train = probe.case.predictions, probe.case.train
    pairs = list(zip(rec.user.tolist(), rec.item.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    assert not set(pairs) & set(zip(train.user.tolist(), train.item.tolist(), strict=True))
    steps = np.diff(rec.score)[np.diff(rec.user) == 0]
    assert (steps < 0).all()


def test_two_probes_have_no_recommendations_and_one_of_them_no_truth() -> None:
    empty = [probe for probe in ITEM_PROBES if not len(probe.case.predictions.user)]
    assert sorted(len(probe.case.truth.user) for probe in empty) == [0, 2]
    assert len({probe.name for probe in item_questions()}) == len(item_questions())


def test_copies_in_the_truth_are_the_only_unusual_thing_of_their_probes() -> None:
    copied = [probe for probe in item_questions() if probe.kind.role == "truth_duplicates"]
    for case in (probe.case for probe in copied):
        rec, truth = case.predictions, case.truth
        assert len({*zip(rec.user.tolist(), rec.item.tolist(), strict=True)}) == len(rec.user)
        rated: dict[tuple[int, int], list[float]] = {}
        for user, item, gain in zip(truth.user.tolist(), truth.item.tolist(), truth.gain.tolist(), strict=True):
            rated.setdefault((user, item), []).append(gain)
        assert any(len(gains) > 1 for gains in rated.values())
        assert all(len(set(gains)) == 1 for gains in rated.values())
    assert copied and not [probe for probe in item_questions("gini") if probe in copied]


@pytest.mark.parametrize("name", slow_but_first(ITEM_METRICS))
def test_ordinary_rows_tell_every_two_formulas_apart(name: str) -> None:
    """All but those that are equal whatever the rows."""
    metric = ITEM_METRICS[name]
    axes = [axis for axis in metric.all_axes if axis.name not in LATER]
    seen: dict[tuple[float, ...], Definition] = {}
    for chosen in product(*(axis.names for axis in axes)):
        values = {**metric.canonical, **dict(zip([axis.name for axis in axes], chosen, strict=True))}
        if metric.refusal(values) is None:
            point = Definition.of(name, values)
            other = seen.setdefault(outcomes(point, problem(name, ordinary=True)), point)
            assert are_equal(point, other), f"{point} and {other}"
    assert len(seen) > 5


@pytest.mark.parametrize("name", [name for name, metric in ITEM_METRICS.items() if "ties" in metric.canonical])
def test_the_probes_tell_every_two_ways_of_handling_rows_apart(name: str) -> None:
    axes = [axis for axis in ITEM_METRICS[name].all_axes if axis.name in LATER]
    points = {
        shortest(Definition.of(name, dict(zip([axis.name for axis in axes], chosen, strict=True))))
        for chosen in product(*(axis.names for axis in axes))
    }
    assert len({outcomes(point, problem(name)) for point in points}) == len(points)
