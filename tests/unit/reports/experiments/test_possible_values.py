"""Values that cannot be are told, and values that fall where a hit is added."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from pydantic import ValidationError

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth
from recsys_metric_audit.reports.experiments.kinds import AnyExperiment
from recsys_metric_audit.reports.experiments.outcome import Answer, Bench, Outcome
from recsys_metric_audit.reports.experiments.possible_values import AddedHit, ValueAbove, formulas_of, values_of
from tests.support import result_samples as samples

CASE = Case(
    "one list", Predictions(np.zeros(3, int), np.arange(3), np.array([3.0, 2.0, 1.0])),
    Truth(np.zeros(2, int), np.array([1, 2]), np.array([1.0, 1.0])),
)  # fmt: skip
"""One user with hits at ranks 2 and 3 of three."""


def run(experiment: AnyExperiment) -> Outcome:
    return experiment.run(Bench(samples.result(), lambda dataset, name: CASE))


def above(metric: str, bound: float, k: int) -> Outcome:
    return run(ValueAbove.model_validate({"kind": "value_above", "metric": metric, "bound": bound, "k": k}))


def test_a_sum_of_reciprocal_ranks_can_be_above_one_and_no_other_can() -> None:
    made = above("reciprocal_rank", 1, 4)
    harmonic = float(sum(Fraction(1, rank) for rank in range(1, 5)))
    assert made.answer is Answer.yes_but
    assert f"reciprocal_rank@4|ranks:sum (up to {harmonic:.3f})" in made.reason and made.reason.startswith("1 of ")
    assert made.reason.endswith("reciprocal_rank@4 cannot")
    assert any(line.startswith("reciprocal_rank@4|ranks:mean_hits: up to 1.000") for line in made.lines)


def test_a_bound_that_nothing_or_everything_is_above() -> None:
    assert above("reciprocal_rank", 4, 4).answer is Answer.no
    assert above("reciprocal_rank", 0.5, 4).answer is Answer.yes


def test_hits_are_counted_above_one() -> None:
    assert "hit_rate@3|counts:hits (up to 3.000)" in above("hit_rate", 1, 3).reason


def test_a_metric_that_there_is_not() -> None:
    with pytest.raises(ValidationError, match="is no metric"):
        above("popularity", 1, 4)


def test_the_canonical_formula_comes_first() -> None:
    found = formulas_of("reciprocal_rank")
    assert found[0] == parse("reciprocal_rank@k") and len(set(found)) == len(found) > 5


def by_hand(hits: tuple[int, ...], *, retrieved: bool, k: int, relevant: int) -> float:
    ideal = len(hits) if retrieved else min(k, relevant)
    gain = sum(1 / math.log2(rank + 1) for rank in hits)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, ideal + 1)) if ideal else 0.0


@pytest.mark.parametrize("retrieved", [True, False])
def test_values_of_hit_lists_by_hand(retrieved: bool) -> None:
    every = [tuple(r for r, hit in enumerate(row, start=1) if hit) for row in product((0, 1), repeat=3)]
    found = values_of(parse("ndcg@3|ideal:retrieved" if retrieved else "ndcg@3"), [(4, hits) for hits in every], 3)
    assert found == pytest.approx([by_hand(hits, retrieved=retrieved, k=3, relevant=4) for hits in every])


def added(definition: str, instead: str, **changes: object) -> Outcome:
    given = {"kind": "added_hit", "definition": definition, "instead": instead, "k": 3, "relevant": 3}
    return run(AddedHit.model_validate(given | changes))


def test_an_ideal_of_the_retrieved_hits_falls_with_a_hit_more() -> None:
    made = added("ndcg|ideal:retrieved", "ndcg")
    low = by_hand((1, 3), retrieved=True, k=3, relevant=3)
    assert made.answer is Answer.yes
    assert f"falls from 1.000 to {low:.3f} where hits at 1 become hits at 1 and 3 (1 such lists" in made.reason
    assert "0 with ndcg@3)" in made.reason


def test_the_usual_ideal_does_not_fall() -> None:
    assert added("ndcg", "ndcg|ideal:retrieved").answer is Answer.no


def test_the_means_on_data_stand_beside() -> None:
    made = added("ndcg|ideal:retrieved", "ndcg", dataset="any", recommenders=["one"], cutoff=2)
    # The one hit in two rows stands second: over itself first, and over two relevant items.
    high, low = 1 / math.log2(3), 1 / math.log2(3) / (1 + 1 / math.log2(3))
    assert made.lines == (f"on any with one it is {high:.3f}, ndcg@2 {low:.3f} ({high / low:.1f} times)",)
