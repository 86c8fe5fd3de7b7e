"""Simplified definitions: equal in value on generated cases and by the slow oracle, and not merged too far."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given

from reference.definitions.definition import Definition, parse
from reference.evaluation.evaluate import Problem, evaluate
from reference.metrics import METRICS
from reference.placement.tie_ranks import TooManyOrdersError
from tests.support.generated_inputs import SCALE, definitions, examples, random_case, sampled


@examples(200)
@given(definition=definitions())
@pytest.mark.slow
def test_simplified_is_idempotent(definition: Definition) -> None:
    simple = definition.simplified()
    assert simple.simplified() == simple
    assert parse(simple.signature()) == simple


POOL_RNG = random.Random(5)
POOL = [random_case(POOL_RNG, users=POOL_RNG.choice((1, 1, 2, 3, 4))) for _ in range(200)]
AT = {k: Problem.of(POOL, k) for k in (1, 2, 3, 8)}


def agree(definition: Definition, k: int) -> bool:
    """Whether the simplified definition is another one; it gives what the definition gives on all cases."""
    definition = definition.with_(k=k) if definition.k is not None else definition
    simple = definition.simplified()
    if simple == definition:
        return False
    try:
        first, second = evaluate(definition, AT[k]), evaluate(simple, AT[k])
    except TooManyOrdersError:
        return False
    alike = first.refused | np.isclose(first.mean, second.mean, rtol=1e-9, atol=1e-9, equal_nan=True)
    for number in np.flatnonzero((first.refused != second.refused) | ~alike)[:1]:
        case, means = POOL[number], (first.mean[number], second.mean[number])
        pytest.fail(f"{definition}\nwritten {simple}: {means}\n{case.predictions}\n{case.truth}\nt={case.threshold}")
    return True


@pytest.mark.parametrize("name", METRICS)
def test_simplified_is_worth_the_same(name: str) -> None:
    """Definitions far from the canonical one and near it, each on two hundred generated cases."""
    seeds = [(seed, moved) for seed in range(4 * SCALE) for moved in (0.1, 0.2, 0.35)]
    compared = [agree(sampled(METRICS[name], seed, moved), (1, 2, 3, 8)[seed % 4]) for seed, moved in seeds]
    assert any(compared)


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
def test_many_simplified_ones_are_worth_the_same(name: str) -> None:
    for seed in range(100):
        agree(sampled(METRICS[name], 1000 + seed, (0.1, 0.2, 0.35)[seed % 3]), (1, 2, 3, 8)[seed % 4])


FAMILIES_OF_RULES = (
    {"truth": "first"}, {"users": "one_relevant"}, {"pooling": "weighted", "weight": "relevant"},
    {"pooling": "weighted", "weight": "rated"}, {"pooling": "weighted", "weight": "list_length"},
    {"undefined": "formula", "users": "all"}, {"no_list": "formula"}, {"mean": "harmonic", "no_list": "ends_all"},
    {"mean": "geometric", "no_hit": "ends_all"}, {"cutoff": "none"}, {"cutoff": "k_minus_1", "no_hit": "ends_all"},
    {"relevance": "equal_1"}, {"order": "rows"}, {"of": "means", "mean": "harmonic"},
    {"cutoff": "k_minus_1", "pooling": "weighted", "weight": "list_length"}, {"pairs": "all_0_1"},
    {"truth_duplicates": "r_only", "pooling": "weighted", "weight": "relevant"},
    {"users": "one_relevant", "truth_duplicates": "once"}, {"pooling": "pooled", "undefined": "error"},
    {"scope": "stacked", "unlisted": "dropped"}, {"scope": "stacked", "list": "topk"}, {"pairs": "rated_0_1"},
    {"missing": "zero_error"}, {"missing": "lowest"}, {"scope": "stacked", "ties": "average"},
    {"negatives": "every_row", "order": "rows"},
    {"negatives": "catalogue", "unlisted": "dropped"}, {"ties": "shared"},
    {"ties": "shared", "positions": "negatives_only"}, {"users": "truth_rows", "relevance": "positive"},
    {"users": "truth_rows", "relevance": "positive", "pooling": "weighted", "weight": "rated"},
    {"ties": "shared", "truth": "first", "duplicates": "last"}, {"nobody": "0"},
    {"nobody": "0", "users": "all", "undefined": "0"}, {"nobody": "0", "cutoff": "k_minus_1", "no_hit": "skip"},
)  # fmt: skip
"""Values under which rules of their own make definitions equal."""


@pytest.mark.slow
@pytest.mark.parametrize("fixed", FAMILIES_OF_RULES, ids=lambda fixed: ",".join(f"{a}:{v}" for a, v in fixed.items()))
def test_each_family_of_rules_is_worth_the_same(fixed: dict[str, str]) -> None:
    rng, compared = random.Random(str(fixed)), 0
    for number in range(40 * SCALE):
        metric = METRICS[rng.choice([name for name, known in METRICS.items() if set(fixed) <= set(known.canonical)])]
        values = {**sampled(metric, rng.randrange(2**32), rng.choice((0.05, 0.15))).axes, **fixed}
        if metric.refusal(values) is None:
            compared += agree(Definition.of(metric.name, values), (1, 2, 3, 8)[number % 4])
    assert compared


def test_what_an_edge_decides_is_not_merged_before_the_edge_is_known() -> None:
    of_means = parse("f_score@k|of:means|truth:first")
    assert of_means.simplified() != of_means.simplified(edges_known=False)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.slow
def test_formula_points_are_simple_and_distinct(name: str) -> None:
    metric = METRICS[name]
    points = [tuple(point.items()) for point in metric.points()]
    assert len(points) == len(set(points)) > 0
    for point in metric.points():
        assert metric.simplify({**metric.canonical, **point}).items() >= point.items()


def test_ndcg_merges_the_base_of_the_logarithm() -> None:
    """log_b x = log2 x / log2 b, so that with one base above and below nothing of it is left."""
    assert parse("ndcg@3|discount:ln").simplified() == parse("ndcg@3")
    assert parse("ndcg@3|discount:ln|ideal:none").simplified() == parse("ndcg@3|discount:ln|ideal:none")
    assert parse("ndcg@3|discount:ln|ideal_discount:log2").simplified() != parse("ndcg@3").simplified()


def test_f_beta_with_swapped_denominators_is_f_of_one_over_beta() -> None:
    simple = parse("f_score@5|precision:min|recall:k|beta:3").simplified()
    assert simple.axes["precision"] == "k" and simple.axes["recall"] == "min"
    assert float(simple.axes["beta"]) == 1 / 3
