"""Relations between formulas: each holds for every one of hundreds of users, and chains of them are the tightest."""

from __future__ import annotations

import math

import numpy as np
import pytest

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reference.value_search.table_relations import ONE, at, bounds_between, related_formulas


def users(seed: int, *, one_relevant: bool) -> Problem:
    """Return 400 users as one case: lists of 0 to 9 rows, truths of 1 to 12 items (or of one), gains 1 to 5."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[int, int, float]] = []
    truth: list[tuple[int, int, float]] = []
    for user in range(400):
        relevant = rng.permutation(14)[: 1 if one_relevant else rng.integers(1, 13)]
        listed = rng.permutation(14)[: rng.integers(0, 10)]
        rows += [(user, int(item), -float(rank)) for rank, item in enumerate(listed)]
        truth += [(user, int(item), float(rng.integers(1, 6))) for item in sorted(relevant)]
    (user, item, score), (known, wanted, gain) = zip(*rows, strict=True), zip(*truth, strict=True)
    predictions = Predictions(np.array(user), np.array(item), np.array(score))
    return Problem.of([Case("users", predictions, Truth(np.array(known), np.array(wanted), np.array(gain)))], None)


@pytest.mark.parametrize("one_relevant", [False, True])
@pytest.mark.parametrize("ks", [(3, 3), (2, 5), (1, 9)])
@pytest.mark.slow
def test_every_bound_holds_for_every_user(ks: tuple[int, int], one_relevant: bool) -> None:
    problem = users(sum(ks), one_relevant=one_relevant)

    def values(node: tuple[str, int]) -> np.ndarray:
        if node == (ONE, 0):
            return np.ones(400)
        made = evaluate(parse(at(*node)), problem.at(node[1]))
        assert len(made.value) == 400
        # A formula that divides by the hits has no number without one, and 0 by the canonical policy.
        return np.where(made.regular, made.value, 0.0)

    of_node = {node: values(node) for pair in bounds_between(ks, one_relevant=one_relevant) for node in pair}
    for (low, high), bound in bounds_between(ks, one_relevant=one_relevant).items():
        assert (of_node[low] <= bound.factor * of_node[high] + 1e-9).all(), (low, high, bound)


def test_chains_give_the_tightest_bound_with_all_reasons() -> None:
    bounds = bounds_between((5, 10))
    factor, why = bounds[("reciprocal_rank@k", 5), ("hit_rate@k", 10)]
    assert factor == 1
    assert len(why) == 2 and why[0].startswith("reciprocal_rank@5 ≤ ") and "≤ hit_rate@10: " in why[1]
    # HitRate@5 ≤ hits@5 = 5 P@5, and 5 P@5 ≤ 10 P@10.
    assert bounds[("hit_rate@k", 5), ("precision@k", 10)].factor == pytest.approx(10)
    assert bounds[("precision@k", 5), ("precision@k", 10)].factor == pytest.approx(2)
    assert (("precision@k", 10), ("precision@k", 5)) not in bounds


def test_one_relevant_item_makes_formulas_equal() -> None:
    several, one = bounds_between((10, 10)), bounds_between((10, 10), one_relevant=True)
    recall, hit, rank, ap = (
        ("recall@k", 10),
        ("hit_rate@k", 10),
        ("reciprocal_rank@k", 10),
        ("average_precision@k", 10),
    )
    assert (hit, recall) not in several and one[hit, recall].factor == one[recall, hit].factor == 1
    assert several[rank, ap].factor == 10 and one[rank, ap].factor == one[ap, rank].factor == 1
    assert one[hit, ("precision@k", 10)].factor == one[("precision@k", 10), hit].factor ** -1 == pytest.approx(10)
    assert one[hit, ("ndcg@k", 10)].factor == pytest.approx(math.log2(11))


def test_formulas_are_signatures_of_the_reference() -> None:
    assert parse("average_precision@k|denominator:r") in related_formulas()
