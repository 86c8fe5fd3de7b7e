"""The shortest definitions: equal in value on cases that equality was not observed on, and not to be shortened."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.equality.observed import are_equal
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from tests.support.generated_inputs import SCALE, random_case, sampled
from tests.support.slow_parameters import slow_but_first

POOL_RNG = random.Random(5)
POOL = [random_case(POOL_RNG, users=POOL_RNG.choice((1, 1, 2, 3, 4))) for _ in range(200)]
AT = {k: Problem.of(POOL, k) for k in (1, 2, 3, 8)}


def agree(definition: Definition, k: int) -> bool:
    """Return whether the shortest definition is another one; it gives what the definition gives on all cases."""
    definition = definition.with_(k=k) if definition.k is not None else definition
    simple = shortest(definition)
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


@pytest.mark.parametrize("name", slow_but_first(METRICS, 2))
def test_the_shortest_is_worth_the_same(name: str) -> None:
    """Definitions far from the canonical one and near it, each on two hundred generated cases."""
    seeds = [(seed, moved) for seed in range(12 * SCALE) for moved in (0.1, 0.2, 0.35)]
    compared = [agree(sampled(METRICS[name], seed, moved), (1, 2, 3, 8)[seed % 4]) for seed, moved in seeds]
    assert any(compared)


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
    for number in range(20 * SCALE):
        metric = METRICS[rng.choice([name for name, known in METRICS.items() if set(fixed) <= set(known.canonical)])]
        values = {**sampled(metric, rng.randrange(2**32), rng.choice((0.05, 0.15))).axes, **fixed}
        if metric.refusal(values) is None:
            compared += agree(Definition.of(metric.name, values), (1, 2, 3, 8)[number % 4])
    assert compared


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
def test_no_axis_that_it_names_can_be_left_out(name: str) -> None:
    """Neither alone, nor together with another one; and what is written is read as it was."""
    for seed in range(8 * SCALE):
        short = shortest(sampled(METRICS[name], seed, (0.1, 0.25)[seed % 2]))
        assert shortest(short) == short == parse(short.signature())
        canonical = short.family.canonical
        for axes in (*combinations(short.differs_on, 1), *combinations(short.differs_on, 2)):
            shorter = short.with_(**{axis: canonical[axis] for axis in axes})
            if short.family.refusal(shorter.axes) is None and "cutoff" not in axes:
                assert not are_equal(shorter, short), axes


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
def test_definitions_that_are_equal_have_one_shortest_form(name: str) -> None:
    compared = 0
    for seed in range(4 * SCALE):
        short = shortest(sampled(METRICS[name], seed, 0.15).with_(k="k"))
        for axis in (axis for axis in short.family.all_axes if axis.name != "cutoff"):
            for other in (short.with_(**{axis.name: value}) for value in axis.names if value not in WITHOUT_RULE):
                if short.family.refusal(other.axes) is None and are_equal(other, short):
                    compared += other != short
                    assert shortest(other) == short
    assert compared


@pytest.mark.parametrize(
    ("signature", "shortened"),
    [
        # Users whom an edge leaves out are not averaged, and a policy for nobody is no policy.
        ("recall@k|no_list:skip", "recall@k|users:both"),
        ("reciprocal_rank@k|users:both|no_hit:skip", "reciprocal_rank@k|users:hits"),
        ("recall@k|users:both|no_list:1", "recall@k|users:both"),
        # A number is clearer than that the formula gives it, and no cut-off than one that does not act.
        ("precision@k|users:all|undefined:formula", "precision@k|users:all|undefined:0"),
        ("accuracy@k|decision:at_half", "accuracy|decision:at_half|cutoff:none"),
        # A ratio of sums is shorter than a mean and its weights.
        ("recall@k|pooling:weighted|weight:relevant", "recall@k|pooling:pooled"),
        # What raises names each of its states.
        ("mae|users:both|undefined:error|no_hit:error", "mae|undefined:error|no_hit:error|no_list:error"),
        # The cut-off that is written stays.
        ("ndcg@20|discount:ln|gain:exp2", "ndcg@20|gain:exp2"),
    ],
)
def test_of_equal_definitions_the_clearest_is_told(signature: str, shortened: str) -> None:
    assert shortest(parse(signature)).signature() == shortened


def test_ndcg_merges_the_base_of_the_logarithm() -> None:
    """log_b x = log2 x / log2 b, so that with one base above and below nothing of it is left."""
    assert shortest(parse("ndcg@3|discount:ln")) == parse("ndcg@3")
    assert shortest(parse("ndcg@3|discount:ln|ideal:none")) == parse("ndcg@3|discount:ln|ideal:none")
    assert shortest(parse("ndcg@3|discount:ln|ideal_discount:log2")) != shortest(parse("ndcg@3"))
