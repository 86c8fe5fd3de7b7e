"""Two definitions are compared by level, on data step by step, and on the smallest input."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.findings.definition_difference import difference, smallest_input
from recsys_metric_audit.reference.cases.probe import case_from_rows
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem

RECOMMENDED = [(1, 11, 2.0), (1, 12, 1.0), (2, 11, 2.0), (2, 12, 1.0)]
TRUTH = [(1, 11, 1.0), (1, 13, 1.0), (1, 14, 1.0), (2, 12, 1.0), (3, 11, 1.0)]
DATA = Problem.of([case_from_rows("three users", RECOMMENDED, TRUTH, threshold=1.0)], 2)


def test_each_axis_moves_the_number_by_what_follows_by_hand() -> None:
    """Recall@2 is 1/3, 1 and 0; over min(2, r) it is 1/2, 1 and 0; without the user who has no list 3/4 on average."""
    found = difference(parse("recall@2"), parse("recall@2|denominator:min|users:both"), DATA)
    assert not found.same
    assert found.levels == {"formula": {"denominator": ("r", "min")}, "who_counts": {"users": ("truth", "both")}}
    assert [(step.axis, step.value) for step in found.steps] == [
        ("", pytest.approx(4 / 9)), ("denominator", pytest.approx(1 / 2)), ("users", pytest.approx(3 / 4))
    ]  # fmt: skip
    assert found.users == 2  # the first by value, the third is not counted
    assert found.as_json()["levels"]["formula"] == {"denominator": ["r", "min"]}


def test_equal_definitions_are_the_same() -> None:
    found = difference(parse("ndcg@2|discount:ln"), parse("ndcg@2"), DATA)
    assert found.same and not found.levels and not found.steps and found.smallest is None and found.users == 0


def test_two_metrics_have_values_and_no_axes() -> None:
    """AP@2 is 1/2, 1/2 and 0; the reciprocal rank 1, 1/2 and 0."""
    found = difference(parse("average_precision@2"), parse("reciprocal_rank@2"), DATA)
    assert not found.same and not found.levels
    assert [step.value for step in found.steps] == [pytest.approx(1 / 3), pytest.approx(1 / 2)]
    assert found.users == 1


def test_the_smallest_input_shows_the_difference() -> None:
    """Over r or min(k, r): some user has more than k relevant items, and the values are h / r and h / k."""
    small = smallest_input(parse("recall@k"), parse("recall@k|denominator:min"))
    assert small is not None
    relevant, k = len(small.probe.case.truth.user), small.probe.k
    listed = small.probe.case.predictions.item[:k]
    hits = sum(item in listed for item in small.probe.case.truth.item)
    assert relevant > k
    assert (small.first, small.second) == (pytest.approx(hits / relevant), pytest.approx(hits / k))
