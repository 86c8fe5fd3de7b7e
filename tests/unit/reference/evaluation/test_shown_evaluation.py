"""Definitions that read which items are shown, against the slow oracle."""

from __future__ import annotations

import math
import random

import pytest

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reference.metrics import ITEM_METRICS
from tests.support.generated_inputs import random_case
from tests.support.oracle_items import Refused, slow_value
from tests.support.slow_parameters import slow_but_first

A_BATCH = 30
BATCHES = 30


def drawn(name: str, rng: random.Random) -> Definition:
    """Return a definition of a metric drawn at random among those that make sense."""
    metric = ITEM_METRICS[name]
    while True:
        values = {axis.name: rng.choice(axis.names) for axis in metric.all_axes}
        if metric.refusal(values) is None:
            return Definition.of(name, values)


def outcome(definition: Definition, case: Case, k: int | None) -> float | str:
    try:
        return slow_value(definition.metric, definition.axes, case, k if definition.k is not None else None)
    except Refused:
        return "refused"


def same(one: float | str, other: float | str) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(one) and math.isnan(other))


@pytest.mark.parametrize("name", ITEM_METRICS)
@pytest.mark.slow
def test_every_definition_gives_what_the_slow_oracle_gives(name: str) -> None:
    rng, numbers = random.Random(name), 0
    for _ in range(BATCHES):
        batch, k = [random_case(rng) for _ in range(A_BATCH)], rng.choice((1, 2, 3, 5, 8, None))
        definition = drawn(name, rng)
        together = evaluate(definition, Problem.of(batch, k))
        alone = evaluate(definition, Problem.of(batch[:1], k))
        for number, case in enumerate(batch):
            right = outcome(definition, case, k)
            for made, place in ((together, number), (alone, 0))[: 2 if number == 0 else 1]:
                fast = "refused" if made.refused[place] else float(made.mean[place])
                assert same(fast, right), (str(definition), k, case, fast, right)
            numbers += isinstance(right, float) and not math.isnan(right)
    assert numbers > BATCHES * A_BATCH / 3


@pytest.mark.parametrize("name", slow_but_first(ITEM_METRICS))
def test_what_is_written_with_less_is_equal(name: str) -> None:
    rng, shorter = random.Random(name), 0
    for _ in range(BATCHES):
        definition = drawn(name, rng)
        simple = shortest(definition)
        assert shortest(simple) == simple
        assert simple.family.refusal(simple.axes) is None, str(simple)
        shorter += simple != definition
        for _ in range(10):
            case, k = random_case(rng), rng.choice((1, 2, 5, 8))
            assert same(outcome(definition, case, k), outcome(simple, case, k)), (str(definition), str(simple), case)
    assert shorter
